# check.tcl --
#
#   Checks a map with the program eventspace-map-check, that is, with the
#   map reader of libpaths.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::text

namespace eval ::pathmap::check {
    # The eventspace of the installation that this file is part of.
    variable Installed [file normalize \
        [file join [file dirname [info script]] .. .. .. bin eventspace]]

    namespace export check
    namespace import ::pathmap::errors::*
}
package provide pathmap::check 0.1

# check --
#
#   Checks a whole map: names resolve, -inputs match the number of chains that
#   enter, types agree, chains have no cycle, every element can be reached.  A
#   plugin of the map is loaded only if it is one of `plugins`; stages of other
#   plugins are not checked.
#
# Arguments:
#   map     the map
#   plugins files of plugins
#
# Results:
#   One line with the numbers of hosts, processes, threads and so on, and a line
#   for each kind of stage that was not checked.  Throws {EVENTSPACE PATHMAP
#   CHECK} with the first error, and {EVENTSPACE PATHMAP FILE} when the program
#   is not found.

proc ::pathmap::check::check {map {plugins {}}} {
    set program [Program]
    foreach plugin $plugins {
        lappend program --plugin=$plugin
    }
    set channel [file tempfile file]
    try {
        fconfigure $channel -translation binary
        puts -nonewline $channel [::pathmap::text text $map]
        close $channel
        set failed [catch {exec -- {*}$program $file 2>@1} output options]
    } finally {
        file delete -- $file
    }
    set output [string map [list $file [dict get $map file]] $output]
    if {!$failed} {
        return $output
    }
    if {[lindex [dict get $options -errorcode] 0] ne "CHILDSTATUS"} {
        fail FILE "[lindex $program 0]: $output"
    }
    set first [lindex [split $output \n] 0]
    fail CHECK [regsub {^eventspace map-check: } $first {}]
}

# Returns the version of the eventspace that checks maps.
proc ::pathmap::check::version {} {
    return [lindex [exec -- {*}[Program] --version] end]
}

# Returns ", did you mean NAME?" for the nearest of some names, or "".
proc ::pathmap::check::nearest {word names} {
    if {[catch {exec -- {*}[Program] --nearest=$word -- {*}$names} hint]} {
        return ""
    }
    return $hint
}

# Returns the command that checks a file: eventspace-map-check from the
# folders of EVENTSPACE_EXEC_PATH or of the running script, else "eventspace
# map-check" of the installed eventspace or of one in PATH.
proc ::pathmap::check::Program {} {
    variable Installed
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
    if {[file executable $Installed]} {
        return [list $Installed map-check]
    }
    set eventspace [auto_execok eventspace]
    if {$eventspace eq ""} {
        fail FILE "eventspace-map-check: not found"
    }
    return [list {*}$eventspace map-check]
}
