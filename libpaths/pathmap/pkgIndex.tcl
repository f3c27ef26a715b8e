# pkgIndex.tcl --
#
#   Declares the files of the package pathmap to Tcl's package loader.
#
# SPDX-License-Identifier: MIT

package ifneeded pathmap 0.1 [list source [file join $dir pathmap.tcl]]
foreach part {
    chain check draw edit errors files generate instrument line move place
    query reach script shape spec text
} {
    package ifneeded pathmap::$part 0.1 \
        [list source [file join $dir $part.tcl]]
}
