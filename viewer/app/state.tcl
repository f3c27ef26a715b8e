# state.tcl --
#
#   The state that all panes share: window, selection, filters and so on.
#
#   A pane reads values with [state get], changes them with [state put], and
#   is notified of all changes, its own included, through [state watch].  So a
#   selection, zoom or filter made in one pane holds in all panes.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view::state {
    namespace export init get put watch flush
    namespace ensemble create

    # All keys and their initial values.
    variable Defaults {
        t0 0.0 span 1.0
        whole 1.0
        selection {} dragging 0
        cursor {} at {}
        event {}
        thing {}
        links {}
        filters {}
        sort {map 1}
        pinned {} folded {} hidden {}
        marks {} bookmarks {}
        back {} forward {}
        search {} hits {} hit_order time
        queries {}
        arrows 1 critical 0 delays 0
        colour group unseen {} part visible part_findings {} follow 0
        chart {} measure {} level thread table {} query {}
        theme light
        shown {}
        message {} failed {}
    }
    variable Values $Defaults
    # List of {keys command widget}.
    variable Watchers {}
    # Dictionary whose keys have changed since the last notification.
    variable Changed {}
    # Identifier of the idle callback; "busy" during a notification.
    variable Idle {}
    # Keys whose values are stored as doubles.
    variable Times {t0 span whole}
}
package provide view::state 0.1

# init --
#
#   Sets all values to their initial ones and removes all watchers.

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
#   Changes values.  Watchers are notified when the program is idle, once for
#   all changes until then.
#
# Arguments:
#   args    key value ...
#
# Results:
#   None.  Throws {EVENTSPACE VIEW STATE} for an unknown key.

proc ::view::state::put {args} {
    variable Values
    variable Times

    foreach {key value} $args {
        if {![dict exists $Values $key]} {
            throw {EVENTSPACE VIEW STATE} "\"$key\" is not a key of the state"
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
#   Registers a command that is called after keys have changed.
#
# Arguments:
#   keys        keys to watch
#   command     command prefix, called with the list of changed keys
#   widget      a widget: the command is not called once it is destroyed

proc ::view::state::watch {keys command {widget {}}} {
    variable Watchers
    lappend Watchers [list $keys $command $widget]
}

# flush --
#
#   Notifies all watchers now, repeatedly while they change values in turn.

proc ::view::state::flush {} {
    variable Watchers
    variable Changed
    variable Idle

    after cancel $Idle
    # Ends only if watchers that change the keys they watch stop doing so.
    while {[dict size $Changed]} {
        set changed $Changed
        set Changed {}
        set Idle busy
        foreach watcher $Watchers {
            Notify $watcher $changed
        }
    }
    set Idle {}
}

# Calls a watcher if one of its keys has changed.  An error is reported in the
# background, so that the other watchers are still called.
proc ::view::state::Notify {watcher changed} {
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
