# tap.tcl --
#
#   Tests of Tcl packages, told as TAP.  A case is a promise and a body that
#   holds it to account; it stands alone.  -l lists the cases; given numbers
#   or patterns of promises, only those are run.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::tap {
    # The cases in order: {PROMISE BODY}.
    variable Cases {}
}

# The sources, wherever the test was started.
if {[info exists ::env(top_srcdir)]} {
    set ::tap::top $::env(top_srcdir)
} else {
    set ::tap::top [file dirname [file dirname [file normalize [info script]]]]
}
lappend auto_path [file join $::tap::top libpaths]

# case --
#
#   Add a case.

proc case {promise body} {
    lappend ::tap::Cases [list $promise $body]
}

# expect --
#
#   End the case as failed unless two values are the same.

proc expect {want got} {
    if {$want ne $got} {
        throw {TAP MISMATCH} "want: $want\n got: $got"
    }
}

# expect_thrown --
#
#   End the case as failed unless a body throws this error.
#
# Arguments:
#   reason  the last word of the error's code
#   want    its message
#   body    evaluated by the caller

proc expect_thrown {reason want body} {
    set code [catch {uplevel 1 $body} got options]
    expect "error $reason: $want" "[expr {$code == 1 ? "error" : "no error"}]\
        [lindex [dict get [dict merge {-errorcode {}} $options] -errorcode] \
        end]: $got"
}

# skip --
#
#   End the case as not run, and say why.

proc skip {why} {
    throw {TAP SKIP} $why
}

# done --
#
#   Run the cases and end the program.

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
        if {![::tap::Wanted $number $promise]} {
            puts "ok $number - $promise # SKIP not asked for"
        } else {
            incr failed [::tap::Run $number $promise $body]
        }
        flush stdout
    }
    exit [expr {$failed > 0}]
}

proc ::tap::Wanted {number promise} {
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

# Run a case: 1 when it failed.
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
