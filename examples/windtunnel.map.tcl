# windtunnel.map.tcl --
#
#   Write a path map for windtunnel: what neighbours tell each other in each
#   step, and the sums that all threads make at the beginning and at the end.
#
#	tclsh8.6 windtunnel.map.tcl --processes 2 --via tcp --instrument >map
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] mapping.tcl]

proc define {specVar threads options} {
    upvar 1 $specVar spec
    # Two planes of bits of one row, 64 sites a word.
    set sites [::eventspace::mapping multiple $options --width 64]
    set words [expr {2 * $sites / 64}]
    ::eventspace::mapping borders spec $threads u64*$words
    pathmap define spec element result -type u64*3 -join reduce -op sum
    pathmap define spec use t* result exchange
}

::eventspace::mapping main {
    --width {1024 "sites along the wind, as windtunnel is told"}
} define
