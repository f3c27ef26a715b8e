# instrument.tcl --
#
#   Inserts collectors into the chains of a map and removes them.
#
#   A collector is inserted before every other item.  So there is one at the
#   head of every path, one between two stages, and one after every shared
#   stage: at the head of its tail, where it records the combined operation.
#   A proxy has one on each side, in each of the two processes.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::text
package require pathmap::chain

namespace eval ::pathmap::instrument {
    namespace export instrument strip
    namespace import ::pathmap::errors::*

    # Number of places that matched the pattern in the current call.
    variable Places 0

    # The line of a map that loads the stage {collector} into a program.
    variable Plugin {plugin libcollectors.so.0}
}
package provide pathmap::instrument 0.1

# instrument --
#
#   Inserts collectors into the chains of a map.
#
# Arguments:
#   map     the map
#   -where PATTERN  only before and after stages that match, see
#                   [chain matches]; default all stages
#   -at all|head    everywhere, or only at the head of each path
#   -mode MODE      trace, profile, matrix or off
#   -keep N         number of tuples that each collector retains
#
# Results:
#   The changed map.  A place that has a collector keeps it unchanged.  Throws
#   {EVENTSPACE PATHMAP NOMATCH} when no stage matches.

proc ::pathmap::instrument::instrument {map args} {
    set options [Options {-where * -at all -mode {} -keep {}} $args]
    set item collector
    foreach name {-mode -keep} {
        if {[dict get $options $name] ne ""} {
            lappend item $name [dict get $options $name]
        }
    }
    return [AddPlugin [Everywhere Insert $map $options $item]]
}

# strip --
#
#   Removes collectors from the chains of a map, and the line of their plugin
#   when no collector remains.
#
# Arguments:
#   map     the map
#   -where PATTERN  only before and after stages that match; default all
#   -at all|head    everywhere, or only at the head of each path
#
# Results:
#   The changed map.  Undoes [instrument] exactly if the map had no collectors
#   before and its chains are written in braces.

proc ::pathmap::instrument::strip {map args} {
    set options [Options {-where * -at all} $args]
    if {![HasCollector $map]} {
        return $map
    }
    set map [Everywhere Remove $map $options]
    if {![HasCollector $map]} {
        set map [RemovePlugin $map]
    }
    return $map
}

proc ::pathmap::instrument::Options {known given} {
    set options [options $known $given]
    dict for {name value} $options {
        switch -- $name {
            -at { OneOf $name $value {all head} }
            -mode { OneOf $name $value {{} trace profile matrix off} }
            -keep {
                if {$value ne ""} {
                    checkcount $name $value 1
                }
            }
        }
    }
    return $options
}

proc ::pathmap::instrument::OneOf {name value known} {
    if {$value ni $known} {
        fail USAGE "$name $value: expected [join [concat {*}$known] { or }]"
    }
}

# Edits all chains of a map with the procedure Insert or Remove.
proc ::pathmap::instrument::Everywhere {procedure map options args} {
    variable Places 0
    set index [::pathmap::chain index $map]
    set map [::pathmap::chain edit $map \
        [list [namespace current]::$procedure $index $options {*}$args]]
    if {!$Places} {
        fail NOMATCH "[dict get $options -where]: no stage of the map matches"
    }
    return $map
}

proc ::pathmap::instrument::Insert {index options item context steps} {
    for {set at [expr {[llength $steps] - 1}]} {$at >= 0} {incr at -1} {
        if {[Selected $index $options $context $steps $at]
            && ![IsCollector $steps $at]
            && ![IsCollector $steps [expr {$at - 1}]]} {
            set steps [::pathmap::chain inject $steps $at $item]
        }
    }
    return $steps
}

proc ::pathmap::instrument::Remove {index options context steps} {
    for {set at [expr {[llength $steps] - 1}]} {$at >= 0} {incr at -1} {
        if {![IsCollector $steps $at]} continue
        set without [::pathmap::chain take $steps $at]
        if {[Selected $index $options $context $without $at]} {
            set steps $without
        }
    }
    return $steps
}

# Tells whether the options select the place before an item, and counts the
# place in Places.
proc ::pathmap::instrument::Selected {index options context steps at} {
    variable Places
    set chain [dict get $context chain]
    set pattern [dict get $options -where]
    if {[dict get $options -at] eq "head"
        && !($at == 0 && [dict get $context head] eq "path")} {
        return 0
    }
    set here [::pathmap::chain value [lindex $steps $at]]
    set selected [expr {
        [::pathmap::chain matches $index $pattern $chain $here]
        || [::pathmap::chain beside $index $pattern $context $steps $at]}]
    incr Places $selected
    return $selected
}

proc ::pathmap::instrument::IsCollector {steps at} {
    set item [::pathmap::chain value [lindex $steps $at]]
    return [expr {[lindex $item 0] eq "collector"}]
}

proc ::pathmap::instrument::HasCollector {map} {
    foreach chain [::pathmap::chain all $map] {
        set items [lindex $chain 2]
        while {[llength $items]} {
            set items [lassign $items item]
            if {[lindex $item 0] eq "collector"} {
                return 1
            }
            lappend items {*}[concat {*}[::pathmap::chain sides $item]]
        }
    }
    return 0
}

# Returns the index of the plugin's line among the entries; -1 without one.
proc ::pathmap::instrument::PluginAt {map} {
    foreach statement [::pathmap::text numbered $map] {
        lassign $statement number words
        if {[string match {plugin *libcollectors.so*} [list {*}$words]]} {
            return $number
        }
    }
    return -1
}

proc ::pathmap::instrument::AddPlugin {map} {
    variable Plugin
    if {[PluginAt $map] < 0} {
        set first [lindex [::pathmap::text numbered $map] 0 0]
        return [::pathmap::text add $map $first $Plugin]
    }
    return $map
}

proc ::pathmap::instrument::RemovePlugin {map} {
    set at [PluginAt $map]
    if {$at >= 0} {
        return [::pathmap::text drop $map $at]
    }
    return $map
}
