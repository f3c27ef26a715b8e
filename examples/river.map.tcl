# river.map.tcl --
#
#   Writes a path map for river.
#
#   In each step neighbours exchange their borders, and all threads agree on
#   the time step through `limit`.  At the start and at the end all threads
#   add up through `result`.
#
#	tclsh8.6 river.map.tcl --threads 4 --instrument >map
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] mapping.tcl]

proc define {specVar threads options} {
    upvar 1 $specVar spec
    # For each cell of a row: depth, and flow in two directions.
    set numbers [expr {3 * [::eventspace::mapping multiple $options --width 1]}]
    ::eventspace::mapping borders spec $threads f64*$numbers
    pathmap define spec element limit -type f64*1 -join reduce -op min
    pathmap define spec element result -type u64*3 -join reduce -op sum
    foreach element {limit result} {
        pathmap define spec use t* $element exchange
    }
}

::eventspace::mapping main {
    --width {512 "cells along the valley, as in the option of river"}
} define
