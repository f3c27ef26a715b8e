# main.tcl --
#
#   The viewer of runs: eventspace view RUN ?RUN2?
#
#   main.tcl RUN ?RUN2? ?--theme T? ?--scale S? ?--script FILE? ?--view NAME?
#
#   Started by eventspace-view, which has looked at the options.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view {}
namespace eval ::view::main {
    namespace path ::view

    # Where the parts are, beside this file.
    variable Folder [file dirname [file normalize [info script]]]
    variable Parts {
        ns state action theme rows run tip density lanes window timeline overview
        events marks filters palette tables charts selection console findings
        session export diff diffpane frame
    }
    # Above so many rows hosts are folded in the beginning.
    variable ManyRows 400
}

# Errors that end the program: one line, no trace.
proc ::view::main::fail {why} {
    puts stderr "eventspace view: [lindex [split $why \n] 0]"
    exit 1
}

# The command line.
proc ::view::main::arguments {given} {
    set options {runs {} theme {} scale {} script {} view {}}
    while {[llength $given]} {
        set given [lassign $given word]
        # What ends the options of wish itself.
        if {$word eq "--"} continue
        if {![string match --* $word]} {
            dict lappend options runs $word
            continue
        }
        set name [string range $word 2 end]
        if {$name ni {theme scale script view} || ![llength $given]} {
            fail "$word: no such option, or no value"
        }
        set given [lassign $given value]
        dict set options $name $value
    }
    if {[llength [dict get $options runs]] ni {1 2}} {
        fail "expected one run, or two to be compared"
    }
    return $options
}

proc ::view::main::load {} {
    variable Folder
    variable Parts

    foreach part $Parts {
        source [file join $Folder $part.tcl]
    }
}

# start --
#
#   Open the runs and show them.
#
# Arguments:
#   options     as arguments gives them

proc ::view::main::start {options} {
    wm withdraw .
    load
    run open [dict get $options runs]
    theme init [dict get $options scale]
    state init
    # A command line without an error names an option that is not empty.
    interp bgerror {} ::view::main::Background
    rows load [[run main] rows] [run facts]
    set span [[run main] get span]
    state put whole $span
    state put t0 0 span [state get whole]
    theme use light
    frame create
    action bindings .
    FoldMany
    ::view::timeline::Rows
    session load [lmap name {theme} {
        if {[dict get $options $name] eq ""} continue
        set name
    }]
    session begin
    Choose $options
    state watch theme [list ::view::main::Theme] .
    Theme
    Place
}

proc ::view::main::Choose {options} {
    if {[dict get $options theme] ne ""} {
        ::action::theme [dict get $options theme]
    }
    set view [dict get $options view]
    if {$view eq ""} {
        if {[run other] ne ""} {
            ::action::diff
        }
    } elseif {$view in [charts names]} {
        ::action::chart $view
    } elseif {$view in [frame pages]} {
        ::action::page $view
    } elseif {$view ne "timeline"} {
        ::action::table $view
    }
}

proc ::view::main::FoldMany {} {
    variable ManyRows
    if {[llength [rows all]] > $ManyRows} {
        ::action::fold_all
    }
}

proc ::view::main::Theme {args} {
    theme use [state get theme]
}

# Show the window, as large as the screen has room for.
proc ::view::main::Place {} {
    if {![regexp {^\d{2,}x\d{2,}} [wm geometry .]]} {
        wm geometry . [expr {min([winfo screenwidth .] - [theme px 40],
            [theme px 1400])}]x[expr {min([winfo screenheight .]
            - [theme px 60], [theme px 900])}]
    }
    wm deiconify .
    update
    frame settle
    focus -force [timeline surface]
}

# An error nobody catches: of a user's words what is wrong with them, of ours
# one line in the status bar, and the whole where errors are read.
proc ::view::main::Background {message options} {
    set code [dict get $options -errorcode]
    if {[lindex $code 0] eq "EVENTSPACE"} {
        state put message $message
        return
    }
    state put failed [lindex [split $message \n] 0]
    if {[info exists ::env(EVENTSPACE_TRACE)]} {
        puts stderr [dict get $options -errorinfo]
    }
}

# main --
#
#   Answer the command line.

proc ::view::main::main {argv} {
    set options [arguments $argv]
    try {
        start $options
        if {[dict get $options script] ne ""} {
            Script [dict get $options script]
        }
    } on error {why details} {
        if {[info exists ::env(EVENTSPACE_TRACE)]} {
            puts stderr [dict get $details -errorinfo]
        }
        fail $why
    }
}

# A script may call all actions.
proc ::view::main::Script {file} {
    update
    uplevel #0 [list source $file]
}

if {[info exists ::argv0] && [file normalize $::argv0]
    eq [file normalize [info script]]} {
    ::view::main::main $::argv
}
