# state.tcl --
#
#   What the viewer shows: the one place that all panes look at.
#
#   A pane reads with [state get], says what it wants changed with [state put],
#   and is told of changes, its own and others', through [state watch].  So
#   whatever is selected, zoomed or filtered anywhere is so everywhere.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view::state {
    namespace export init get put watch flush
    namespace ensemble create

    # What there is, with its value in the beginning.
    variable Defaults {
        t0 0.0 span 1.0
        whole 1.0
        selection {} dragging 0
        cursor {}
        event {}
        thing {}
        links {}
        filters {}
        sort {map 1}
        pinned {} folded {} hidden {}
        marks {} bookmarks {}
        back {} forward {}
        search {}
        queries {}
        arrows 1
        chart {} measure {} table {} query {}
        theme light
        shown {}
        message {} failed {}
    }
    variable Values $Defaults
    # List of {keys command}, and the keys that changed since all were told.
    variable Watchers {}
    variable Changed {}
    variable Idle {}
    # Those that are doubles whatever is put there.
    variable Times {t0 span whole}
}
package provide view::state 0.1

# init --
#
#   Begin anew: all values as in the beginning, nobody watches.

proc ::view::state::init {} {
    variable Defaults
    variable Values
    variable Watchers
    variable Changed
    variable Idle

    after cancel $Idle
    set Values $Defaults
    set Watchers {}
    set Changed {}
    set Idle {}
}

proc ::view::state::get {key} {
    variable Values
    return [dict get $Values $key]
}

# put --
#
#   Change values.  Whoever watches is told when the program is idle, once
#   for all changes until then.
#
# Arguments:
#   args    key value ...
#
# Results:
#   None.  Throws {EVENTSPACE VIEW STATE} when there is no such key.

proc ::view::state::put {args} {
    variable Values
    variable Times

    foreach {key value} $args {
        if {![dict exists $Values $key]} {
            throw {EVENTSPACE VIEW STATE} "\"$key\" is no part of the state"
        }
        if {$key in $Times} {
            set value [expr {double($value)}]
        }
        if {[dict get $Values $key] ne $value} {
            dict set Values $key $value
            Announce $key
        }
    }
}

proc ::view::state::Announce {key} {
    variable Changed
    variable Idle

    dict set Changed $key 1
    if {$Idle eq ""} {
        set Idle [after idle [namespace code flush]]
    }
}

# watch --
#
#   Have a command called after any of some keys changed.
#
# Arguments:
#   keys        which
#   command     called with the list of those that did; one that belongs to a
#               widget is forgotten with it
#   widget      that widget

proc ::view::state::watch {keys command {widget {}}} {
    variable Watchers
    lappend Watchers [list $keys $command $widget]
}

# flush --
#
#   Tell now what changed.  What watchers change in turn is told at once too.

proc ::view::state::flush {} {
    variable Watchers
    variable Changed
    variable Idle

    after cancel $Idle
    # A watcher that changes what it watches must come to an end itself.
    while {[dict size $Changed]} {
        set changed $Changed
        set Changed {}
        set Idle busy
        foreach watcher $Watchers {
            Tell $watcher $changed
        }
    }
    set Idle {}
}

# An error of one watcher must not keep the others from being told.
proc ::view::state::Tell {watcher changed} {
    lassign $watcher keys command widget
    if {$widget ne "" && ![winfo exists $widget]} {
        return
    }
    set mine [lmap key $keys {
        if {![dict exists $changed $key]} continue
        set key
    }]
    if {[llength $mine] && [catch {{*}$command $mine} message options]} {
        after idle [list {*}[interp bgerror {}] $message $options]
    }
}
