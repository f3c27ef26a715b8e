# filters.tcl --
#
#   Actions that filter, hide, pin, fold and sort rows, and the bar above the
#   timeline.  The bar has a button that removes each filter, hidden row, pin
#   and order; folds have none.
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
#   Creates the bar.  It is shown only while it has buttons.

proc ::view::filters::create {frame} {
    variable Frame $frame

    ttk::frame $frame -padding [theme px 2]
    state watch {filters hidden pinned sort folded} [namespace code Fill] \
        $frame
    return $frame
}

# Returns the buttons of the bar: TEXT COMMAND ...  The command removes the
# filter, hidden row, pin or order.
proc ::view::filters::Chips {} {
    set chips {}
    foreach text [state get filters] {
        lappend chips "only $text" [list ::action::unfilter $text]
    }
    foreach row [state get hidden] {
        lappend chips "hidden: [dict get [rows get $row] name]" \
            [list ::action::hide $row]
    }
    foreach row [state get pinned] {
        lappend chips "on top: [dict get [rows get $row] name]" \
            [list ::action::pin $row]
    }
    lassign [state get sort] order ascending
    if {$order ne "map" || !$ascending} {
        set arrow [expr {$ascending ? "\u2191" : "\u2193"}]
        lappend chips "sorted by $order $arrow" [list ::action::sort map 1]
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
#   Adds an element to a list of the state, or removes it if it is there.

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

# Returns a row if one is given, else the row of the selected thing; empty,
# with a message, when no row is selected.
proc ::view::filters::RowOrSelected {row} {
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
            palette ask "Show only some rows, for example: thread=t1*,\
                host=odin, share>40 or wait>1ms" {} ::action::filter
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
    action define unfilter_all "Remove all filters and pins; sort as in the\
        map" {} {} {
        state put filters {} hidden {} pinned {} sort {map 1}
    }
    action define hide "Hide a row" {} {{row {}}} {
        if {[set row [filters::RowOrSelected $row]] ne ""} {
            filters toggle hidden $row
        }
    }
    action define pin "Pin a row on top" {p} {{row {}}} {
        if {[set row [filters::RowOrSelected $row]] ne ""} {
            filters toggle pinned $row
        }
    }
    action define fold "Fold or unfold a host or process" {x} {{row {}}} {
        if {[set row [filters::RowOrSelected $row]] eq ""} return
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
            state put message "rows cannot be sorted by \"$order\"; expected\
                one of [join $orders {, }]"
            return
        }
        if {$ascending eq ""} {
            set ascending [expr {$order in {map name}}]
        }
        state put sort [list $order $ascending]
    }
}
