# display.tcl --
#
#   A display for tests that draw, and a run to draw.
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] .. tap.tcl]
source [file join [file dirname [info script]] xvfb.tcl]

namespace eval ::display {
    # Errors that no script caught; they fail the current case.
    variable Errors {}
}

# skip_all --
#
#   Skips the whole program.

proc skip_all {why} {
    puts "1..0 # SKIP $why"
    exit 0
}

# display --
#
#   Starts an X server for this program alone and loads Tk.  The server ends
#   with its last client.

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
#   Loads a package, or skips the whole program if it cannot be loaded.

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
#   Handles all events, including those that the server still has to send.

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
#   Makes a run: by default one of four threads on two hosts.
#
# Arguments:
#   program   make_run or make_mpi_run of tests/scopes
#   variant   its argument
#
# Results:
#   The directory of the run, with views computed.  It is removed when the
#   program ends.

proc new_run {{program make_run} {variant ended}} {
    set output [exec [file join $::env(top_builddir) tests scopes $program] \
        $variant]
    set run [lsearch -inline [split $output \n] /*]
    trace add execution exit enter [list apply {{run args} {
        file delete -force $run
    }} $run]
    exec eventspace scope --quiet $run
    return $run
}
