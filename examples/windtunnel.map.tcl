# windtunnel.map.tcl --
#
#   Writes a path map for windtunnel.
#
#   In each step neighbours exchange their borders.  At the start and at the
#   end all threads add up through `result`.
#
#	tclsh8.6 windtunnel.map.tcl --processes 2 --via tcp --instrument >map
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] mapping.tcl]

proc define {specVar threads options} {
    upvar 1 $specVar spec
    # Two bit planes of one row, with 64 sites in a word.
    set sites [::eventspace::mapping multiple $options --width 64]
    set words [expr {2 * $sites / 64}]
    ::eventspace::mapping borders spec $threads u64*$words
    pathmap define spec element result -type u64*3 -join reduce -op sum
    pathmap define spec use t* result exchange
}

::eventspace::mapping main {
    --width {1024 "sites along the wind, as in the option of windtunnel"}
} define
