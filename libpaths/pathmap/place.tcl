# place.tcl --
#
#   Applies a placement to a map: other hosts of processes, and other processes
#   and cores of threads.
#
#   A placement is a list of moves.  Each is a statement as in a map, with the
#   options that change:
#
#	host NAME -address ADDRESS
#	process NAME ?-host HOST? ?-listen {ENDPOINT ...}?
#	thread NAME ?-process PROCESS? ?-core N|any?
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::text
package require pathmap::chain
package require pathmap::reach
package require pathmap::move

namespace eval ::pathmap::place {
    namespace export idle moves numbered place
    namespace ensemble create
    namespace import ::pathmap::errors::*

    # Options of a move; it has one of them at least.
    variable Options {
        host    {-address}
        process {-host -listen}
        thread  {-process -core}
    }
}
package provide pathmap::place 0.1

# moves --
#
#   Reads the text of moves.  Empty lines and lines that begin with "#" are
#   ignored.
#
# Arguments:
#   text    the text
#   file    name of the text in messages
#
# Results:
#   A list of moves.  Throws {EVENTSPACE PATHMAP SYNTAX}.

proc ::pathmap::place::moves {text {file moves}} {
    return [dict values [numbered $text $file]]
}

# numbered --
#
#   As [moves], as a dictionary from the numbers of lines to moves.

