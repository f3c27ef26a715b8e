# app.tcl --
#
#   Opens the viewer's window on a display of its own, for tests.  A case uses
#   keys and mouse as a user does, and checks the state.
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] .. .. tap.tcl]
source [file join [file dirname [info script]] .. xvfb.tcl]

namespace eval ::app {
    # Temporary folder, removed at the end of the program.
    variable Folder {}
    # Errors that no command caught, in the current case.
    variable Errors {}
}

# Skips the whole program.
proc ::app::skip_all {why} {
    puts "1..0 # SKIP $why"
    exit 0
}

# ---- a display

# Starts Xvfb, which ends with its last client, and loads Tk.
proc ::app::display {} {
    if {[info exists ::env(SANITIZER)] && $::env(SANITIZER) ne "no"} {
        skip_all "wish does not load libraries built with a sanitizer"
    }
    if {[catch {xvfb 1400x900x24} ::env(DISPLAY)]} {
        skip_all $::env(DISPLAY)
    }
    if {[catch {package require Tk 8.6} why]} {
        skip_all "no Tk: $why"
    }
    if {[catch {package require eventspace_viewer} why]} {
        skip_all $why
    }
}

# ---- runs

# Runs an example on a map with collectors everywhere, and computes its views.
#
# Arguments:
#   name        name of the run
#   example     name of the example: windtunnel ...
#   options     options of its map script
#   stage       stage to insert at the head of thread t2's paths; empty: none
#   arguments   arguments of the program
proc ::app::run {name example options stage arguments} {
    variable Folder

    set map [file join $Folder $name.map]
    Quiet $::env(TCLSH) [file join $::tap::top examples $example.map.tcl] \
        {*}$options >$map.plain
    if {$stage ne ""} {
        Quiet eventspace map insert $map.plain head t2/* $stage -o $map.slow
        file rename -force $map.slow $map.plain
    }
    Quiet eventspace map instrument $map.plain --keep 2000 -o $map
    set run [file join $Folder $name]
    Quiet eventspace run $map -o $run --quiet -- \
        [file join $::env(top_builddir) examples $example] {*}$arguments \
        >$map.out
    Quiet eventspace scope --quiet $run
    return $run
}

# Runs a command; output on standard error is not an error.
proc ::app::Quiet {args} {
    exec -ignorestderr {*}$args
}

# Runs a small wind tunnel with four threads, with a stage on t2's paths.
proc ::app::windtunnel {name {stage {}}} {
    return [run $name windtunnel {--width 64 --threads 4} $stage \
        {--width 64 --height 64 --steps 40}]
}

proc ::app::folder {} {
    variable Folder
    return $Folder
}

# ---- the window

# Opens runs in this interpreter.
proc ::app::start {runs {options {}}} {
    uplevel #0 [list source [file join $::tap::top viewer app main.tcl]]
    set given [dict merge {theme {} scale 1 script {} view {} plugin {}
        session {}} \
        $options]
    ::view::main::start [dict merge $given [list runs $runs]]
    # Tooltips do not wait in tests, and an uncaught error fails the case.
    set ::view::tip::Delay 0
    interp bgerror {} ::app::Failed
    settle
}

proc ::app::Failed {message options} {
    variable Errors
    if {[lindex [dict get $options -errorcode] 0] eq "EVENTSPACE"} {
        ::view::main::Background $message $options
    } else {
        lappend Errors [dict get $options -errorinfo]
    }
}

# Handles all events and notifies all watchers.
proc settle {} {
    update
    ::view::state flush
    update
}

# Begins a case: nothing selected, the whole run shown, keyboard focus on the
# timeline.
proc fresh {} {
    variable ::app::Errors
    set Errors {}
    ::view::palette close
    ::action::clear
    ::action::unfilter_all
    ::action::unfold_all
    ::view::state put marks {} bookmarks {} cursor {} search {} failed {}
    ::action::fit
    settle
    ::view::state put back {} forward {} message {}
    set ::view::window::Gesture {}
    keys_go_to [timeline]
}

# Ends a case: fails it if there was an uncaught error.
proc expect_no_errors {} {
    variable ::app::Errors
    settle
    expect {} [join $Errors \n]
    expect {} [::view::state get failed]
}

proc timeline {} {
    return [::view::timeline surface]
}

# Gives a widget the keyboard focus, as a window manager would.
proc keys_go_to {widget} {
    focus -force $widget
    set tries 0
    while {[focus] ne $widget && [incr tries] < 100} {
        update
        focus -force $widget
        after 10 {set ::app::tick 1}
        vwait ::app::tick
    }
    expect $widget [focus]
}

# Presses keys, one after the other.
proc press {args} {
    foreach key $args {
        event generate [focus] <$key>
        settle
    }
}

# Generates a mouse event at a place of the timeline.
proc mouse {event x y args} {
    event generate [timeline] $event -x [expr {round($x)}] \
        -y [expr {round($y)}] {*}$args
    settle
}

# Drags with a button from one x to another.
proc drag {button from to y args} {
    mouse <ButtonPress-$button> $from $y {*}$args
    foreach part {0.3 0.7 1.0} {
        mouse <B$button-Motion> [expr {$from + ($to - $from) * $part}] $y
    }
    mouse <ButtonRelease-$button> $to $y
}

# Returns the x coordinate of a time on the timeline.
proc x_of {ns} {
    return [expr {round([::view::lanes x [timeline] $ns])}]
}

# Returns the y coordinate of the middle of a row on the timeline.
proc y_of {row} {
    set at [lsearch -exact [::view::state get shown] $row]
    return [expr {round([::view::theme px 22]
        + ($at + 0.5) * [::view::lanes rowheight [timeline]])}]
}

proc state {key} {
    return [::view::state get $key]
}

# Returns the row of a thread.
proc row_of {name} {
    foreach row [::view::rows all] {
        if {[dict get $row kind] eq "thread"
            && [dict get $row name] eq $name} {
            return [dict get $row row]
        }
    }
}

# Returns the first operation that matches a search.
proc event_of {words} {
    return [[::view::run main] event search $words 0 1]
}

# Fails the case unless two numbers differ by at most slack.
proc near {want got {slack 1.0}} {
    if {abs(double($want) - double($got)) > $slack} {
        expect "$want +/- $slack" $got
    }
}

# Returns the sum of a column of the rows of the table of the chart.
proc chart_sum {column} {
    set frame .panes.pages.charts.table
    set at [lsearch [dict get $::view::tables::Widgets $frame names] $column]
    return [::tcl::mathop::+ {*}[lmap row \
        [dict get $::view::tables::Widgets $frame rows] { lindex $row $at }]]
}

# Returns the waiting for known threads in the part that is shown, as
# eventspace show RUN waits_at --from --to has it, clipped to the interval.
proc waited_between {} {
    lassign [::view::part interval] from to
    return [::view::run scalar "SELECT sum(min(stop_ns, :upto)
        - max(start_ns, :since)) FROM waits_at WHERE culprit IS NOT NULL
        AND stop_ns > :since AND start_ns < :upto" \
        -bind [list since $from upto $to]]
}

set ::app::Folder [file normalize [exec mktemp -d \
    [file join [expr {[info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp"}] \
    viewer.XXXXXX]]]
set ::env(XDG_STATE_HOME) [file join $::app::Folder state]
rename exit ::app::exit
proc exit {{status 0}} {
    catch {exec chmod -R u+w $::app::Folder}
    file delete -force $::app::Folder
    ::app::exit $status
}
::app::display
