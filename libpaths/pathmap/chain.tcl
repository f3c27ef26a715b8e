# chain.tcl --
#
#   The chains of a path map: what is on them, and how they are edited.
#
#   A chain is edited as its steps, a list of {GAP RAW}: the text of an item
#   with its braces, and the blanks before it.  A new item takes the gap of
#   the one it is put in front of, which gets one blank; an item taken away
#   hands its gap to the next.  So taking away undoes putting in, exactly.
#
#   The index of a map has all statements by their word and name; the name of
#   a path is THREAD/ELEMENT.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::text

namespace eval ::pathmap::chain {
    namespace export index lookup kind all edit value step inject take \
        matches beside shared side
    namespace ensemble create
    namespace import ::pathmap::errors::*
}
package provide pathmap::chain 0.1

# index --
#
#   All statements of a map by name.
#
# Results:
#   A dictionary: VERB NAME -> the words of the statement.

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
#   The words of one statement, by its word and name.
#
# Results:
#   The words.  Throws {EVENTSPACE PATHMAP NAME} when there is none.

proc ::pathmap::chain::lookup {index verb name} {
    if {![dict exists $index $verb $name]} {
        fail NAME "$verb $name: the map has no such $verb"
    }
    return [dict get $index $verb $name]
}

# kind --
#
#   What an item of a chain is.
#
# Results:
#   {KIND NAME}: of a shared stage its kind and name, of {element total}
#   "element total", of {proxy p1} "proxy p1"; of others NAME is empty.

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
#   The shared stage that an item is; empty where it is another.

proc ::pathmap::chain::shared {index item} {
    set name [lindex $item 0]
    if {[dict exists $index stage $name]} {
        return $name
    }
    return {}
}

# all --
#
#   All chains of a map, second chains not included.
#
# Results:
#   A list of {NAME PROCESS CHAIN} in the order of the map: NAME is
#   THREAD/ELEMENT, or the shared stage whose tail it is; PROCESS where it
#   begins.

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

# Whose chain a statement holds, and where it begins.
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
#   Put each chain of a map, second chains too, through a command.
#
# Arguments:
#   map     the map
#   command a prefix; called with CONTEXT STEPS, answers the new steps.
#           CONTEXT is {chain NAME head path|stage|side process P}: the path
#           or shared stage it belongs to, what its head is the head of, and
#           the process where it begins.
#
# Results:
#   The map; a chain whose steps stayed the same is not touched.

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

# Edit the chain that is one word of a line.
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

# Edit the second chains of the stages on a chain.
proc ::pathmap::chain::EditSides {context steps command} {
    set i -1
    foreach step $steps {
        incr i
        set item [value $step]
        set at [::pathmap::line side $item]
        if {$at >= 0} {
            lassign [Open [lindex $step 1]] open text close
            set side [dict replace $context head side]
            lset steps $i 1 $open[EditWord $side $text $at $command]$close
        }
        if {[lindex $item 0] eq "proxy"} {
            dict set context process [lindex $item 1]
        }
    }
    return $steps
}

# side --
#
#   The second chain of an item; empty where it has none.

proc ::pathmap::chain::side {item} {
    return [lindex $item [::pathmap::line side $item]]
}

# Take the text of a list out of the word that holds it.
#
# Results:
#   {OPEN TEXT CLOSE}.  A word without braces gets some.
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
#   The item of a step.

proc ::pathmap::chain::value {step} {
    return [lindex $step 1 0]
}

# step --
#
#   A step made of an item, in braces.

proc ::pathmap::chain::step {item {gap " "}} {
    return [list $gap "{[list {*}$item]}"]
}

# inject --
#
#   Put an item in front of the item at an index, or after the last.

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
#   Take the item at an index away.

proc ::pathmap::chain::take {steps at} {
    if {$at + 1 < [llength $steps]} {
        lset steps $at+1 0 [lindex $steps $at 0]
    }
    return [lreplace $steps $at $at]
}

# matches --
#
#   Whether a place pattern means an item.
#
# Arguments:
#   index   of the map
#   pattern ?CHAIN:?STAGE, both as for [string match].  CHAIN is a path,
#           THREAD/ELEMENT, or the shared stage whose tail it is; STAGE is
#           the kind of a stage, the name of a shared stage or an element, or
#           the process of a proxy.  With "/" and no ":" it is CHAIN alone.
#   chain   the name of the chain
#   item    the item
#
# Results:
#   A boolean.

proc ::pathmap::chain::matches {index pattern chain item} {
    set where *
    set what $pattern
    if {[string match *:* $pattern]} {
        lassign [split $pattern :] where what
    } elseif {[string match */* $pattern]} {
        set where $pattern
        set what *
    }
    lassign [kind $index $item] kind name
    return [expr {[string match $where $chain]
        && ([string match $what $kind] || [string match $what $name])}]
}

# beside --
#
#   Whether a place pattern means what stands in front of a place on a chain:
#   the item before it or, at the head of a tail, the stage whose tail it is.
#
# Arguments:
#   index, pattern  as for [matches]
#   context as [edit] gives it
#   steps   the chain
#   at      the place is in front of the item of this index
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
