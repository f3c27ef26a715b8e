# text.tcl --
#
#   A path map as text.
#
#   A map is {file NAME lines LIST}.  An entry of LIST is a comment, an empty
#   line, or a statement as it was written, without its newline; a statement
#   goes on over several lines while a brace is open.  What no edit touches is
#   written back as it was, byte for byte.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line

namespace eval ::pathmap::text {
    namespace export parse text numbered find put add drop change
    namespace ensemble create
    namespace import ::pathmap::errors::*
}
package provide pathmap::text 0.1

# parse --
#
#   Split the text of a map into statements and look at the form of each.
#   Whether names resolve and types agree is asked of [pathmap check].
#
# Arguments:
#   text    the map
#   file    how messages name it
#
# Results:
#   A map.  Throws {EVENTSPACE PATHMAP SYNTAX} "FILE:LINE: WORD: expected ...".

proc ::pathmap::text::parse {text {file map}} {
    set lines {}
    set number 0
    set seen 0
    foreach physical [split $text \n] {
        incr number
        if {[info exists open]} {
            append open \n $physical
        } else {
            set open $physical
            set first $number
        }
        set words [Complete $file:$first $open]
        if {$words eq "more"} continue
        lappend lines $open
        unset open
        if {[lindex $words 1] eq ""} continue
        CheckFirst $file:$first [lindex $words 1] $seen
        ::pathmap::line check $file:$first [lindex $words 1]
        set seen 1
    }
    if {[info exists open]} {
        fail SYNTAX "$file:$first: [lindex [split $open] 0]:\
            expected a closing brace"
    }
    if {!$seen} {
        fail SYNTAX "$file:1: map: expected \"pathmap 1\" as the first line"
    }
    return [dict create file $file lines $lines]
}

# Whether a statement is whole: "more", or {done WORDS}; no words where it is
# a comment or empty.
proc ::pathmap::text::Complete {where line} {
    if {[IsComment $line]} {
        return {done {}}
    }
    if {![catch {llength $line} message options]} {
        return [list done $line]
    }
    if {[lindex [dict get $options -errorcode] end] eq "BRACE"} {
        return more
    }
    fail SYNTAX "$where: $message"
}

proc ::pathmap::text::IsComment {line} {
    return [regexp {^[ \t\n\v\f\r]*(#|$)} $line]
}

proc ::pathmap::text::CheckFirst {where words seen} {
    if {$seen == ([lindex $words 0] eq "pathmap")
        || (!$seen && [list {*}$words] ne {pathmap 1})} {
        fail SYNTAX "$where: [lindex $words 0]: expected \"pathmap 1\" as the\
            first line, and only there"
    }
}

# text --
#
#   The text of a map: what [parse] was given, with the edits made since.

proc ::pathmap::text::text {map} {
    return [join [dict get $map lines] \n]
}

# numbered --
#
#   Each statement of a map with its place among the entries.
#
# Results:
#   A list of {INDEX WORDS}.

proc ::pathmap::text::numbered {map} {
    set statements {}
    set index -1
    foreach line [dict get $map lines] {
        incr index
        if {![IsComment $line]} {
            lappend statements [list $index $line]
        }
    }
    return $statements
}

# find --
#
#   Where a statement is among the entries of a map.
#
# Arguments:
#   map     the map
#   verb, name  the first two words of the statement
#
# Results:
#   An index; -1 when there is none.

proc ::pathmap::text::find {map verb name} {
    foreach statement [numbered $map] {
        lassign $statement number words
        if {[lindex $words 0] eq $verb && [lindex $words 1] eq $name} {
            return $number
        }
    }
    return -1
}

# put, add, drop --
#
#   Put a line in the place of an entry, add one after it, take it away.
#
# Results:
#   The map.

proc ::pathmap::text::put {map number line} {
    dict set map lines [lreplace [dict get $map lines] $number $number $line]
    return $map
}

proc ::pathmap::text::add {map number line} {
    dict set map lines [linsert [dict get $map lines] $number+1 $line]
    return $map
}

proc ::pathmap::text::drop {map number} {
    dict set map lines [lreplace [dict get $map lines] $number $number]
    return $map
}

# change --
#
#   Change one option of one statement of a map.
#
# Arguments:
#   map     the map
#   verb, name  which statement
#   option, value  what it then says
#
# Results:
#   The map.

proc ::pathmap::text::change {map verb name option value} {
    set number [find $map $verb $name]
    return [put $map $number [::pathmap::line setoption \
        [lindex [dict get $map lines] $number] $option $value]]
}
