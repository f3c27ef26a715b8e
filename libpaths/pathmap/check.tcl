# check.tcl --
#
#   Whether libpaths takes a map: asked of the program eventspace-map-check.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::text

namespace eval ::pathmap::check {
    namespace export check
    namespace import ::pathmap::errors::*
}
package provide pathmap::check 0.1

# check --
#
#   Let libpaths check a map whole: names resolve, inputs match the number of
#   chains that enter, types agree, no chain comes back to itself, every
#   element can be reached.
#
# Arguments:
#   map     the map
#
# Results:
#   One line that counts what is in it.  Throws {EVENTSPACE PATHMAP CHECK}
#   with the line that says what is wrong, {EVENTSPACE PATHMAP FILE} when the
#   program is not found.

proc ::pathmap::check::check {map} {
    set program [Program]
    set channel [file tempfile file]
    try {
        fconfigure $channel -translation binary
        puts -nonewline $channel [::pathmap::text text $map]
        close $channel
        set failed [catch {exec -- {*}$program $file 2>@1} said options]
    } finally {
        file delete -- $file
    }
    set said [string map [list $file [dict get $map file]] $said]
    if {!$failed} {
        return $said
    }
    if {[lindex [dict get $options -errorcode] 0] ne "CHILDSTATUS"} {
        fail FILE "[lindex $program 0]: $said"
    }
    set said [lindex [split $said \n] 0]
    fail CHECK [regsub {^eventspace map: } $said {}]
}

# The command that checks a file: from EVENTSPACE_EXEC_PATH, beside the script
# that runs, or the verb of the eventspace that is installed.
proc ::pathmap::check::Program {} {
    set folders {}
    if {[info exists ::env(EVENTSPACE_EXEC_PATH)]} {
        lappend folders {*}[split $::env(EVENTSPACE_EXEC_PATH) :]
    }
    if {[info exists ::argv0]} {
        lappend folders [file dirname [file normalize $::argv0]]
    }
    foreach folder $folders {
        set program [file join $folder eventspace-map-check]
        if {[file isfile $program] && [file executable $program]} {
            return [list $program]
        }
    }
    set eventspace [auto_execok eventspace]
    if {$eventspace eq ""} {
        fail FILE "eventspace-map-check: not found"
    }
    return [list {*}$eventspace map-check]
}
