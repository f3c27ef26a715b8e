# river.map.tcl --
#
#   Write a path map for river: what neighbours tell each other, and the time
#   step that all threads agree on, in each step; and the sums that they make
#   at the beginning and at the end.
#
#	tclsh8.6 river.map.tcl --threads 4 --instrument >map
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] mapping.tcl]

proc define {specVar threads options} {
    upvar 1 $specVar spec
    # Depth and flow in two directions of each cell of one row.
    set numbers [expr {3 * [::eventspace::mapping multiple $options --width 1]}]
    ::eventspace::mapping borders spec $threads f64*$numbers
    pathmap define spec element limit -type f64*1 -join reduce -op min
    pathmap define spec element result -type u64*3 -join reduce -op sum
    foreach element {limit result} {
        pathmap define spec use t* $element exchange
    }
}

::eventspace::mapping main {
    --width {512 "cells along the valley, as river is told"}
} define
