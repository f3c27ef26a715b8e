# text.tcl --
#
#   A path map as text: its lines, their words, and where each word stands.
#
#   A map is {file NAME lines LIST}.  An entry of LIST is a comment, an empty
#   line, or a statement as it was written, without its newline; a statement
#   goes on over several lines while a brace is open.  Since a statement is a
#   Tcl list, its words are [lindex]ed from the very text that is written
#   back: what no edit touches stays as it was, byte for byte.
#
#   Maps are read and written as bytes, so comments may be in any encoding.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::pathmap::text {
    namespace export parse read write save text numbered option given \
        setoption dropoption setword spans options change
    namespace ensemble create

    # What each statement takes: how many words before its options, and
    # which options; "*" stands for those of the kind of a stage.
    variable Grammar {
        pathmap {1 {}}
        plugin  {1 {}}
        host    {1 {-address}}
        process {1 {-host -listen}}
        thread  {1 {-process -core}}
        element {1 {-process -type -keep -full -take}}
        stage   {2 *}
        path    {3 {-use}}
    }
    variable Required {
        process {-host}
        thread  {-process}
        element {-process -type}
        stage   {-process -inputs -next}
    }
    # What separates the words of a list.
    variable Blank " \t\n\v\f\r"
}
package provide pathmap::text 0.1

# fail --
#
#   Throw {EVENTSPACE PATHMAP REASON} with a message.

proc ::pathmap::text::fail {reason message} {
    return -code error -level 2 -errorcode [list EVENTSPACE PATHMAP $reason] \
        $message
}

# options --
#
#   Read the options a procedure was given.
#
# Arguments:
#   defaults  a dictionary of all it knows
#   given     names and values
#
# Results:
#   All of them.  Throws {EVENTSPACE PATHMAP USAGE}.

