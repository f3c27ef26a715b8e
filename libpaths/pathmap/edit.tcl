# edit.tcl --
#
#   Stages on chains: put in, replaced, given other options.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::text
package require pathmap::chain

namespace eval ::pathmap::edit {
    namespace export insert replace
    namespace import ::pathmap::errors::*

    # How many places the pattern of the call under way has meant.
    variable Places 0
}
package provide pathmap::edit 0.1

# insert --
#
#   Put a stage on chains.
#
# Arguments:
#   map     the map
#   where   before or after each stage that matches, or head: at the head of
#           each chain that matches
#   pattern see [chain matches]; with head, of a path THREAD/ELEMENT or of the
#           shared stage whose tail it is
#   item    the stage, as a chain has it: "delay 1ms"
#
# Results:
#   The map.  After a shared stage is at the head of its tail.  Throws
#   {EVENTSPACE PATHMAP NOMATCH} when no place fits.

proc ::pathmap::edit::insert {map where pattern item} {
    variable Places 0
    if {$where ni {before after head}} {
        fail USAGE "$where: expected before, after or head"
    }
    CheckItem $item
    set index [::pathmap::chain index $map]
    set map [::pathmap::chain edit $map \
        [list [namespace current]::Insert $index $where $pattern $item]]
    return [Matched $map "$where $pattern"]
}

proc ::pathmap::edit::CheckItem {item} {
    if {![string is list $item] || ![llength $item]} {
        return -level 2 -code error -errorcode {EVENTSPACE PATHMAP USAGE} \
            "{$item}: expected a stage"
    }
}

proc ::pathmap::edit::Matched {map what} {
    variable Places
    if {!$Places} {
        return -level 2 -code error -errorcode {EVENTSPACE PATHMAP NOMATCH} \
            "$what: no stage of the map matches"
    }
    return $map
}

proc ::pathmap::edit::Insert {index where pattern item context steps} {
    variable Places
    set chain [dict get $context chain]
    for {set at [expr {[llength $steps] - 1}]} {$at >= 0} {incr at -1} {
        set here [::pathmap::chain value [lindex $steps $at]]
        set wanted [switch -- $where {
            before { ::pathmap::chain matches $index $pattern $chain $here }
            after {
                ::pathmap::chain beside $index $pattern $context $steps $at
            }
            head {
                expr {$at == 0 && [dict get $context head] ne "side"
                    && [string match $pattern $chain]}
            }
        }]
        if {$wanted} {
            incr Places
            set steps [::pathmap::chain inject $steps $at $item]
        }
    }
    return $steps
}

# replace --
#
#   Put another stage in the place of those that match, or give them other
#   options.
#
#   Where the kind stays the same only what the item says changes: "proxy
#   -via tcp" keeps where each proxy leads to.  Where it changes, the whole
#   item is replaced.  A shared stage is changed where it is declared; its
#   -process, -inputs and -next stay.
#
# Arguments:
#   map     the map
#   pattern see [chain matches]
#   item    a stage, as a chain has it, or of a shared stage "reduce -op max"
#
# Results:
#   The map.  Throws {EVENTSPACE PATHMAP NOMATCH} when nothing matches.

proc ::pathmap::edit::replace {map pattern item} {
    variable Places 0
    CheckItem $item
    set index [::pathmap::chain index $map]
    set map [::pathmap::chain edit $map \
        [list [namespace current]::Replace $index $pattern $item]]
    foreach stage [dict keys [dict get $index stage]] {
        if {[::pathmap::chain matches $index $pattern $stage [list $stage]]} {
            incr Places
            set map [ReplaceShared $map $stage $item]
        }
    }
    return [Matched $map $pattern]
}

proc ::pathmap::edit::Replace {index pattern item context steps} {
    variable Places
    set chain [dict get $context chain]
    set at -1
    foreach step $steps {
        incr at
        set old [::pathmap::chain value $step]
        if {[::pathmap::chain shared $index $old] ne ""
            || ![::pathmap::chain matches $index $pattern $chain $old]} continue
        incr Places
        set new [Merge $old $item]
        if {$new ne $old} {
            lset steps $at [::pathmap::chain step $new [lindex $step 0]]
        }
    }
    return $steps
}

# What an item is when another says what changes.
proc ::pathmap::edit::Merge {old new} {
    if {[lindex $old 0] ne [lindex $new 0]} {
        return $new
    }
    lassign [Split [lrange $old 1 end]] plain options
    lassign [Split [lrange $new 1 end]] other changed
    if {[llength $other]} {
        set plain $other
    }
    return [list [lindex $old 0] {*}$plain {*}[dict merge $options $changed]]
}

# The words of a stage without options, and its options.
proc ::pathmap::edit::Split {words} {
    set plain {}
    set options {}
    while {[llength $words]} {
        set words [lassign $words word]
        if {[string index $word 0] eq "-"} {
            set words [lassign $words value]
            dict set options $word $value
        } else {
            lappend plain $word
        }
    }
    return [list $plain $options]
}

# Change the declaration of a shared stage.
proc ::pathmap::edit::ReplaceShared {map stage item} {
    set number [::pathmap::text find $map stage $stage]
    return [::pathmap::text put $map $number \
        [Declare [lindex [dict get $map lines] $number] $item]]
}

# The line of a shared stage with another kind or other options.
proc ::pathmap::edit::Declare {line item} {
    lassign [Split [lrange $item 1 end]] - changed
    if {[lindex $line 2] ne [lindex $item 0]} {
        foreach option [dict keys [::pathmap::line given $line]] {
            if {$option ni {-process -inputs -next}} {
                set line [::pathmap::line dropoption $line $option]
            }
        }
        set line [::pathmap::line setword $line 2 [lindex $item 0]]
    }
    dict for {option value} $changed {
        set line [::pathmap::line setoption $line $option $value]
    }
    return $line
}
