# files.tcl --
#
#   Reads and writes path maps: files, standard input, standard output.
#
#   Maps are read and written as bytes, so a map that is not edited is
#   written back unchanged in any encoding.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::text

namespace eval ::pathmap::files {
    namespace export read text name write save
    namespace import ::pathmap::errors::*

    # Largest map, as PATHS_MAP_BYTES_MAX: a device has no end.
    variable Most [expr {256 << 20}]
}
package provide pathmap::files 0.1

# read --
#
#   Reads a map from a file; "-" is standard input.

proc ::pathmap::files::read {file} {
    return [::pathmap::text parse [text $file] [name $file]]
}

# name --
#
#   Returns the name of a file in messages.

proc ::pathmap::files::name {file} {
    return [expr {$file eq "-" ? "stdin" : $file}]
}

# text --
#
#   Returns the bytes of a file; "-" is standard input.

proc ::pathmap::files::text {file} {
    if {$file eq "-"} {
        fconfigure stdin -translation binary
        return [Text stdin stdin]
    }
    if {[catch {open $file rb} channel options]} {
        fail FILE "$file: not read: [lindex [dict get $options -errorcode] end]"
    }
    try {
        return [Text $channel $file]
    } finally {
        close $channel
    }
}

# Text --
#
#   Returns the bytes of a channel, up to its end.

proc ::pathmap::files::Text {channel name} {
    variable Most

    set text [::read $channel [expr {$Most + 1}]]
    if {[string length $text] > $Most} {
        fail FILE "$name: longer than $Most bytes"
    }
    return $text
}

# write --
#
#   Writes a map to a file; "-" is standard output.  The file is written
#   under a temporary name and renamed: it is replaced whole or not at all.

proc ::pathmap::files::write {map file} {
    save [::pathmap::text text $map] $file
}

# save --
#
#   Writes any bytes in the same way as [write].

proc ::pathmap::files::save {bytes file} {
    set new $file.[pid]
    try {
        if {$file eq "-"} {
            fconfigure stdout -translation binary
            puts -nonewline $bytes
            flush stdout
        } else {
            SaveAs $bytes $new
            file rename -force -- $new $file
        }
    } on error {message options} {
        if {$file eq "-"} {
            set file "standard output"
        } else {
            file delete -- $new
        }
        fail FILE "$file: not written:\
            [lindex [dict get $options -errorcode] end]"
    }
}

proc ::pathmap::files::SaveAs {bytes file} {
    set channel [open $file wb]
    try {
        puts -nonewline $channel $bytes
    } finally {
        close $channel
    }
}