proc ::pathmap::text::options {defaults given} {
    foreach {name value} $given {
        if {![dict exists $defaults $name]} {
            fail USAGE "$name: expected [join [dict keys $defaults] { or }]"
        }
        dict set defaults $name $value
    }
    if {[llength $given] % 2} {
        fail USAGE "[lindex $given end]: expected a value"
    }
    return $defaults
}

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
        CheckWords $file:$first [lindex $words 1] $seen
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
    variable Blank
    return [expr {[string index [string trimleft $line $Blank] 0] in {# {}}}]
}

proc ::pathmap::text::CheckWords {where words seen} {
    variable Grammar
    variable Required

    set verb [lindex $words 0]
    if {$seen == ($verb eq "pathmap") || (!$seen && [list {*}$words] ne {pathmap 1})} {
        fail SYNTAX "$where: $verb: expected \"pathmap 1\" as the first\
            line, and only there"
    }
    if {![dict exists $Grammar $verb]} {
        fail SYNTAX "$where: $verb: expected one of\
            [join [dict keys $Grammar] {, }]"
    }
    lassign [dict get $Grammar $verb] count allowed
    if {[llength $words] <= $count} {
        set unit [expr {$count == 1 ? "word" : "words"}]
        fail SYNTAX "$where: $verb: expected $count $unit after it"
    }
    set given [CheckOptions $where $words $count $allowed]
    if {![dict exists $Required $verb]} return
    foreach name [dict get $Required $verb] {
        if {$name ni $given} {
            fail SYNTAX "$where: $verb: expected $name"
        }
    }
}

# The names of the options given; throws where one is unknown or has no value.
proc ::pathmap::text::CheckOptions {where words count allowed} {
    set given {}
    for {set i [expr {$count + 1}]} {$i < [llength $words]} {incr i} {
        set name [lindex $words $i]
        if {$allowed eq "*" && [string index $name 0] ne "-"} continue
        if {$allowed ne "*" && $name ni $allowed} {
            set expected [join $allowed { or }]
            if {$expected eq ""} {
                set expected "no more words"
            }
            fail SYNTAX "$where: $name: expected $expected"
        }
        if {[incr i] >= [llength $words]} {
            fail SYNTAX "$where: $name: expected a value"
        }
        lappend given $name
    }
    return $given
}

# read --
#
#   Read a map from a file; "-" is standard input.

proc ::pathmap::text::read {file} {
    if {$file eq "-"} {
        fconfigure stdin -translation binary
        return [parse [::read stdin] stdin]
    }
    if {[catch {open $file rb} channel options]} {
        fail FILE "$file: not read: [lindex [dict get $options -errorcode] end]"
    }
    try {
        return [parse [::read $channel] $file]
    } finally {
        close $channel
    }
}

# write --
#
#   Write a map to a file; "-" is standard output.  A file is replaced whole
#   or not at all.

proc ::pathmap::text::write {map file} {
    save [text $map] $file
}

# save --
#
#   As [write], any bytes.

proc ::pathmap::text::save {bytes file} {
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

proc ::pathmap::text::SaveAs {bytes file} {
    set channel [open $file wb]
    try {
        puts -nonewline $channel $bytes
    } finally {
        close $channel
    }
}

# text --
#
#   The text of a map: what [parse] was given, with the edits made since.

proc ::pathmap::text::text {map} {
    return [join [dict get $map lines] \n]
}

# option --
#
#   The value of an option of a statement, or a default.

proc ::pathmap::text::option {words name {default {}}} {
    set at [OptionAt $words $name]
    if {$at < 0} {
        return $default
    }
    return [lindex $words $at]
}

# The index of the value of an option, -1 where it is not given.
proc ::pathmap::text::OptionAt {words name} {
    variable Grammar
    set i [lindex [dict get $Grammar [lindex $words 0]] 0]
    while {[incr i] < [llength $words]} {
        set word [lindex $words $i]
        if {[string index $word 0] ne "-"} continue
        incr i
        if {$word eq $name} {
            return $i
        }
    }
    return -1
}

# given --
#
#   All options of a statement.
#
# Results:
#   A dictionary; words that belong to no option are left out.

proc ::pathmap::text::given {words} {
    variable Grammar
    set options {}
    set i [lindex [dict get $Grammar [lindex $words 0]] 0]
    while {[incr i] < [llength $words]} {
        set word [lindex $words $i]
        if {[string index $word 0] eq "-"} {
            dict set options $word [lindex $words [incr i]]
        }
    }
    return $options
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
    foreach statement [numbered $map] {
        lassign $statement number words
        if {[lrange $words 0 1] eq [list $verb $name]} {
            set lines [dict get $map lines]
            lset lines $number \
                [setoption [lindex $lines $number] $option $value]
            dict set map lines $lines
        }
    }
    return $map
}

# setoption --
#
#   Change one option of a statement, or give it at the end.
#
# Results:
#   The line.

proc ::pathmap::text::setoption {line name value} {
    set at [OptionAt $line $name]
    if {$at >= 0} {
        return [setword $line $at [list $value]]
    }
    set last [lindex [spans $line] end 1]
    return [string replace $line $last $last \
        "[string index $line $last] [list $name $value]"]
}

# dropoption --
#
#   Take an option and its value out of a statement.
#
# Results:
#   The line.

proc ::pathmap::text::dropoption {line name} {
    set at [OptionAt $line $name]
    if {$at < 0} {
        return $line
    }
    set spans [spans $line]
    return [string replace $line [expr {[lindex $spans $at-2 1] + 1}] \
        [lindex $spans $at 1]]
}

# setword --
#
#   Change one word of a list and leave all others as they are written.
#
# Arguments:
#   line    the text of a list
#   index   which word
#   raw     the new text of the word, braces and all
#
# Results:
#   The line.

proc ::pathmap::text::setword {line index raw} {
    lassign [lindex [spans $line] $index] first last
    return [string replace $line $first $last $raw]
}

# spans --
#
#   Where the words of a list stand in its text.
#
# Results:
#   A list of {FIRST LAST}, the characters of each word with its braces.

proc ::pathmap::text::spans {text} {
    variable Blank
    set spans {}
    set at 0
    while {[regexp -indices -start $at "\[^$Blank\]" $text found]} {
        set first [lindex $found 0]
        set last [WordEnd $text $first]
        lappend spans [list $first $last]
        set at [expr {$last + 1}]
    }
    return $spans
}

# The last character of the word of a list that begins at first.
proc ::pathmap::text::WordEnd {text first} {
    variable Blank
    switch -- [string index $text $first] {
        \{ { return [ClosingBrace $text $first] }
        \" { set pattern {"(?:\\.|[^\\"])*"} }
        default { set pattern "(?:\\\\.|\[^\\\\$Blank\]|\\\\$)+" }
    }
    regexp -indices -start $first $pattern $text found
    return [lindex $found 1]
}

proc ::pathmap::text::ClosingBrace {text first} {
    set depth 0
    set at $first
    while {[regexp -indices -start $at {\\.|[{}]} $text found]} {
        lassign $found at end
        switch -- [string index $text $at] {
            \{ { incr depth }
            \} { incr depth -1 }
        }
        if {$depth == 0} {
            return $at
        }
        set at [expr {$end + 1}]
    }
    return [expr {[string length $text] - 1}]
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
