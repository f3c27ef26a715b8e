# line.tcl --
#
#   One statement of a path map: a Tcl list, and where each of its words
#   stands in its text.
#
#   Words are read with [lindex] from the very text that is written back; an
#   edit changes the characters of one word and no others.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors

namespace eval ::pathmap::line {
    namespace export check option at given chain side \
        setoption dropoption setword spans
    namespace ensemble create
    namespace import ::pathmap::errors::*

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
    # Which word of a stage is a second chain.
    variable Side {tee 1}
    # What separates the words of a list.
    variable Blank " \t\n\v\f\r"
}
package provide pathmap::line 0.1

# check --
#
#   Look at the words of a statement: its verb, how many there are, and which
#   options.
#
# Arguments:
#   where   "FILE:LINE", for the message
#   words   the statement
#
# Results:
#   None.  Throws {EVENTSPACE PATHMAP SYNTAX}.

proc ::pathmap::line::check {where words} {
    variable Grammar
    variable Required

    set verb [lindex $words 0]
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
    if {[chain $words] >= 0} {
        CheckChain $where [lindex $words [chain $words]]
    }
    if {![dict exists $Required $verb]} return
    foreach name [dict get $Required $verb] {
        if {$name ni $given} {
            fail SYNTAX "$where: $verb: expected $name"
        }
    }
}

# Look whether a chain is a list of lists, and its second chains too.
proc ::pathmap::line::CheckChain {where chain} {
    foreach item [CheckList $where $chain] {
        CheckList $where $item
        set at [side $item]
        if {$at >= 0} {
            CheckChain $where [lindex $item $at]
        }
    }
}

proc ::pathmap::line::CheckList {where word} {
    if {![string is list $word]} {
        fail SYNTAX "$where: $word: expected a list, its braces and quotes\
            in pairs"
    }
    if {![llength $word]} {
        fail SYNTAX "$where: {}: expected a stage"
    }
    return $word
}

# The names of the options given; throws where one is unknown or has no value.
proc ::pathmap::line::CheckOptions {where words count allowed} {
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

# option --
#
#   The value of an option of a statement, or a default.

proc ::pathmap::line::option {words name {default {}}} {
    set at [at $words $name]
    if {$at < 0} {
        return $default
    }
    return [lindex $words $at]
}

# at --
#
#   The index of the value of an option among the words; -1 where it is not
#   given.

proc ::pathmap::line::at {words name} {
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

proc ::pathmap::line::given {words} {
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

# chain --
#
#   The index of the chain among the words of a statement; -1 where it has
#   none.

proc ::pathmap::line::chain {words} {
    switch -- [lindex $words 0] {
        path { return 3 }
        stage { return [at $words -next] }
    }
    return -1
}

# side --
#
#   The index of a second chain among the words of an item of a chain; -1
#   where it has none.

proc ::pathmap::line::side {item} {
    variable Side
    set kind [lindex $item 0]
    if {[dict exists $Side $kind]
        && [dict get $Side $kind] < [llength $item]} {
        return [dict get $Side $kind]
    }
    return -1
}

# setoption --
#
#   Change one option of a statement, or give it at the end.
#
# Results:
#   The line.

proc ::pathmap::line::setoption {line name value} {
    set at [at $line $name]
    if {$at >= 0} {
        return [setword $line $at [list $value]]
    }
    set last [lindex [spans $line] end 1]
    return [string cat [string range $line 0 $last] " " [list $name $value] \
        [string range $line $last+1 end]]
}

# dropoption --
#
#   Take an option and its value out of a statement.
#
# Results:
#   The line.

proc ::pathmap::line::dropoption {line name} {
    set at [at $line $name]
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

proc ::pathmap::line::setword {line index raw} {
    lassign [lindex [spans $line] $index] first last
    return [string replace $line $first $last $raw]
}

# spans --
#
#   Where the words of a list stand in its text.
#
# Results:
#   A list of {FIRST LAST}, the characters of each word with its braces.

proc ::pathmap::line::spans {text} {
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
proc ::pathmap::line::WordEnd {text first} {
    variable Blank
    switch -- [string index $text $first] {
        \{ { return [ClosingBrace $text $first] }
        \" { set pattern {"(?:\\.|[^\\"])*"} }
        default { set pattern "(?:\\\\.|\[^\\\\$Blank\]|\\\\$)+" }
    }
    regexp -indices -start $first $pattern $text found
    return [lindex $found 1]
}

proc ::pathmap::line::ClosingBrace {text first} {
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
