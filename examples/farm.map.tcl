# farm.map.tcl --
#
#   Writes a path map for farm.
#
#   Thread t0 writes tasks; each is taken by one of the other threads, which
#   write results for t0.
#
#	tclsh8.6 farm.map.tcl --threads 4 --room 2 >map
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] mapping.tcl]

proc define {specVar threads options} {
    upvar 1 $specVar spec
    set home [dict get $spec thread t0 -process]
    set room [::eventspace::mapping::multiple $options --room 1]
    pathmap define spec element task -process $home -type i64 -keep $room \
        -take one
    pathmap define spec element result -process $home -type i64 -keep 1024 \
        -take one
    pathmap define spec use t0 task write
    pathmap define spec use t0 result read
    for {set n 1} {$n < $threads} {incr n} {
        pathmap define spec use t$n task read
        pathmap define spec use t$n result write
    }
}

::eventspace::mapping main {
    --room {16 "tasks that wait for a worker, at most"}
} define
