# action.tcl --
#
#   Defines actions: the commands of the viewer.
#
#   An action is a command ::action::NAME with a title and keys.  Keys, the
#   palette, buttons, the mouse and scripts all call these commands, so a
#   script can do everything that a user can do.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view {}
namespace eval ::action {}
namespace eval ::view::action {
    namespace export define names title keys matching bindings label
    namespace ensemble create

    # Dictionary from name to {title keys}, in the order of definition.
    variable Table {}
    # Labels of keys whose Tk name is not shown to users.
    variable Labels {
        bracketleft {[} bracketright {]} less < greater > slash / question ?
        plus + minus - Escape Esc Control Ctrl Prior "Page Up"
        Next "Page Down"
    }
}
package provide view::action 0.1

# define --
#
#   Defines an action.
#
# Arguments:
#   name        name of the command ::action::NAME
#   title       a few words, for the palette
#   keys        keys as Tk names them: w, Left, Control-p, Shift-Left,
#               Control-Shift-c
#   parameters  parameters of the command; each must have a default, because
#               keys call the command without arguments
#   body        body of the command, evaluated in ::view

proc ::view::action::define {name title keys parameters body} {
    variable Table

    foreach parameter $parameters {
        if {$parameter ne "args" && [llength $parameter] != 2} {
            error "action $name: $parameter has no default"
        }
    }
    dict set Table $name [list $title $keys]
    # The body runs as a lambda in ::view, because a procedure of this name
    # there could replace the command of a pane.
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
#   Returns the keys of an action as users read them.

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
#   Returns the actions whose title or name contains all letters of a text in
#   this order.  Matches without gaps come first.
#
# Arguments:
#   text    the letters
#
# Results:
#   Names, best match first.

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

# Returns the distance between a typed text and another: 0 when they are
# equal, empty when they do not match.
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

# Returns the distance when typed letters have other letters between them:
# each adds its distance from the letter before, or 0 at the start of a word.
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
#   Binds the keys of all actions to a toplevel.  Widgets with text input keep
#   all keys without Control.

proc ::view::action::bindings {toplevel} {
    variable Table

    dict for {name entry} $Table {
        foreach key [lindex $entry 1] {
            bind $toplevel <[Event $key]> \
                [namespace code [list Pressed $name $key %W]]
        }
    }
}

# Returns the Tk event of a key.  "Key-" is needed because a digit alone would
# mean a mouse button.
proc ::view::action::Event {key} {
    if {[regexp {^Control-Shift-(.)$} $key - letter]} {
        return Control-Shift-Key-[string toupper $letter]
    }
    if {[regexp {^(Control|Shift)-(.+)$} $key - modifier key]} {
        return $modifier-Key-$key
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