proc ::pathmap::place::numbered {text file} {
    set moves {}
    set number 0
    foreach line [split $text \n] {
        incr number
        if {[regexp {^[ \t\r]*(#|$)} $line]} continue
        if {![string is list $line]} {
            fail SYNTAX "$file:$number: $line: expected a list, its braces\
                and quotes in pairs"
        }
        CheckMove $file:$number $line
        dict set moves $number [list {*}$line]
    }
    return $moves
}

proc ::pathmap::place::CheckMove {where words} {
    variable Options
    set options [lassign $words verb name]
    if {![dict exists $Options $verb]} {
        fail SYNTAX "$where: $verb: expected host, process or thread"
    }
    if {$name eq "" || [llength $options] == 0 || [llength $options] % 2} {
        fail SYNTAX "$where: $verb: expected a name, and options with values"
    }
    foreach {option value} $options {
        if {$option ni [dict get $Options $verb]} {
            fail SYNTAX "$where: $option: expected\
                [join [dict get $Options $verb] { or }]"
        }
        if {$option eq "-core" && $value ne "any"
            && ![regexp {^(0|[1-9][0-9]{0,8})$} $value]} {
            fail SYNTAX "$where: -core $value: expected a number, or any"
        }
    }
}

# idle --
#
#   Returns why a move of a host cannot change a map, and why any other move does
#   not.
#
# Arguments:
#   map     the map before all moves
#   move    see [moves]
#
# Results:
#   A text; empty if the move changes the map.

proc ::pathmap::place::idle {map move} {
    set options [lassign $move verb name]
    set index [::pathmap::chain index $map]
    if {![dict exists $index $verb $name]} {
        return {}
    }
    set words [dict get $index $verb $name]
    foreach {option value} $options {
        set has [::pathmap::line option $words $option]
        if {$option eq "-core" && $value eq "any"} {
            set value {}
        }
        if {$has eq $value} continue
        if {$verb ne "host"} {
            return {}
        }
        return "not changed: the map has the host, [expr {$has eq "" ?
            "without an address" : "with address $has"}]"
    }
    return "the map has this already"
}

# place --
#
#   Moves processes to hosts, and threads to processes and cores.
#
#   A process moves with its threads, joins and elements.  A thread that moves
#   to another process takes other joins, see [move].  A join that chains of
#   its own host entered before, and none does any more, follows to the process
#   that most chains come from, and so does an element behind it that no other
#   chain of its host enters.  A moved process listens on a port that the
#   launcher chooses if its own port belongs to an address or is taken.
#
# Arguments:
#   map     the map
#   moves   list of moves, see [moves]
#   -via V  transport of new proxies; default: as all others of the map
#
# Results:
#   The changed map.  Throws {EVENTSPACE PATHMAP NAME} when the map lacks a
#   process, thread or host, and {EVENTSPACE PATHMAP SHAPE} as [move] does.

proc ::pathmap::place::place {map moves args} {
    set via [dict get [options {-via {}} $args] -via]
    set before $map
    set map [AddHosts $map $moves]
    CheckNames [::pathmap::chain index $map] $moves
    set map [ChangeLines $map $moves]
    set map [ChangePorts $map [Moved $before $moves]]
    dict for {thread options} [Named $moves thread] {
        if {[dict exists $options -process]} {
            set map [::pathmap::move thread $map $thread \
                [dict get $options -process]]
        }
    }
    return [::pathmap::reach proxies [Follow $before $map] $via]
}

# Returns the options of the moves of one verb, by name.  The last value of an
# option counts.
proc ::pathmap::place::Named {moves verb} {
    set named {}
    foreach move $moves {
        set options [lassign $move word name]
        if {$word ne $verb} continue
        if {[dict exists $named $name]} {
            set options [dict merge [dict get $named $name] $options]
        }
        dict set named $name $options
    }
    return $named
}

# Returns the processes that get another host.
proc ::pathmap::place::Moved {map moves} {
    set index [::pathmap::chain index $map]
    set moved {}
    dict for {name options} [Named $moves process] {
        set words [::pathmap::chain lookup $index process $name]
        if {[dict exists $options -host]
            && [::pathmap::line option $words -host]
            ne [dict get $options -host]} {
            lappend moved $name
        }
    }
    return $moved
}

# Adds hosts that the map lacks, behind its last host.
proc ::pathmap::place::AddHosts {map moves} {
    set index [::pathmap::chain index $map]
    set last [lindex [dict keys [dict get $index host]] end]
    dict for {name options} [Named $moves host] {
        if {[dict exists $index host $name]} continue
        set line "host    [list $name] -address\
            [list [dict get $options -address]]"
        set at [::pathmap::text find $map host $last]
        if {$at < 0} {
            set at [::pathmap::text find $map pathmap 1]
        }
        set map [::pathmap::text add $map $at $line]
        set last $name
    }
    return $map
}

proc ::pathmap::place::CheckNames {index moves} {
    foreach move $moves {
        set options [lassign $move verb name]
        ::pathmap::chain lookup $index $verb $name
        foreach {option value} $options {
            if {$option in {-host -process}} {
                ::pathmap::chain lookup $index [string range $option 1 end] \
                    $value
            }
        }
    }
}

# Changes the hosts and endpoints of processes, and the cores of threads.
proc ::pathmap::place::ChangeLines {map moves} {
    set changed [dict create process [Named $moves process] \
        thread [Named $moves thread]]
    set lines [dict get $map lines]
    foreach statement [::pathmap::text numbered $map] {
        lassign $statement number words
        lassign $words verb name
        if {![dict exists $changed $verb $name]} continue
        set line [lindex $lines $number]
        foreach {option value} [dict get $changed $verb $name] {
            if {$option eq "-core" && $value eq "any"} {
                set line [::pathmap::line dropoption $line -core]
            } elseif {$option in {-core -host -listen}
                && [::pathmap::line option $words $option] ne $value} {
                set line [::pathmap::line setoption $line $option $value]
            }
        }
        lset lines $number $line
    }
    dict set map lines $lines
    return $map
}

# Changes endpoints of processes that moved: an address is that of another
# host, and a port may be taken on the new one.
proc ::pathmap::place::ChangePorts {map moved} {
    set index [::pathmap::chain index $map]
    set taken {}
    dict for {name words} [dict get $index process] {
        if {$name in $moved} continue
        foreach endpoint [::pathmap::line option $words -listen] {
            dict set taken [::pathmap::line option $words -host] \
                [Port $endpoint] 1
        }
    }
    foreach name $moved {
        set words [dict get $index process $name]
        set host [::pathmap::line option $words -host]
        set listen [::pathmap::line option $words -listen]
        set new [lmap endpoint $listen {
            set port [Port $endpoint]
            if {$port ne "" && ([regexp {^tcp:.*:} $endpoint]
                || [dict exists $taken $host $port])} {
                set endpoint tcp:0
            }
            dict set taken $host $port 1
            set endpoint
        }]
        if {$new ne $listen} {
            set map [::pathmap::text change $map process $name -listen $new]
        }
    }
    return $map
}

# Returns the port of an endpoint; "" for tcp:0 and sockets of files.
proc ::pathmap::place::Port {endpoint} {
    if {$endpoint eq "tcp:0"
        || ![regexp {^tcp:(?:.*:)?([0-9]+)$} $endpoint - port]} {
        return {}
    }
    return $port
}

# Moves joins after the threads that moved away from their hosts.
proc ::pathmap::place::Follow {before map} {
    set old [Entries $before]
    # A join may follow another one.
    for {set n [dict size [dict get [::pathmap::chain index $map] stage]]} \
        {$n > 0} {incr n -1} {
        set left [Left $old [Entries $map]]
        if {$left eq ""} break
        set map [MoveJoin $map {*}$left]
    }
    return $map
}

# Returns a join whose own host was left, and its new process; empty when there
# is none.
proc ::pathmap::place::Left {old new} {
    dict for {stage entry} $new {
        lassign $entry own processes
        if {$own || ![dict exists $old $stage]
            || ![lindex [dict get $old $stage] 0]} continue
        return [list $stage [Most $processes]]
    }
    return {}
}

# Returns the most frequent name of a list, the first of equals.
proc ::pathmap::place::Most {names} {
    set count {}
    foreach name $names {
        dict incr count $name
    }
    set best [lindex $names 0]
    dict for {name n} $count {
        if {$n > [dict get $count $best]} {
            set best $name
        }
    }
    return $best
}

# Returns, for each shared stage, whether a chain of its own host enters it, and
# the processes in which the chains that enter it begin.
proc ::pathmap::place::Entries {map} {
    set index [::pathmap::chain index $map]
    set entries {}
    foreach chain [::pathmap::chain all $map] {
        lassign $chain - process items
        set stage [::pathmap::chain shared $index [lindex $items end]]
        if {$stage eq ""} continue
        set home [::pathmap::line option [dict get $index stage $stage] \
            -process]
        set own 0
        set processes {}
        if {[dict exists $entries $stage]} {
            lassign [dict get $entries $stage] own processes
        }
        if {[::pathmap::reach::SameHost $index $process $home]} {
            set own 1
        }
        dict set entries $stage [list $own [lappend processes $process]]
    }
    return $entries
}

# Moves a join to a process, with the element behind it unless other chains of
# the element's host enter that.
proc ::pathmap::place::MoveJoin {map stage process} {
    set index [::pathmap::chain index $map]
    set words [dict get $index stage $stage]
    set end [lindex [::pathmap::line option $words -next] end]
    set map [::pathmap::text change $map stage $stage -process $process]
    if {[lindex $end 0] ne "element"} {
        return $map
    }
    set element [lindex $end 1]
    set home [::pathmap::line option \
        [::pathmap::chain lookup $index element $element] -process]
    if {$home ne [::pathmap::line option $words -process]} {
        return $map
    }
    foreach chain [::pathmap::chain all $map] {
        lassign $chain name from items
        if {$name ne $stage
            && [lrange [lindex $items end] 0 1] eq [list element $element]
            && [::pathmap::reach::SameHost $index $from $home]} {
            return $map
        }
    }
    return [::pathmap::text change $map element $element -process $process]
}
