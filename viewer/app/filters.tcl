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
    namespace export create toggle step close open
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

# Returns the row of the selected thing, or the row that it is folded into;
# empty when it has none that is shown.
proc ::view::filters::Current {} {
    lassign [state get thing] kind id
    if {$kind ni {host process thread}
        || [set row [rows named $kind $id]] eq ""} {
        return {}
    }
    foreach above [rows lineage $row] {
        if {$above in [state get shown]} {
            return $above
        }
    }
    return {}
}

# Selects a row, and scrolls to it.
proc ::view::filters::SelectRow {row} {
    set entry [rows get $row]
    ::action::select_thing [dict get $entry kind] [dict get $entry id]
    timeline reveal $row
}

# step --
#
#   Selects the row that is shown some rows below the selected one; without a
#   selected row, the first or the last.

proc ::view::filters::step {count} {
    set shown [state get shown]
    set last [expr {[llength $shown] - 1}]
    if {$last < 0} return
    set at [lsearch -exact $shown [Current]]
    if {$at < 0} {
        set at [expr {$count > 0 ? -1 : $last + 1}]
    }
    SelectRow [lindex $shown [expr {min(max(0, $at + $count), $last)}]]
}

# close, open --
#
#   [close] folds the selected row; if it is folded or a thread, it selects the
#   row above.  [open] unfolds the selected row; if it is not folded, it selects
#   the first row below.

proc ::view::filters::close {} {
    if {[set row [Current]] eq ""} {
        return [step 1]
    }
    if {[dict get [rows get $row] kind] ne "thread"
        && $row ni [state get folded]} {
        toggle folded $row
    } elseif {[dict get [rows get $row] depth] > 0} {
        SelectRow [dict get [rows get $row] parent]
    }
}

proc ::view::filters::open {} {
    if {[set row [Current]] eq ""} {
        return [step 1]
    }
    if {$row in [state get folded]} {
        toggle folded $row
    } elseif {[llength [rows children $row]]} {
        step 1
    }
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
    action define fold_all "Fold all hosts" {X 1} {} {
        state put folded [rows children {}]
    }
    action define fold_processes "Fold all processes" {2} {} {
        state put folded [rows folds process]
    }
    action define unfold_all "Unfold everything" {3} {} {
        state put folded {}
    }
    action define row_up "Select the row above" {Shift-Up} {} {
        filters step -1
    }
    action define row_down "Select the row below" {Shift-Down} {} {
        filters step 1
    }
    action define row_close "Fold the selected row, or select the row that it\
        is part of" {Shift-Left} {} {
        filters close
    }
    action define row_open "Unfold the selected row, or select its first\
        part" {Shift-Right} {} {
        filters open
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
