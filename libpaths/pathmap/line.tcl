# line.tcl --
#
#   One statement of a path map: a Tcl list, edited in place.
#
#   The text of a statement is kept as written.  Words are read from it with
#   [lindex]; an edit replaces the characters of one word and no others.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors

namespace eval ::pathmap::line {
    namespace export check option at given chain sides \
        setoption dropoption setword spans
    namespace ensemble create
    namespace import ::pathmap::errors::*

    # For each verb: the number of words before the options, and the options
    # allowed; "*" allows any, because they depend on the kind of stage.
    variable Grammar {
        pathmap {1 {-trust -encrypt -silence}}
        plugin  {1 {}}
        host    {1 {-address}}
        process {1 {-host -listen -space}}
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
    # Kinds of stages with chains of their own, and how many at most: the first
    # of the words that are no options.
    variable Side {tee 1 merge 64}
    # Characters that separate the words of a list.
    variable Blank " \t\n\v\f\r"
    # A word that PlainSpans finds, and a text of such words.
    variable PlainWord {\{[^{}"\\]*\}}
    for {set depth 2} {$depth <= 3} {incr depth} {
        set PlainWord [string map [list WORD $PlainWord] \
            {\{(?:[^{}"\\]|WORD)*\}}]
    }
    append PlainWord [format {|[^{}"\\%s]+} $Blank]
    variable PlainText [format {^[%2$s]*(?:(?:%1$s)(?:[%2$s]+|$))*$} \
        $PlainWord $Blank]
}
package provide pathmap::line 0.1

# check --
#
#   Checks a statement: its verb, the number of its words, its options, and
#   the form of its chain.
#
# Arguments:
#   where   "FILE:LINE", for messages
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

# Checks that a chain and its second chains are lists of lists.
proc ::pathmap::line::CheckChain {where chain} {
    foreach item [CheckList $where $chain] {
        CheckList $where $item
        foreach at [sides $item] {
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

# Returns the names of the options given.  Throws when one is unknown or has
# no value.
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
#   Returns the value of an option of a statement, or a default.

proc ::pathmap::line::option {words name {default {}}} {
    set at [at $words $name]
    if {$at < 0} {
        return $default
    }
    return [lindex $words $at]
}

# at --
#
#   Returns the index of an option's value among the words; -1 when the
#   option is not given.

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
#   Returns all options of a statement.
#
# Results:
#   A dictionary from option to value.  Ignores words outside options.

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
#   Returns the index of the chain among the words of a statement; -1 when
#   it has none.

proc ::pathmap::line::chain {words} {
    switch -- [lindex $words 0] {
        path { return 3 }
        stage { return [at $words -next] }
    }
    return -1
}

# sides --
#
#   Returns the indices of the chains among the words of an item.

proc ::pathmap::line::sides {item} {
    variable Side
    set kind [lindex $item 0]
    set found {}
    if {![dict exists $Side $kind]} {
        return $found
    }
    for {set at 1} {$at < [llength $item]
        && [llength $found] < [dict get $Side $kind]} {incr at} {
        if {[string match -* [lindex $item $at]]} {
            incr at
        } else {
            lappend found $at
        }
    }
    return $found
}

# setoption --
#
#   Changes one option of a statement, or appends it.
#
# Results:
#   The changed line.

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
#   Removes an option and its value from a statement.
#
# Results:
#   The changed line.

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
#   Replaces the text of one word of a list and keeps all other characters.
#
# Arguments:
#   line    the text of a list
#   index   index of the word
#   raw     new text of the word, with its braces
#
# Results:
#   The changed line.

proc ::pathmap::line::setword {line index raw} {
    lassign [lindex [spans $line] $index] first last
    return [string replace $line $first $last $raw]
}

# spans --
#
#   Finds the words of a list in its text.
#
# Results:
#   A list of {FIRST LAST}: the indices of each word's first and last
#   character, braces included.

proc ::pathmap::line::spans {text} {
    variable Blank
    set spans [PlainSpans $text]
    if {[llength $spans]} {
        return $spans
    }
    set at 0
    while {[regexp -indices -start $at "\[^$Blank\]" $text found]} {
        set first [lindex $found 0]
        set last [WordEnd $text $first]
        lappend spans [list $first $last]
        set at [expr {$last + 1}]
    }
    return $spans
}

# Finds the words of a text by one search, if it has neither quotes nor
# backslashes and its braces are at most three deep.  Returns {} for any other
# text.
proc ::pathmap::line::PlainSpans {text} {
    variable PlainWord
    variable PlainText
    if {![regexp $PlainText $text]} {
        return {}
    }
    return [regexp -all -inline -indices $PlainWord $text]
}

# Returns the index of the last character of the word that begins at first.
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
