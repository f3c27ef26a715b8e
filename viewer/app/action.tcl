# action.tcl --
#
#   Actions: all that the viewer can be told to do.
#
#   An action is a command ::action::NAME with a title and keys.  Keys, the
#   palette, buttons, mouse and scripts only call these commands, so whatever
#   can be done by hand can be done by a script, and the other way round.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view {}
namespace eval ::action {}
namespace eval ::view::action {
    namespace export define names title keys matching bindings label
    namespace ensemble create

    # NAME to {title keys}, in the order of definition.
    variable Table {}
    # How keys are written where the name of Tk is not.
    variable Labels {
        bracketleft {[} bracketright {]} slash / question ?
        plus + minus - Escape Esc Control Ctrl Prior "Page Up"
        Next "Page Down"
    }
}
package provide view::action 0.1

# define --
#
#   Make an action.
#
# Arguments:
#   name        of the command ::action::NAME
#   title       a few words, for the palette
#   keys        as Tk names them: w, Left, Control-p
#   parameters  of the command; each must have a default, so that a key can
#               call it
#   body        of the command, evaluated in ::view

proc ::view::action::define {name title keys parameters body} {
    variable Table

    foreach parameter $parameters {
        if {$parameter ne "args" && [llength $parameter] != 2} {
            error "action $name: $parameter has no default"
        }
    }
    dict set Table $name [list $title $keys]
    # Not a procedure there: its name could be that of a pane.
    interp alias {} ::action::$name {} apply \
        [list $parameters $body ::view]
}

proc ::view::action::names {} {
    variable Table
    return [dict keys $Table]
}

proc ::view::action::title {name} {
    variable Table
    return [lindex [dict get $Table $name] 0]
}

proc ::view::action::keys {name} {
    variable Table
    return [lindex [dict get $Table $name] 1]
}

# label --
#
#   The keys of an action as a person reads them.

proc ::view::action::label {name} {
    variable Labels

    return [join [lmap key [keys $name] {
        join [lmap part [split $key -] {
            expr {[dict exists $Labels $part] ? [dict get $Labels $part]
                : $part}
        }] -
    }] ", "]
}

# matching --
#
#   The actions that a few letters mean: all letters in this order, in the
#   title or the name.  Whole words and beginnings of words come first.
#
# Arguments:
#   text    the letters
#
# Results:
#   Names, best first.

proc ::view::action::matching {text} {
    variable Table

    set scored {}
    dict for {name entry} $Table {
        set score [Score $text [lindex $entry 0]]
        set other [Score $text $name]
        if {$other ne "" && ($score eq "" || $other < $score)} {
            set score $other
        }
        if {$score ne ""} {
            lappend scored [list $score $name]
        }
    }
    return [lmap entry [lsort -integer -index 0 $scored] {
        lindex $entry 1
    }]
}

# How far a text is from what was typed: 0 equal; empty: no match.
proc ::view::action::Score {typed text} {
    set typed [string tolower [string map {" " "" _ ""} $typed]]
    set text [string tolower $text]
    if {$typed eq ""} {
        return 0
    }
    if {[string map {" " "" _ ""} $text] eq $typed} {
        return 0
    }
    set whole [string first $typed [string map {" " "" _ ""} $text]]
    if {$whole >= 0} {
        return [expr {1 + $whole}]
    }
    return [Scattered $typed $text]
}

# Letters that do not follow each other cost what lies between them, but
# nothing where a word begins.
proc ::view::action::Scattered {typed text} {
    set score 100
    set at -1
    foreach letter [split $typed {}] {
        set next [string first $letter $text $at+1]
        if {$next < 0} {
            return {}
        }
        if {$next > 0 && [string index $text $next-1] ni {" " _}} {
            incr score [expr {$next - $at}]
        }
        set at $next
    }
    return $score
}

# bindings --
#
#   Bind the keys of all actions to a toplevel.  Keys that write are left to
#   widgets that are written in.

proc ::view::action::bindings {toplevel} {
    variable Table

    dict for {name entry} $Table {
        foreach key [lindex $entry 1] {
            bind $toplevel <[Event $key]> \
                [namespace code [list Pressed $name $key %W]]
        }
    }
}

# A digit alone would be a button of the mouse.
proc ::view::action::Event {key} {
    if {[string match Control-* $key]} {
        return Control-Key-[string range $key 8 end]
    }
    return Key-$key
}

proc ::view::action::Pressed {name key widget} {
    if {![string match Control-* $key]
        && [winfo class $widget] in {Entry TEntry Text TCombobox TSpinbox
            Spinbox}} {
        return
    }
    ::action::$name
    return -code break
}
