# text.tcl --
#
#   A path map as text.
#
#   A map is {file NAME lines LIST}.  An entry of LIST is a comment, an empty
#   line, or a statement as it was written, without its newline.  A statement
#   continues on the next line while a brace is open.  Entries that no edit
#   changes are written back byte for byte.
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
#   Splits the text of a map into statements and checks the form of each.
#   [pathmap check] also checks that names resolve and types agree.
#
# Arguments:
#   text    text of the map
#   file    name of the map in messages
#
# Results:
#   A map.  Throws {EVENTSPACE PATHMAP SYNTAX} "FILE:LINE: WORD: expected ...".

proc ::pathmap::text::parse {text {file map}} {
    set lines {}
    set number 0
    set seen 0
    set depth 0
    foreach physical [split $text \n] {
        incr number
        if {[info exists open]} {
            append open \n $physical
            set depth [Depth $depth $physical]
            if {$depth > 0} continue
        } else {
            set open $physical
            set first $number
        }
        set words [Complete $file:$first $open]
        if {$words eq "more"} {
            set depth [Missing $open]
            continue
        }
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

# Tells whether a statement is complete: returns "more" or {done WORDS}.
# WORDS is empty for a comment or an empty line.
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

# Returns the number of closing braces that a statement lacks.
proc ::pathmap::text::Missing {line} {
    set depth 1
    while {[catch {llength $line\n[string repeat \} $depth]}]} {
        incr depth
    }
    return $depth
}

# Returns the depth of the braces behind a line that begins inside braces; 0
# when the line closes the outermost one.
proc ::pathmap::text::Depth {depth line} {
    foreach token [regexp -all -inline {\\.|[{}]} $line] {
        switch -- $token {
            \{ { incr depth }
            \} { incr depth -1 }
        }
        if {$depth == 0} {
            return 0
        }
    }
    return $depth
}

proc ::pathmap::text::IsComment {line} {
    return [regexp {^[ \t\n\v\f\r]*(#|$)} $line]
}

proc ::pathmap::text::CheckFirst {where words seen} {
    if {$seen == ([lindex $words 0] eq "pathmap")
        || (!$seen && [lrange $words 0 1] ne {pathmap 1})} {
        fail SYNTAX "$where: [lindex $words 0]: expected \"pathmap 1\" as the\
            first line, and only there"
    }
}

# text --
#
#   Returns the text of a map: the text given to [parse], with all edits.

proc ::pathmap::text::text {map} {
    return [join [dict get $map lines] \n]
}

# numbered --
#
#   Returns the statements of a map with their indices among its entries.
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
#   Returns the index of a statement among the entries of a map.
#
# Arguments:
#   map     the map
#   verb, name  the first two words of the statement
#
# Results:
#   An index; -1 when no statement begins with these words.

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
#   [put] replaces an entry by a line, [add] adds a line after it, and [drop]
#   removes it.
#
# Results:
#   The changed map.

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
#   Changes one option of one statement of a map.
#
# Arguments:
#   map     the map
#   verb, name  the first two words of the statement
#   option, value  the option and its new value
#
# Results:
#   The changed map.

proc ::pathmap::text::change {map verb name option value} {
    set number [find $map $verb $name]
    return [put $map $number [::pathmap::line setoption \
        [lindex [dict get $map lines] $number] $option $value]]
}
