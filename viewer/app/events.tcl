# events.tcl --
#
#   Single operations: selected, stepped through, searched, highlighted.
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
    namespace export select step search go_step same
    namespace ensemble create
}
package provide view::events 0.1

# select --
#
#   Select an event, and see to it that it can be seen.
#
# Arguments:
#   event   as [R event at]; empty: none

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

# What is selected must not be in a fold.
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
#   Select the event before (previous) or after (next) the selected one; where
#   none is, the one nearest to the cursor.

proc ::view::events::step {direction} {
    set event [state get event]
    if {![dict size $event]} {
        # Any: the first that starts after the cursor.
        search {} [Here] 1
        return
    }
    if {[catch {[run main] event $direction $event} found]} {
        state put message $found
    } elseif {![dict size $found]} {
        state put message "the thread has no $direction event"
    } else {
        select $found
    }
}

proc ::view::events::Here {} {
    set cursor [state get cursor]
    return [expr {$cursor eq "" ? [state get t0] : $cursor}]
}

# search --
#
#   Select the next event that matches.
#
# Arguments:
#   what        words, as eventspace-view(1) has them
#   from        ns
#   direction   1 later, -1 earlier

proc ::view::events::search {what from direction} {
    if {[catch {[run main] event search $what $from $direction} found]} {
        state put message $found
        return
    }
    if {![dict size $found]} {
        state put message "nothing more matches \"$what\""
        return
    }
    select $found
    state put message "\"$what\": found at\
        [ns text [dict get $found start]]"
}

# go_step --
#
#   Go to a step of the program: show when it was, and highlight it.

proc ::view::events::go_step {step} {
    if {![catch {[run main] event search step=$step 0 1} found]
        && [dict size $found]} {
        select $found
        set links [same $found]
    } else {
        set links [Seen $step]
    }
    if {![llength $links]} {
        state put message "there is no step $step"
        return
    }
    state put links $links
    lassign [Bounds $links] begin end
    window around $begin $end
}

# Where its operations are not there, or do not tell their step, what the views
# know of it: from its beginning to its end, thread by thread.
proc ::view::events::Seen {step} {
    if {![run has step]} {
        return {}
    }
    return [lmap seen [run query {SELECT thread, start_ns, stop_ns FROM step
        WHERE :step BETWEEN step AND step + steps - 1} \
        -bind [list step $step]] {
        lassign $seen thread begin end
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
#   The intervals of all threads in the operation, or the step, of an event.

proc ::view::events::same {event} {
    if {![dict size $event]
        || [catch {[run main] event same $event} links]} {
        return {}
    }
    return $links
}

namespace eval ::view {
    action define select_event "Select an event" {} {{event {}}} {
        events select $event
    }
    action define select_thing "Select a thing everywhere" {} \
        {{kind {}} {id {}} {other {}}} {
        if {$kind in {"" none}} {
            state put thing {}
        } elseif {$other in {"" 0} && $kind ne "pair"} {
            state put thing [list $kind $id]
        } else {
            state put thing [list $kind $id $other]
        }
    }
    action define next_event "Next event of the thread" {bracketright} {} {
        events step next
    }
    action define previous_event "Previous event of the thread" \
        {bracketleft} {} {
        events step previous
    }
    action define zoom_event "Zoom to the event" {Return} {{event {}}} {
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
    action define search "Search for events" {slash} {{what {}}} {
        if {$what eq ""} {
            palette ask "Search: op=write thread=t1 dur>1ms step=12 ..." \
                [state get search] ::action::search
            return
        }
        state put search $what
        events search $what [expr {[state get t0] - 1.0}] 1
    }
    action define next_hit "Next hit of the search" {n} {} {
        events search [state get search] [events::After 1] 1
    }
    action define previous_hit "Previous hit of the search" {N} {} {
        events search [state get search] [events::After -1] -1
    }
    action define highlight "Highlight the step of the event" {h} {} {
        set event [state get event]
        if {![dict size $event] && [state get cursor] ne ""} {
            events step next
            set event [state get event]
        }
        state put links [events same $event]
    }
    action define clear "Clear selection and highlights" {Escape} {} {
        state put selection {} links {} thing {} event {} message {}
    }
}

# Where a search goes on: at the selected event, or at the window's edge.
proc ::view::events::After {direction} {
    set event [state get event]
    if {[dict size $event]} {
        return [dict get $event start]
    }
    return [expr {$direction > 0 ? [state get t0] - 1.0
        : [state get t0] + [state get span]}]
}
