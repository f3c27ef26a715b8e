# errors.tcl --
#
#   Errors and option checks, imported by all parts of pathmap.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::pathmap::errors {
    namespace export fail options checkcount
}
package provide pathmap::errors 0.1

# fail --
#
#   Throws {EVENTSPACE PATHMAP REASON} with a message, from the caller.

proc ::pathmap::errors::fail {reason message} {
    return -code error -level 2 -errorcode [list EVENTSPACE PATHMAP $reason] \
        $message
}

# options --
#
#   Merges the options given to a procedure into its defaults.
#
# Arguments:
#   defaults  dictionary of all options and their defaults
#   given     list of names and values
#
# Results:
#   A dictionary of all options.  Throws {EVENTSPACE PATHMAP USAGE} when one
#   is unknown or has no value.

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

# checkcount --
#
#   Checks that the value of an option is a whole number not below a minimum.
#
# Arguments:
#   name    the option
#   value   its value
#   least   smallest value allowed
#
# Results:
#   None.  Throws {EVENTSPACE PATHMAP USAGE}.

proc ::pathmap::errors::checkcount {name value least} {
    if {![regexp {^(0|[1-9][0-9]{0,8})$} $value] || $value < $least} {
        fail USAGE "$name $value: expected a whole number from $least"
    }
}
