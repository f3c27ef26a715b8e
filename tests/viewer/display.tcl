# display.tcl --
#
#   A display for tests of what is drawn, and a run to be drawn.
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] .. tap.tcl]
source [file join [file dirname [info script]] xvfb.tcl]

namespace eval ::display {
    # Errors that no script caught; they fail the case in which they happen.
    variable Errors {}
}

# skip_all --
#
#   Leave the whole program out.

proc skip_all {why} {
    puts "1..0 # SKIP $why"
    exit 0
}

# display --
#
#   Load Tk on a display of the program's own.  The server ends with its last
#   client.

proc display {} {
    if {[catch {xvfb 1600x1000x24} ::env(DISPLAY)]} {
        skip_all $::env(DISPLAY)
    }
    package_or_skip Tk
    wm geometry . +0+0
    interp bgerror {} ::display::Failed
}

# package_or_skip --
#
#   Load a package, without which there is nothing to test.

proc package_or_skip {name} {
    if {[catch {package require $name} why]} {
        skip_all $why
    }
}

proc ::display::Failed {message options} {
    variable Errors
    lappend Errors [dict get $options -errorinfo]
}

# settle --
#
#   Have all events handled, by the server too.

proc settle {} {
    variable ::display::Errors

    update
    # A round trip.
    winfo pointerx .
    update
    if {[llength $Errors]} {
        set errors $Errors
        set Errors {}
        throw {TAP BACKGROUND} [join $errors \n]
    }
}

# new_run --
#
#   Four threads on two hosts that sum; see tests/scopes/make_run.c.
#
# Results:
#   Its directory, with its views computed; it goes when the program ends.

proc new_run {} {
    set said [exec [file join $::env(top_builddir) tests scopes make_run] ended]
    set run [lsearch -inline [split $said \n] /*]
    trace add execution exit enter [list apply {{run args} {
        file delete -force $run
    }} $run]
    exec eventspace scope --quiet $run
    return $run
}
