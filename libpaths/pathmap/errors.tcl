# errors.tcl --
#
#   How the procedures of pathmap refuse what they are given.  The other
#   parts import these.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::pathmap::errors {
    namespace export fail options count
}
package provide pathmap::errors 0.1

# fail --
#
#   Throw {EVENTSPACE PATHMAP REASON} with a message, out of the caller.

proc ::pathmap::errors::fail {reason message} {
    return -code error -level 2 -errorcode [list EVENTSPACE PATHMAP $reason] \
        $message
}

# options --
#
#   Read the options a procedure was given.
#
# Arguments:
#   defaults  a dictionary of all it knows
#   given     names and values
#
# Results:
#   All of them.  Throws {EVENTSPACE PATHMAP USAGE}.

proc ::pathmap::errors::options {defaults given} {
    foreach {name value} $given {
        if {![dict exists $defaults $name]} {
            fail USAGE "$name: expected [join [dict keys $defaults] { or }]"
        }
        dict set defaults $name $value
    }
    if {[llength $given] % 2} {
        fail USAGE "[lindex $given end]: expected a value"
    }
    return $defaults
}

# count --
#
#   Look at the value of an option that is a number.
#
# Arguments:
#   name    the option
#   value   what was given
#   least   the smallest that will do
#
# Results:
#   None.  Throws {EVENTSPACE PATHMAP USAGE}.

proc ::pathmap::errors::count {name value least} {
    if {![regexp {^(0|[1-9][0-9]{0,8})$} $value] || $value < $least} {
        fail USAGE "$name $value: expected a whole number from $least"
    }
}
