# pkgIndex.tcl --
#
#   Tells Tcl's package loader the files of the package pathmap.
#
# SPDX-License-Identifier: MIT

package ifneeded pathmap 0.1 [list source [file join $dir pathmap.tcl]]
foreach part {
    chain check draw edit errors files generate instrument line move query
    reach script shape spec text
} {
    package ifneeded pathmap::$part 0.1 \
        [list source [file join $dir $part.tcl]]
}
