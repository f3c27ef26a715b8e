# instrument.tcl --
#
#   Collectors on the chains of a map: put them in, take them out.
#
#   A collector belongs in front of every item that is none itself.  So there
#   is one at the head of every path, one between two stages, and one behind
#   every shared stage, at the head of its tail, where it records the combined
#   operation.  A proxy has one on each side, in each of the two processes.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::text
package require pathmap::chain

namespace eval ::pathmap::instrument {
    namespace export instrument strip
    namespace import ::pathmap::errors::*

    # How many places the pattern of the call under way has meant.
    variable Places 0

    # The line that brings the stage {collector} into a program.
    variable Plugin {plugin libcollectors.so.0}
}
package provide pathmap::instrument 0.1

# instrument --
#
#   Put collectors on the chains of a map.
#
# Arguments:
#   map     the map
#   -where PATTERN  only beside the stages it means, see [chain matches]
#   -at all|head    everywhere, or only at the head of each path
#   -mode MODE      trace, profile, matrix or off
#   -keep N         tuples kept by each collector
#
# Results:
#   The map.  Places that have a collector keep the one they have.  Throws
#   {EVENTSPACE PATHMAP NOMATCH} when no place fits the pattern.

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
#   Take collectors off the chains of a map, and the line of their plugin when
#   none is left.
#
# Arguments:
#   map     the map
#   -where PATTERN  only beside the stages it means
#   -at all|head    everywhere, or only at the head of each path
#
# Results:
#   The map.  What [instrument] put into a map without collectors is taken
#   out exactly, provided that its chains stand in braces.

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
                    count $name $value 1
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

# Edit all chains of a map with Insert or Remove.
proc ::pathmap::instrument::Everywhere {what map options args} {
    variable Places 0
    set index [::pathmap::chain index $map]
    set map [::pathmap::chain edit $map \
        [list [namespace current]::$what $index $options {*}$args]]
    if {!$Places} {
        fail NOMATCH "[dict get $options -where]: no stage of the map matches"
    }
    return $map
}

proc ::pathmap::instrument::Insert {index options item context steps} {
    for {set at [expr {[llength $steps] - 1}]} {$at >= 0} {incr at -1} {
        if {[Wanted $index $options $context $steps $at]
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
        if {[Wanted $index $options $context $without $at]} {
            set steps $without
        }
    }
    return $steps
}

# Whether the options mean the place in front of an item; it is counted.
proc ::pathmap::instrument::Wanted {index options context steps at} {
    variable Places
    set chain [dict get $context chain]
    set pattern [dict get $options -where]
    if {[dict get $options -at] eq "head"
        && !($at == 0 && [dict get $context head] eq "path")} {
        return 0
    }
    set here [::pathmap::chain value [lindex $steps $at]]
    set wanted [expr {
        [::pathmap::chain matches $index $pattern $chain $here]
        || [::pathmap::chain beside $index $pattern $context $steps $at]}]
    incr Places $wanted
    return $wanted
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
            lappend items {*}[::pathmap::chain side $item]
        }
    }
    return 0
}

# The place of the plugin's line among the entries; -1 where it has none.
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
