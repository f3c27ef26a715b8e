# window.tcl --
#
#   Zooms and pans the window, the range of time that is shown, and keeps its
#   history, marks (ranges of time) and bookmarks (windows).
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::classes
package require view::ns
package require view::state

namespace eval ::view::window {
    namespace path ::view
    namespace export show zoom pan back around whole next
    namespace ensemble create

    # Zoom factor of a key, and of one notch of the wheel.
    variable Step 0.5
    variable Notch 0.8
    # Gesture of the last change.  Consecutive changes of one gesture are one
    # entry of the history.
    variable Gesture {}
    # Number of the bookmark that was shown last.
    variable Next -1
    # Most entries of the history.
    variable Most 200
}
package provide view::window 0.1

# show --
#
#   Shows a range of time.
#
# Arguments:
#   t0, span    the range, ns; limited to the run
#   gesture     wheel or drag: consecutive changes with the same gesture are
#               one entry of the history; empty: an entry of its own

proc ::view::window::show {t0 span {gesture {}}} {
    variable Gesture
    variable Most

    lassign [ns clamp $t0 $span [state get whole]] t0 span
    set was [list [state get t0] [state get span]]
    if {$was eq [list $t0 $span]} {
        return
    }
    if {$gesture eq "" || $gesture ne $Gesture} {
        state put back [lrange [linsert [state get back] 0 $was] 0 $Most-1]
    }
    set Gesture $gesture
    state put t0 $t0 span $span forward {}
}

# whole --
#
#   Returns {t0 span}: the measured interval; if that is shown, the whole run.

proc ::view::window::whole {} {
    set measured [classes measured]
    if {[list [state get t0] [state get span]] eq $measured} {
        return [list 0.0 [state get whole]]
    }
    return $measured
}

# zoom --
#
#   Zooms about a time.  The default is the cursor if it is in the window, else
#   the middle of the window.

proc ::view::window::zoom {factor {about {}} {gesture {}}} {
    set t0 [state get t0]
    set span [state get span]
    if {$about eq ""} {
        set about [state get cursor]
        if {$about eq "" || $about < $t0 || $about > $t0 + $span} {
            set about [ns middle $t0 $span]
        }
    }
    show {*}[ns zoom $t0 $span $factor $about] $gesture
}

proc ::view::window::pan {part {gesture {}}} {
    show {*}[ns pan [state get t0] [state get span] $part] $gesture
}

# around --
#
#   Shows an interval, with some time before and after it.

proc ::view::window::around {begin end} {
    show {*}[ns around $begin $end 0.6]
}

# back --
#
#   Goes one step in the history of windows.
#
# Arguments:
#   from, to    "back forward" goes back, "forward back" goes forward

proc ::view::window::back {from to} {
    variable Gesture

    set windows [state get $from]
    if {![llength $windows]} {
        state put message "the zoom history has no window to go $from to"
        return
    }
    set Gesture {}
    lassign [lindex $windows 0] t0 span
    state put $to [linsert [state get $to] 0 \
        [list [state get t0] [state get span]]] \
        $from [lrange $windows 1 end] t0 $t0 span $span
}

# next --
#
#   Returns 0, 1, 2 and so on.  The caller takes the remainder by the number of
#   bookmarks.

proc ::view::window::next {} {
    variable Next
    return [incr Next]
}

namespace eval ::view {
    action define zoom_in "Zoom in" {w plus} {} {
        window zoom $::view::window::Step
    }
    action define zoom_out "Zoom out" {s minus} {} {
        window zoom [expr {1.0 / $::view::window::Step}]
    }
    action define pan_left "Pan left" {a Left} {} {
        window pan -0.25
    }
    action define pan_right "Pan right" {d Right} {} {
        window pan 0.25
    }
    action define zoom_at "Zoom at a time" {} {{ns {}} {notches 1}} {
        window zoom [expr {$::view::window::Notch ** $notches}] $ns wheel
    }
    action define pan_by "Pan by a part of the window" {} {{part 0.1}} {
        window pan $part drag
    }
    action define fit "Show the measured interval, or the whole run" {f} {} {
        window show {*}[window whole]
    }
    action define show_time "Show a range of time" {} {{t0 0} {span {}}} {
        if {$span eq ""} {
            set span [state get whole]
        }
        window show $t0 $span
    }
    action define zoom_selection "Zoom to the selection" {e} {} {
        if {[llength [state get selection]]} {
            lassign [state get selection] begin end
            window show $begin [expr {$end - $begin}]
        }
    }
    action define zoom_back "Zoom history: back" {z} {} {
        window back back forward
    }
    action define zoom_forward "Zoom history: forward" {u} {} {
        window back forward back
    }
    action define goto "Go to a time or a step" {g} {{where {}}} {
        if {$where eq ""} {
            palette ask "Go to a time (3.5 ms) or to a step (step=12)" \
                {} ::action::goto
            return
        }
        if {[regexp {^step\s*=?\s*(\d+)$} $where - step]} {
            events go_step $step
            return
        }
        set ns [ns read $where]
        state put cursor $ns
        window show [expr {$ns - [state get span] / 2.0}] [state get span]
    }
    action define mark "Mark the selected range" {m} {{label {}}} {
        set selection [state get selection]
        if {![llength $selection]} {
            state put message "nothing is selected; drag over the timeline to\
                select a range to mark"
            return
        }
        lassign $selection begin end
        if {$label eq ""} {
            set label "mark [expr {[llength [state get marks]] + 1}]"
        }
        state put marks [concat [state get marks] \
            [list [list $begin $end $label]]] \
            message "$label: [ns text [expr {$end - $begin}]]"
    }
    action define unmark "Remove a mark" {} {{index end}} {
        state put marks [lreplace [state get marks] $index $index]
    }
    action define go_mark "Go to a mark" {} {{index 0}} {
        lassign [lindex [state get marks] $index] begin end
        if {$begin ne ""} {
            state put selection [list $begin $end]
            window around $begin $end
        }
    }
    action define bookmark "Bookmark this window" {b} {{label {}}} {
        set cursor [state get cursor]
        set ns [expr {$cursor eq "" ? [ns middle [state get t0] \
            [state get span]] : $cursor}]
        if {$label eq ""} {
            set label "bookmark [expr {[llength [state get bookmarks]] + 1}]"
        }
        state put bookmarks [concat [state get bookmarks] \
            [list [list $ns [state get span] $label [state get t0]]]] \
            message "$label: at [ns text $ns]"
    }
    action define unbookmark "Remove a bookmark" {} {{index end}} {
        state put bookmarks [lreplace [state get bookmarks] $index $index]
    }
    action define go_bookmark "Go to a bookmark" {B} {{index {}}} {
        set count [llength [state get bookmarks]]
        if {!$count} {
            state put message "there are no bookmarks; press b to add one"
            return
        }
        if {$index eq ""} {
            set index [expr {[window next] % $count}]
        }
        lassign [lindex [state get bookmarks] $index] ns span label t0
        window show $t0 $span
        state put cursor $ns message $label
    }
}
