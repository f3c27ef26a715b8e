# edit.tcl --
#
#   Inserts and replaces stages on chains, and changes their options.
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

    # Number of places that matched the pattern in the current call.
    variable Places 0
}
package provide pathmap::edit 0.1

# insert --
#
#   Inserts a stage into chains.
#
# Arguments:
#   map     the map
#   where   before or after: next to each stage that matches; head: at the
#           head of each chain that matches
#   pattern see [chain matches]; with head, a pattern for names of chains:
#           THREAD/ELEMENT, or a shared stage for its tail
#   item    the stage as written in a chain: "delay 1ms"
#
# Results:
#   The changed map.  A stage inserted after a shared stage is at the head of
#   its tail.  Throws {EVENTSPACE PATHMAP NOMATCH} when nothing matches.

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
        set matched [switch -- $where {
            before { ::pathmap::chain matches $index $pattern $chain $here }
            after {
                ::pathmap::chain beside $index $pattern $context $steps $at
            }
            head {
                expr {$at == 0 && [dict get $context head] ne "side"
                    && [string match $pattern $chain]}
            }
        }]
        if {$matched} {
            incr Places
            set steps [::pathmap::chain inject $steps $at $item]
        }
    }
    return $steps
}

# replace --
#
#   Replaces each stage that matches, or changes its options.
#
#   When the kind of stage is the same, only words and options given in item
#   change: "proxy -via tcp" keeps the process of each proxy.  When the kind
#   differs, the whole item is replaced.  The declaration of a shared stage
#   is changed in the same way; its -process, -inputs and -next stay.
#
# Arguments:
#   map     the map
#   pattern see [chain matches]
#   item    the new stage, as written in a chain; for a shared stage, kind and
#           options: "reduce -op max"
#
# Results:
#   The changed map.  Throws {EVENTSPACE PATHMAP NOMATCH} when nothing
#   matches.

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

# Returns an item with the changes that another item gives.
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

# Splits the words of a stage into plain words and a dictionary of options.
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

# Changes the declaration of a shared stage.
proc ::pathmap::edit::ReplaceShared {map stage item} {
    set number [::pathmap::text find $map stage $stage]
    return [::pathmap::text put $map $number \
        [Declare [lindex [dict get $map lines] $number] $item]]
}

# Returns the line of a shared stage with another kind or other options.
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
