# palette.tcl --
#
#   Dialogs on top of the window: the palette of all actions, questions of one
#   line, and the list of keys.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::state
package require view::theme

namespace eval ::view::palette {
    namespace path ::view
    namespace export open ask keys close listed
    namespace ensemble create

    # Names of the actions in the list.
    variable Listed {}
    # Command that is called with the answer to a question.
    variable Command {}
    # Widget that gets the focus when the dialog is closed.
    variable PreviousFocus {}
}
package provide view::palette 0.1

# Creates the frame of a dialog, and closes the dialog that was open.
proc ::view::palette::Box {title} {
    variable PreviousFocus

    close
    set PreviousFocus [focus]
    ttk::frame .palette -padding [theme px 8] -relief solid -borderwidth 1
    pack [ttk::label .palette.title -text $title -style Bold.TLabel] \
        -anchor w
    place .palette -relx 0.5 -y [theme px 60] -anchor n -relwidth 0.5
    raise .palette
    bind .palette <Escape> [namespace code close]
    return .palette
}

# Creates an entry in which Return runs a command and Escape closes the dialog.
proc ::view::palette::Entry {text command} {
    ttk::entry .palette.entry
    .palette.entry insert 0 $text
    .palette.entry selection range 0 end
    pack .palette.entry -fill x -pady [theme px 4]
    bind .palette.entry <Escape> "[namespace code close]; break"
    bind .palette.entry <Return> "$command; break"
    focus -force .palette.entry
    return .palette.entry
}

# close --
#
#   Closes the dialog without an answer.

proc ::view::palette::close {} {
    variable PreviousFocus

    if {[winfo exists .palette]} {
        destroy .palette
        if {$PreviousFocus ne "" && [winfo exists $PreviousFocus]} {
            focus $PreviousFocus
        }
    }
}

# ask --
#
#   Asks for a line of text.
#
# Arguments:
#   title       the question
#   text        initial text of the entry
#   command     command prefix, called with the answer unless it is empty

proc ::view::palette::ask {title text command} {
    variable Command $command

    Box $title
    Entry $text [namespace code Answer]
}

proc ::view::palette::Answer {} {
    variable Command

    set text [string trim [.palette.entry get]]
    if {$text eq ""} {
        close
        return
    }
    # After a wrong answer the question is asked again, with the error.
    try {
        set command $Command
        close
        {*}$command $text
    } trap EVENTSPACE why {
        ask $why $text $command
    }
}

# open --
#
#   Shows the palette.

proc ::view::palette::open {{text {}}} {
    Box "Run an action"
    set entry [Entry $text [namespace code Run]]
    ttk::treeview .palette.list -columns key -show tree -selectmode browse \
        -height 14
    .palette.list column key -width [theme px 120] -stretch 0 -anchor e
    pack .palette.list -fill both -expand 1
    $entry configure -validate key \
        -validatecommand [namespace code {Typing %W}]
    bind $entry <Down> "[namespace code {Move 1}]; break"
    bind $entry <Up> "[namespace code {Move -1}]; break"
    bind .palette.list <Double-ButtonPress-1> [namespace code Run]
    Filter
}

# listed --
#
#   Returns the actions that the palette lists now, best match first.

proc ::view::palette::listed {} {
    variable Listed
    return $Listed
}

# Filters the list when the program is idle: validation runs before the entry
# has its new text.
proc ::view::palette::Typing {entry} {
    after idle [namespace code [list Typed $entry]]
    return 1
}

proc ::view::palette::Typed {entry} {
    if {[winfo exists $entry]} {
        Filter
    }
}

proc ::view::palette::Filter {} {
    variable Listed

    set found [action matching [.palette.entry get]]
    if {$found eq $Listed && [llength [.palette.list children {}]]} {
        return
    }
    set Listed $found
    .palette.list delete [.palette.list children {}]
    foreach name $found {
        .palette.list insert {} end -id $name -text [action title $name] \
            -values [list [action label $name]]
    }
    if {[llength $found]} {
        .palette.list selection set [list [lindex $found 0]]
    }
}

proc ::view::palette::Move {by} {
    variable Listed

    if {![llength $Listed]} {
        return
    }
    set at [lsearch $Listed [lindex [.palette.list selection] 0]]
    set at [expr {min(max(0, $at + $by), [llength $Listed] - 1)}]
    .palette.list selection set [list [lindex $Listed $at]]
    .palette.list see [lindex $Listed $at]
}

proc ::view::palette::Run {} {
    set name [lindex [.palette.list selection] 0]
    close
    if {$name ne ""} {
        ::action::$name
    }
}

# keys --
#
#   Shows the list of keys and mouse gestures.

proc ::view::palette::keys {} {
    Box "Keys and mouse"
    set list [ttk::treeview .palette.list -columns key -show tree \
        -selectmode none -height 24]
    .palette.list column key -width [theme px 150] -stretch 0
    foreach {title gesture} {
        "Zoom at the pointer" "wheel"
        "Pan" "Shift-wheel, Shift-drag"
        "Scroll rows" "Ctrl-wheel"
        "Select a range of time" "drag"
        "Select an operation" "click"
        "Zoom to an operation" "double click"
        "Fold or unfold a host or process" "click on its name"
        "Menu of a row" "right button"
    } {
        $list insert {} end -text $title -values [list $gesture]
    }
    foreach name [action names] {
        if {[llength [action keys $name]]} {
            $list insert {} end -text [action title $name] \
                -values [list [action label $name]]
        }
    }
    pack $list -fill both -expand 1
    bind $list <Escape> "[namespace code close]; break"
    focus -force $list
}

namespace eval ::view {
    action define palette "All actions" {Control-p} {} {
        palette open
    }
    action define keys "Keys and mouse" {question} {} {
        palette keys
    }
}
