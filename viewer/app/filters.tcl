# filters.tcl --
#
#   Filters, folding, pinning and order of rows; and the bar that shows what
#   of it is in force, with a button to remove each.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::rows
package require view::state
package require view::theme

namespace eval ::view::filters {
    namespace path ::view
    namespace export create toggle
    namespace ensemble create

    variable Frame {}
}
package provide view::filters 0.1

# create --
#
#   Make the bar; it is there only while something is filtered.

proc ::view::filters::create {frame} {
    variable Frame $frame

    ttk::frame $frame -padding [theme px 2]
    state watch {filters hidden pinned sort folded} [namespace code Fill] \
        $frame
    return $frame
}

# Each chip: what it says, and the action that removes it.
proc ::view::filters::Chips {} {
    set chips {}
    foreach text [state get filters] {
        lappend chips "only $text" [list ::action::unfilter $text]
    }
    foreach row [state get hidden] {
        lappend chips "without [dict get [rows get $row] name]" \
            [list ::action::hide $row]
    }
    foreach row [state get pinned] {
        lappend chips "[dict get [rows get $row] name] on top" \
            [list ::action::pin $row]
    }
    lassign [state get sort] order ascending
    if {$order ne "map" || !$ascending} {
        lappend chips "by $order [expr {$ascending ? "\u2191" : "\u2193"}]" \
            [list ::action::sort map 1]
    }
    return $chips
}

proc ::view::filters::Fill {args} {
    variable Frame

    destroy {*}[winfo children $Frame]
    set chips [Chips]
    if {![llength $chips]} {
        grid remove $Frame
        return
    }
    grid $Frame
    set n 0
    pack [ttk::label $Frame.about -text "Rows:" -style Dim.TLabel] -side left
    foreach {text command} $chips {
        pack [ttk::button $Frame.chip[incr n] -text "$text  \u00d7" \
            -command $command -style Chip.TButton -takefocus 0] \
            -side left -padx [theme px 2]
    }
    pack [ttk::button $Frame.all -text "remove all" -takefocus 0 \
        -command ::action::unfilter_all] -side right
}

# toggle --
#
#   A list of the state with an element added or, where it was, removed.

proc ::view::filters::toggle {key element} {
    set list [state get $key]
    set at [lsearch -exact $list $element]
    if {$at < 0} {
        lappend list $element
    } else {
        set list [lreplace $list $at $at]
    }
    state put $key $list
}

# The row that is meant where none is given: that of the selected thing.
proc ::view::filters::Meant {row} {
    if {$row ne ""} {
        return $row
    }
    lassign [state get thing] kind id
    set row [expr {$kind in {host process thread} ? [rows named $kind $id]
        : ""}]
    if {$row eq ""} {
        state put message "select a row first: click on its name"
    }
    return $row
}

namespace eval ::view {
    action define filter "Filter rows" {Control-f} {{text {}}} {
        if {$text eq ""} {
            palette ask "Only rows with: thread=t1* host=odin share>40\
                wait>1ms" {} ::action::filter
            return
        }
        rows check $text
        if {$text ni [state get filters]} {
            state put filters [concat [state get filters] [list $text]]
        }
    }
    action define unfilter "Remove a filter" {} {{text {}}} {
        if {$text eq ""} {
            set text [lindex [state get filters] end]
        }
        state put filters [lsearch -all -inline -exact -not \
            [state get filters] $text]
    }
    action define unfilter_all "Remove all filters, pins and orders" {} {} {
        state put filters {} hidden {} pinned {} sort {map 1}
    }
    action define hide "Hide a row" {} {{row {}}} {
        if {[set row [filters::Meant $row]] ne ""} {
            filters toggle hidden $row
        }
    }
    action define pin "Pin a row on top" {p} {{row {}}} {
        if {[set row [filters::Meant $row]] ne ""} {
            filters toggle pinned $row
        }
    }
    action define fold "Fold or unfold a host or process" {x} {{row {}}} {
        if {[set row [filters::Meant $row]] eq ""} return
        if {[dict get [rows get $row] kind] eq "thread"} {
            set row [dict get [rows get $row] parent]
        }
        filters toggle folded $row
    }
    action define fold_all "Fold all hosts" {X} {} {
        state put folded [rows children {}]
    }
    action define unfold_all "Unfold everything" {} {} {
        state put folded {}
    }
    action define sort "Sort rows" {o} {{order {}} {ascending {}}} {
        set orders [rows orders]
        lassign [state get sort] now up
        if {$order eq ""} {
            set order [lindex $orders [expr {([lsearch $orders $now] + 1)
                % [llength $orders]}]]
        }
        if {$order ni $orders} {
            state put message "rows are sorted by [join $orders {, }]"
            return
        }
        if {$ascending eq ""} {
            set ascending [expr {$order in {map name}}]
        }
        state put sort [list $order $ascending]
    }
}
