# palette.tcl --
#
#   Asking: the palette of all actions, one-line questions, and the list of
#   keys.
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

    # What the list shows: names of actions; and what an answer calls.
    variable Listed {}
    variable Command {}
    variable Before {}
}
package provide view::palette 0.1

# Make the box, on top of the window; one at a time.
proc ::view::palette::Box {title} {
    variable Before

    close
    set Before [focus]
    ttk::frame .palette -padding [theme px 8] -relief solid -borderwidth 1
    pack [ttk::label .palette.title -text $title -style Bold.TLabel] \
        -anchor w
    place .palette -relx 0.5 -y [theme px 60] -anchor n -relwidth 0.5
    raise .palette
    bind .palette <Escape> [namespace code close]
    return .palette
}

# An entry in which Escape closes, and Return goes on.
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
#   Close what is asked, without an answer.

proc ::view::palette::close {} {
    variable Before

    if {[winfo exists .palette]} {
        destroy .palette
        if {$Before ne "" && [winfo exists $Before]} {
            focus $Before
        }
    }
}

# ask --
#
#   Ask for a line of text.
#
# Arguments:
#   title       the question
#   text        what stands there in the beginning
#   command     called with the answer, if there is one

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
    # A wrong answer is told of, and can be mended.
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
#   Show the palette.

proc ::view::palette::open {{text {}}} {
    Box "Do"
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
#   The actions that the palette lists now, best first.

proc ::view::palette::listed {} {
    variable Listed
    return $Listed
}

# What was typed stands there a moment later.
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
#   Show which keys do what.

proc ::view::palette::keys {} {
    Box "Keys and mouse"
    set list [ttk::treeview .palette.list -columns key -show tree \
        -selectmode none -height 24]
    .palette.list column key -width [theme px 150] -stretch 0
    foreach {what key} {
        "Zoom at the pointer" "wheel"
        "Select a range of time" "drag"
        "Pan" "middle or Shift drag"
        "Zoom to an event" "double click"
        "Scroll rows" "Ctrl wheel"
        "What can be done to a row" "right button"
    } {
        $list insert {} end -text $what -values [list $key]
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
