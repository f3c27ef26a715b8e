# globalsum.map.tcl --
#
#   Writes a path map for globalsum.
#
#   Every thread exchanges on one element, through joins that add.
#
#	tclsh8.6 globalsum.map.tcl --processes 3 --threads 4 --shape host >map
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] mapping.tcl]

proc define {specVar threads options} {
    upvar 1 $specVar spec
    pathmap define spec element total -type [dict get $options --type] \
        -join reduce -op sum -keep 16
    pathmap define spec use t* total exchange
}

::eventspace::mapping main {
    --type {f64*1 "type of the sum: i64 or f64, one value or many"}
} define
