# tap.tcl --
#
#   A test framework for Tcl that prints TAP.
#
#   A case is a promise and a body that tests it; cases do not depend on each
#   other.  -l lists the cases.  Arguments are numbers of cases or patterns of
#   promises; without arguments all cases are run.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::tap {
    # The cases in order: {PROMISE BODY}.
    variable Cases {}
}

# The root of the sources, for tests started by make and by hand.
if {[info exists ::env(top_srcdir)]} {
    set ::tap::top $::env(top_srcdir)
} else {
    set ::tap::top [file dirname [file dirname [file normalize [info script]]]]
}
lappend auto_path [file join $::tap::top libpaths]

# case --
#
#   Adds a case.

proc case {promise body} {
    lappend ::tap::Cases [list $promise $body]
}

# expect --
#
#   Fails the case unless two values are equal.

proc expect {want got} {
    if {$want ne $got} {
        throw {TAP MISMATCH} "want: $want\n got: $got"
    }
}

# expect_thrown --
#
#   Fails the case unless a body throws an error.
#
# Arguments:
#   reason  last word of the error code
#   want    message of the error
#   body    script, evaluated in the caller's scope

proc expect_thrown {reason want body} {
    set code [catch {uplevel 1 $body} got options]
    expect "error $reason: $want" "[expr {$code == 1 ? "error" : "no error"}]\
        [lindex [dict get [dict merge {-errorcode {}} $options] -errorcode] \
        end]: $got"
}

# skip --
#
#   Ends the case as skipped, with a reason.

proc skip {why} {
    throw {TAP SKIP} $why
}

# done --
#
#   Runs the cases and ends the program.

proc done {} {
    variable ::tap::Cases
    if {[lindex $::argv 0] eq "-l"} {
        set number 0
        foreach case $Cases {
            puts "[incr number] [lindex $case 0]"
        }
        exit 0
    }
    puts "1..[llength $Cases]"
    set number 0
    set failed 0
    foreach case $Cases {
        incr number
        lassign $case promise body
        if {![::tap::Selected $number $promise]} {
            puts "ok $number - $promise # SKIP not selected"
        } else {
            incr failed [::tap::Run $number $promise $body]
        }
        flush stdout
    }
    exit [expr {$failed > 0}]
}

# Returns true if the arguments select a case.
proc ::tap::Selected {number promise} {
    if {![llength $::argv]} {
        return 1
    }
    foreach pattern $::argv {
        if {$pattern eq $number || [string match $pattern $promise]} {
            return 1
        }
    }
    return 0
}

# Runs a case; returns 1 if it failed.
proc ::tap::Run {number promise body} {
    try {
        apply [list {} $body]
        puts "ok $number - $promise"
    } trap {TAP SKIP} why {
        puts "ok $number - $promise # SKIP $why"
    } on error {message options} {
        puts "not ok $number - $promise"
        set why [dict get $options -errorinfo]
        puts "# [join [split $why \n] "\n# "]"
        return 1
    }
    return 0
}
