# chain.tcl --
#
#   The chains of a path map: parsing, pattern matching and editing.
#
#   The tail of a shared stage is the chain in its option -next.  A second
#   chain is a word of an item, as in {tee CHAIN} and {merge CHAIN CHAIN}.
#
#   A chain is edited as a list of steps {GAP RAW}: the blanks before an item,
#   and the text of the item with its braces.  A new item takes the gap of the
#   next item, whose gap becomes one blank; a removed item leaves its gap to the
#   next item.  So removing an item undoes its insertion exactly.
#
#   The index of a map holds all statements by verb and name; the name of a
#   path is THREAD/ELEMENT.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::text

namespace eval ::pathmap::chain {
    namespace export index lookup kind all edit value step inject take \
        matches beside shared sides
    namespace ensemble create
    namespace import ::pathmap::errors::*
}
package provide pathmap::chain 0.1

# index --
#
#   Returns all statements of a map by name.
#
# Results:
#   A dictionary of dictionaries: VERB, NAME -> the words of the statement.

proc ::pathmap::chain::index {map} {
    set index {host {} process {} thread {} element {} stage {} path {}}
    foreach statement [::pathmap::text numbered $map] {
        lassign $statement - words
        set name [lindex $words 1]
        if {[lindex $words 0] eq "path"} {
            append name / [lindex $words 2]
        }
        dict set index [lindex $words 0] $name $words
    }
    return $index
}

# lookup --
#
#   Returns the words of the statement with this verb and name.
#
# Results:
#   The words.  Throws {EVENTSPACE PATHMAP NAME} when there is no such
#   statement.

proc ::pathmap::chain::lookup {index verb name} {
    if {![dict exists $index $verb $name]} {
        fail NAME "$verb $name: the map has no such $verb"
    }
    return [dict get $index $verb $name]
}

# kind --
#
#   Returns the kind and the name of an item of a chain.
#
# Results:
#   {KIND NAME}: kind and name of a shared stage, "element total" for
#   {element total}, "proxy p1" for {proxy p1}.  NAME is empty for others.

proc ::pathmap::chain::kind {index item} {
    set word [lindex $item 0]
    if {[shared $index $item] ne ""} {
        return [list [lindex [dict get $index stage $word] 2] $word]
    }
    if {$word in {element proxy}} {
        return [list $word [lindex $item 1]]
    }
    return [list $word {}]
}

# shared --
#
#   Returns the name of the shared stage that an item names; empty when the
#   item is something else.

proc ::pathmap::chain::shared {index item} {
    set name [lindex $item 0]
    if {[dict exists $index stage $name]} {
        return $name
    }
    return {}
}

# all --
#
#   Returns all chains of a map except second chains.
#
# Results:
#   A list of {NAME PROCESS CHAIN} in the order of the map.  NAME is
#   THREAD/ELEMENT, or the shared stage when the chain is its tail; PROCESS is
#   the process in which the chain begins.

proc ::pathmap::chain::all {map} {
    set index [index $map]
    set chains {}
    foreach statement [::pathmap::text numbered $map] {
        set words [lindex $statement 1]
        set at [::pathmap::line chain $words]
        if {$at >= 0} {
            lassign [Context $index $words] - name - - - process
            lappend chains [list $name $process [lindex $words $at]]
        }
    }
    return $chains
}

# Returns the context of the chain of a statement, as [edit] describes it.
proc ::pathmap::chain::Context {index words} {
    set name [lindex $words 1]
    if {[lindex $words 0] eq "stage"} {
        return [list chain $name head stage \
            process [::pathmap::line option $words -process]]
    }
    set thread [lookup $index thread $name]
    return [list chain $name/[lindex $words 2] head path \
        process [::pathmap::line option $thread -process]]
}

# edit --
#
#   Passes each chain of a map, second chains included, through a command.
#
# Arguments:
#   map     the map
#   command command prefix, called with CONTEXT and STEPS; returns the new
#           steps.  CONTEXT is {chain NAME head path|stage|side process P}:
#           the name of the path or shared stage, the kind of chain (of a
#           path, tail of a stage, second chain), and the process in which
#           the chain begins.
#
# Results:
#   The changed map; a chain whose steps are the same keeps its text.

proc ::pathmap::chain::edit {map command} {
    set index [index $map]
    set lines [dict get $map lines]
    foreach statement [::pathmap::text numbered $map] {
        lassign $statement number words
        set at [::pathmap::line chain $words]
        if {$at < 0} continue
        lset lines $number [EditWord [Context $index $words] \
            [lindex $lines $number] $at $command]
    }
    dict set map lines $lines
    return $map
}

