# main.tcl --
#
#   The main program of the window of `eventspace view RUN ?RUN2?`.
#
#   main.tcl RUN ?RUN2? ?--theme T? ?--scale S? ?--script FILE? ?--view NAME?
#       ?--plugin FILE ...?
#
#   eventspace-view checks the options and starts this program with wish.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view {}
namespace eval ::view::main {
    namespace path ::view

    # Folder of this file and of most parts, and that of the others.
    variable Folder [file dirname [file normalize [info script]]]
    variable DiffFolder [file join [file dirname $Folder] diff]
    variable Parts {
        ns state action theme rows run classes part tip density lanes window
        timeline hits overview events filters palette tables charts selection
        waits console findings session export diff difftable diffpane frame
    }
    # With more rows than this, hosts are folded at the start.
    variable ManyRows 400
}

# Ends the program with an error of one line.
proc ::view::main::fail {why} {
    puts stderr "eventspace view: [lindex [split $why \n] 0]"
    exit 1
}

# Parses the command line.
#
# Results:
#   A dictionary: runs, theme, scale, script, view, plugin (a list of files),
#   session (the run of a temporary database); empty if not given.
proc ::view::main::arguments {given} {
    set options {runs {} theme {} scale {} script {} view {} plugin {}
        session {}}
    while {[llength $given]} {
        set given [lassign $given word]
        # "--" ends the options of wish.
        if {$word eq "--"} continue
        if {![string match --* $word]} {
            dict lappend options runs $word
            continue
        }
        set name [string range $word 2 end]
        if {$name ni {theme scale script view plugin session} || ![llength $given]} {
            fail "$word: no such option, or its value is missing"
        }
        set given [lassign $given value]
        if {$name eq "plugin"} {
            dict lappend options plugin $value
        } else {
            dict set options $name $value
        }
    }
    if {[llength [dict get $options runs]] ni {1 2}} {
        fail "expected one run, or two runs to compare"
    }
    return $options
}

proc ::view::main::load {} {
    variable Folder
    variable DiffFolder
    variable Parts

    foreach part $Parts {
        source [file join [expr {[string match diff* $part] ? $DiffFolder
            : $Folder}] $part.tcl]
    }
}

# start --
#
#   Opens the runs and shows the window.
#
# Arguments:
#   options     result of [arguments]

proc ::view::main::start {options} {
    wm withdraw .
    load
    ::eventspace::plugin installed
    foreach file [dict get $options plugin] {
        ::eventspace::plugin load $file
    }
    run open [dict get $options runs]
    theme init [dict get $options scale]
    state init
    interp bgerror {} ::view::main::Background
    rows load [[run main] rows] [run facts]
    # A run without operations has no length, but a window must have one.
    state put whole [expr {max(1, [[run main] get span])}]
    lassign [classes measured] t0 span
    state put t0 $t0 span [expr {max(1, $span)}]
    theme use light
    # This watcher is called before those of the panes, so that the panes are
    # drawn in the new colours.
    state watch theme [list ::view::main::Theme] .
    frame create
    action bindings .
    FoldMany
    ::view::timeline::Rows
    session of [dict get $options session]
    session load [lmap name {theme} {
        if {[dict get $options $name] eq ""} continue
        set name
    }]
    session begin
    if {[[run main] get live] && [run other] eq ""} {
        run follow
    }
    ApplyOptions $options
    Theme
    ShowWindow
}

# Applies the options --theme and --view.
proc ::view::main::ApplyOptions {options} {
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

# Shows the window, by default as large as the screen allows.
proc ::view::main::ShowWindow {} {
    if {![regexp {^\d{2,}x\d{2,}} [wm geometry .]]} {
        wm geometry . [expr {min([winfo screenwidth .] - [theme px 40],
            [theme px 1400])}]x[expr {min([winfo screenheight .]
            - [theme px 60], [theme px 900])}]
    }
    wm deiconify .
    update
    frame placesash
    focus -force [timeline surface]
}

# Handles an error that no command caught.  An error about the user's input is
# shown as a message; any other as an error in the status bar, with the stack
# on standard error if EVENTSPACE_TRACE is set.
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
#   Runs the program with a command line.

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

# Runs the script of the option --script.
proc ::view::main::Script {file} {
    update
    uplevel #0 [list source $file]
}

if {[info exists ::argv0] && [file normalize $::argv0]
    eq [file normalize [info script]]} {
    ::view::main::main $::argv
}
