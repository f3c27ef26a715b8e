# events.tcl --
#
#   Selects, searches and highlights single operations.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::rows
package require view::run
package require view::state
package require view::window

namespace eval ::view::events {
    namespace path ::view
    namespace export select step hop search go_step same
    namespace ensemble create

    # The part of the critical path that is highlighted, as a link; or empty.
    variable Hop {}
}
package provide view::events 0.1

# select --
#
#   Selects an operation and makes it visible: moves the window and unfolds
#   rows.
#
# Arguments:
#   event   result of [R event at]; empty: select none

proc ::view::events::select {event} {
    if {![dict size $event]} {
        state put event {}
        return
    }
    state put event $event cursor [dict get $event start] \
        thing [list thread [dict get $event thread]]
    set t0 [state get t0]
    set span [state get span]
    set start [dict get $event start]
    if {$start < $t0 || $start > $t0 + $span} {
        window show [expr {$start - $span / 2.0}] $span
    }
    Unfold [dict get $event row]
}

# Unfolds all rows above a row.
proc ::view::events::Unfold {row} {
    set above [rows lineage $row]
    set folded [lmap one [state get folded] {
        if {$one in $above} continue
        set one
    }]
    state put folded $folded
}

# step --
#
#   Selects the previous or the next operation in the row of the selected one.
#   If none is selected, selects the first that starts after the cursor.

proc ::view::events::step {direction} {
    set event [state get event]
    if {![dict size $event]} {
        search {} [CursorTime] 1
        return
    }
    if {[catch {[run main] event $direction $event} found]} {
        state put message $found
    } elseif {![dict size $found]} {
        state put message "this row has no $direction operation"
    } else {
        select $found
    }
}

# hop --
#
#   Highlights the next or previous part of the critical path.  The first one is
#   that at the cursor.
#
# Arguments:
#   direction   1: later parts, -1: earlier ones

proc ::view::events::hop {direction} {
    variable Hop

    set from [expr {[llength $Hop] && [state get links] eq [list $Hop]
        ? [lindex $Hop 1] : [CursorTime]}]
    if {[catch {[run main] event hop $from $direction} found]} {
        state put message $found
        return
    }
    if {![llength $found]} {
        state put message [expr {[run has critical_hop]
            ? "the critical path ends here"
            : "the critical path is not computed yet"}]
        return
    }
    lassign $found row start stop
    set Hop [list $row $start $row $stop]
    state put links [list $Hop]
    Unfold $row
    timeline reveal $row
    set end [expr {[state get t0] + [state get span]}]
    if {$start < [state get t0] || $stop > $end} {
        window around $start $stop
    }
    state put message "critical path: [rows describe $row] for\
        [ns text [expr {$stop - $start}]]"
}

# Returns the time of the cursor, or the start of the window without one.
proc ::view::events::CursorTime {} {
    set cursor [state get cursor]
    return [expr {$cursor eq "" ? [state get t0] : $cursor}]
}

# search --
#
#   Selects the next operation that matches a search.
#
# Arguments:
#   words       the search, as eventspace-view(1) describes it
#   from        time from which to search, ns
#   direction   1: later operations, -1: earlier ones

proc ::view::events::search {words from direction} {
    if {[catch {[run main] event search $words $from $direction} found]} {
        state put message $found
        return
    }
    if {![dict size $found]} {
        state put message "no further operation matches \"$words\""
        return
    }
    select $found
    state put message "\"$words\": found at\
        [ns text [dict get $found start]]"
}

# go_step --
#
#   Shows a step of the program and highlights its operations.

proc ::view::events::go_step {step} {
    if {![catch {[run main] event search step=$step 0 1} found]
        && [dict size $found]} {
        select $found
        set links [same $found]
    } else {
        set links [StepIntervals $step]
    }
    if {![llength $links]} {
        state put message "the run has no step $step"
        return
    }
    state put links $links
    lassign [Bounds $links] begin end
    window around $begin $end
}

# Returns the interval of a step in each thread, from the view step.  This is
# used when no operation has this step number.
proc ::view::events::StepIntervals {step} {
    if {![run has step]} {
        return {}
    }
    return [lmap interval [run query {SELECT thread, start_ns, stop_ns
        FROM step WHERE :step BETWEEN step AND step + steps - 1} \
        -bind [list step $step]] {
        lassign $interval thread begin end
        list [rows thread $thread] $begin [rows thread $thread] $end
    }]
}

proc ::view::events::Bounds {links} {
    set begin Inf
    set end -Inf
    foreach link $links {
        lassign $link from_row from_ns to_row to_ns
        set begin [expr {min($begin, $from_ns)}]
        set end [expr {max($end, $to_ns)}]
    }
    return [list $begin $end]
}

# same --
#
#   Returns the intervals of all threads that belong to the same step or
#   collective as an operation.

proc ::view::events::same {event} {
    if {![dict size $event]
        || [catch {[run main] event same $event} links]} {
        return {}
    }
    return $links
}

namespace eval ::view {
    action define select_event "Select an operation" {} {{event {}}} {
        events select $event
    }
    action define select_thing "Select a thing in all panes" {} \
        {{kind {}} {id {}} {other {}}} {
        if {$kind in {"" none}} {
            state put thing {}
        } elseif {$other in {"" 0} && $kind ne "pair"} {
            state put thing [list $kind $id]
        } else {
            state put thing [list $kind $id $other]
        }
    }
    action define next_event "Next operation of the row" {bracketright} {} {
        events step next
    }
    action define previous_event "Previous operation of the row" \
        {bracketleft} {} {
        events step previous
    }
    action define next_hop "Next thread on the critical path" {greater} {} {
        events hop 1
    }
    action define previous_hop "Previous thread on the critical path" \
        {less} {} {
        events hop -1
    }
    action define zoom_event "Zoom to the operation" {Return} {{event {}}} {
        if {![dict size $event]} {
            set event [state get event]
        }
        if {[dict size $event]} {
            events select $event
            set stop [dict get $event stop]
            set start [dict get $event start]
            window around $start [expr {max($start, $stop)}]
        }
    }
    action define search "Search for operations" {slash} {{words {}}} {
        if {$words eq ""} {
            palette ask "Search for operations, for example:\
                op=write thread=t1 dur>1ms step=12" \
                [state get search] ::action::search
            return
        }
        ::action::hits $words
        events search $words [expr {[state get t0] - 1.0}] 1
    }
    action define next_hit "Next match of the search" {n} {} {
        events search [state get search] [events::SearchStart 1] 1
    }
    action define previous_hit "Previous match of the search" {N} {} {
        events search [state get search] [events::SearchStart -1] -1
    }
    action define highlight "Highlight the step of the operation" {h} {} {
        set event [state get event]
        if {![dict size $event] && [state get cursor] ne ""} {
            events step next
            set event [state get event]
        }
        state put links [events same $event]
    }
    action define clear "Clear selection and highlights" {Escape} {} {
        state put selection {} links {} thing {} event {} message {} at {}
    }
}

# Returns the time at which a search continues: the start of the selected
# operation, or else the edge of the window.
proc ::view::events::SearchStart {direction} {
    set event [state get event]
    if {[dict size $event]} {
        return [dict get $event start]
    }
    return [expr {$direction > 0 ? [state get t0] - 1.0
        : [state get t0] + [state get span]}]
}