# Edits the chain that is one word of a line.
proc ::pathmap::chain::EditWord {context line at command} {
    lassign [lindex [::pathmap::line spans $line] $at] first last
    lassign [Open [string range $line $first $last]] open text close
    set old [Steps $text]
    set new [{*}$command $context $old]
    set new [EditSides $context $new $command]
    if {$new eq $old} {
        return $line
    }
    set rest [string range $text [string length [Join $old]] end]
    return [string replace $line $first $last \
        "$open[Join $new]$rest$close"]
}

# Edits the second chains of the stages of a chain.
proc ::pathmap::chain::EditSides {context steps command} {
    set i -1
    foreach step $steps {
        incr i
        set item [value $step]
        # Only the text of the words changes, not their number.
        foreach at [::pathmap::line sides $item] {
            lassign [Open [lindex $steps $i 1]] open text close
            set side [dict replace $context head side]
            lset steps $i 1 $open[EditWord $side $text $at $command]$close
        }
        if {[lindex $item 0] eq "proxy"} {
            dict set context process [lindex $item 1]
        }
    }
    return $steps
}

# sides --
#
#   Returns the second chains of an item.

proc ::pathmap::chain::sides {item} {
    return [lmap at [::pathmap::line sides $item] {lindex $item $at}]
}

# Splits the word of a list into {OPEN TEXT CLOSE}.  OPEN and CLOSE are the
# braces or quotes; a word without them gets braces.
proc ::pathmap::chain::Open {raw} {
    if {[string index $raw 0] in {\{ \"} && ![string match {*\\*} $raw]} {
        return [list [string index $raw 0] [string range $raw 1 end-1] \
            [string index $raw end]]
    }
    return [list \{ [list {*}[lindex $raw 0]] \}]
}

proc ::pathmap::chain::Steps {text} {
    set steps {}
    set at 0
    foreach span [::pathmap::line spans $text] {
        lassign $span first last
        lappend steps [list [string range $text $at $first-1] \
            [string range $text $first $last]]
        set at [expr {$last + 1}]
    }
    return $steps
}

proc ::pathmap::chain::Join {steps} {
    return [join [concat {*}$steps] {}]
}

# value --
#
#   Returns the item of a step.

proc ::pathmap::chain::value {step} {
    return [lindex $step 1 0]
}

# step --
#
#   Returns a step for an item, in braces.

proc ::pathmap::chain::step {item {gap " "}} {
    return [list $gap "{[list {*}$item]}"]
}

# inject --
#
#   Inserts an item before the item at an index, or after the last one.

proc ::pathmap::chain::inject {steps at item} {
    if {$at >= [llength $steps]} {
        return [linsert $steps end [step $item]]
    }
    set gap [lindex $steps $at 0]
    lset steps $at 0 " "
    return [linsert $steps $at [step $item $gap]]
}

# take --
#
#   Removes the item at an index.

proc ::pathmap::chain::take {steps at} {
    if {$at + 1 < [llength $steps]} {
        lset steps $at+1 0 [lindex $steps $at 0]
    }
    return [lreplace $steps $at $at]
}

# matches --
#
#   Tells whether a pattern matches an item.
#
# Arguments:
#   index   the index of the map
#   pattern ?CHAIN:?STAGE, both as for [string match].  CHAIN matches the name
#           of the chain: THREAD/ELEMENT, or a shared stage for its tail.
#           STAGE matches the kind of the item, or the name of its shared
#           stage, element or proxy's process.  A pattern with "/" and
#           without ":" is CHAIN alone.
#   chain   name of the chain
#   item    the item
#
# Results:
#   A boolean.

proc ::pathmap::chain::matches {index pattern chain item} {
    set chains *
    set stages $pattern
    if {[string match *:* $pattern]} {
        lassign [split $pattern :] chains stages
    } elseif {[string match */* $pattern]} {
        set chains $pattern
        set stages *
    }
    lassign [kind $index $item] kind name
    return [expr {[string match $chains $chain]
        && ([string match $stages $kind] || [string match $stages $name])}]
}

# beside --
#
#   Tells whether a pattern matches the item before an index.  Before the
#   first item of a tail is the shared stage that owns the tail.
#
# Arguments:
#   index, pattern  as for [matches]
#   context context of the chain, see [edit]
#   steps   steps of the chain
#   at      index of an item
#
# Results:
#   A boolean.

proc ::pathmap::chain::beside {index pattern context steps at} {
    set chain [dict get $context chain]
    if {$at > 0} {
        return [matches $index $pattern $chain \
            [value [lindex $steps $at-1]]]
    }
    return [expr {[dict get $context head] eq "stage"
        && [matches $index $pattern {} [list $chain]]}]
}
