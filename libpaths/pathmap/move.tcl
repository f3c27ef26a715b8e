# move.tcl --
#
#   Threads, elements and joins go to other processes, and the map stays
#   whole: proxies lead where things are now, and -inputs count what enters.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::text
package require pathmap::chain
package require pathmap::reach

namespace eval ::pathmap::move {
    namespace export move reroot
    namespace ensemble create
    namespace import ::pathmap::errors::*
}
package provide pathmap::move 0.1

# move --
#
#   Move a thread, an element or a shared stage to another process.
#
#   A thread that enters a join enters the join of its new process instead;
#   where another thread is alone there, they get a join of their own; where
#   none is, it enters the next join of the tree.  A join that nobody enters
#   any more goes away.  A core that the thread is bound to stays as it is.
#
# Arguments:
#   map     the map
#   verb    thread, element or stage
#   name    which
#   process where to
#   -via V  how new proxies go; otherwise as all others of the map do
#
# Results:
#   The map.  Throws {EVENTSPACE PATHMAP NAME} where there is no such thing or
#   process, {EVENTSPACE PATHMAP SHAPE} where the join is a gather or scatter,
#   whose inputs have their fixed part.

proc ::pathmap::move::move {map verb name process args} {
    set via [dict get [options {-via {}} $args] -via]
    if {$verb ni {thread element stage}} {
        fail USAGE "$verb: expected thread, element or stage"
    }
    set index [::pathmap::chain index $map]
    ::pathmap::chain lookup $index process $process
    set words [::pathmap::chain lookup $index $verb $name]
    set from [::pathmap::line option $words -process]
    if {$from eq $process} {
        return $map
    }
    set map [::pathmap::text change $map $verb $name -process $process]
    if {$verb eq "thread"} {
        foreach path [dict keys [dict get $index path]] {
            if {[string match $name/* $path]} {
                set map [Reenter $map $path $from $process]
            }
        }
    }
    return [::pathmap::reach proxies $map $via]
}

# reroot --
#
#   Move a collective element to another process, and its root with it: the
#   join whose tail ends at the element.  A root that only threads of its own
#   process enter stays with them.
#
# Arguments:
#   map     the map
#   element its name
#   process where to
#   -via V  how new proxies go; otherwise as all others of the map do
#
# Results:
#   The map.  Throws {EVENTSPACE PATHMAP NAME}, and {EVENTSPACE PATHMAP
#   NOMATCH} where no join leads to the element.

proc ::pathmap::move::reroot {map element process args} {
    set via [dict get [options {-via {}} $args] -via]
    set index [::pathmap::chain index $map]
    ::pathmap::chain lookup $index process $process
    ::pathmap::chain lookup $index element $element
    set roots {}
    foreach chain [::pathmap::chain all $map] {
        lassign $chain name - items
        if {[dict exists $index stage $name]
            && [lrange [lindex $items end] 0 1] eq [list element $element]} {
            lappend roots $name
        }
    }
    if {$roots eq ""} {
        fail NOMATCH "element $element: no join leads to it"
    }
    set map [::pathmap::text change $map element $element -process $process]
    foreach root $roots {
        if {[llength [Sources $map $root]] > 1} {
            set map [::pathmap::text change $map stage $root \
                -process $process]
        }
    }
    return [::pathmap::reach proxies $map $via]
}

# The processes from which chains enter a shared stage, each once.
proc ::pathmap::move::Sources {map stage} {
    set processes {}
    foreach chain [Entering $map $stage] {
        lappend processes [lindex $chain 1]
    }
    return [lsort -unique $processes]
}

# The chains that enter a shared stage, as [chain all] has them.
proc ::pathmap::move::Entering {map stage} {
    set index [::pathmap::chain index $map]
    set entering {}
    foreach chain [::pathmap::chain all $map] {
        set end [lindex $chain 2 end]
        if {[::pathmap::chain shared $index $end] eq $stage} {
            lappend entering $chain
        }
    }
    return $entering
}

# Let a path whose thread was moved enter the joins where it is now.
proc ::pathmap::move::Reenter {map path from process} {
    set index [::pathmap::chain index $map]
    set old [Next $index path $path]
    if {$old eq ""} {
        return $map
    }
    lassign [Neighbour $map $index $path $old $process] other new
    if {$other ne "" && $new eq ""} {
        lassign [AddJoin $map $index $old $other] map new
    }
    if {$new eq "" && [IsLocal $map $old [dict create $path $from]]} {
        set new [Next $index stage $old]
    }
    if {$new in [list {} $old]} {
        return $map
    }
    set kind [lindex [dict get $index stage $old] 2]
    if {$kind in {gather scatter}} {
        fail SHAPE "path $path: expected no $kind on it:\
            the inputs of stage $old have fixed parts; generate the map anew"
    }
    set map [Turn $map $path $new]
    return [Count [Count $map $new] $old]
}

# Whether all chains that enter a shared stage begin in its process; `from`
# says of a path that was moved where it began.
proc ::pathmap::move::IsLocal {map stage from} {
    set words [dict get [::pathmap::chain index $map] stage $stage]
    set home [::pathmap::line option $words -process]
    foreach chain [Entering $map $stage] {
        lassign $chain name process
        if {[dict exists $from $name]} {
            set process [dict get $from $name]
        }
        if {$process ne $home} {
            return 0
        }
    }
    return 1
}

# The shared stage that a path or the tail of a stage leads to, or nothing.
proc ::pathmap::move::Next {index verb name} {
    set words [dict get $index $verb $name]
    set chain [lindex $words 3]
    if {$verb eq "stage"} {
        set chain [::pathmap::line option $words -next]
    }
    return [::pathmap::chain shared $index [lindex $chain end]]
}

# The last shared stage that an operation comes to after one.
proc ::pathmap::move::Last {index stage} {
    # A map that was not checked may lead in circles.
    set seen {}
    while {$stage ni $seen && [set next [Next $index stage $stage]] ne ""} {
        lappend seen $stage
        set stage $next
    }
    return $stage
}

# Who of a process is in the same tree of joins already.
#
# Results:
#   {PATH STAGE}: the path of another thread there and, where it enters a join
#   in its own process, that join; both empty where there is no other.
proc ::pathmap::move::Neighbour {map index path old process} {
    set root [Last $index $old]
    set found {}
    foreach chain [::pathmap::chain all $map] {
        lassign $chain name from items
        if {$from ne $process || $name eq $path
            || ![dict exists $index path $name]} continue
        set stage [::pathmap::chain shared $index [lindex $items end]]
        if {$stage eq "" || [Last $index $stage] ne $root} continue
        set words [dict get $index stage $stage]
        if {[::pathmap::line option $words -process] eq $process} {
            return [list $name $stage]
        }
        set found [list $name {}]
    }
    return $found
}

# Put a join of the same kind as another between a path and what it enters.
#
# Results:
#   {MAP NAME} with the name of the new join.
proc ::pathmap::move::AddJoin {map index like path} {
    lassign [dict get $index path $path] - thread element
    set process [::pathmap::line option \
        [dict get $index thread $thread] -process]
    set name [NewName $index $element]
    set next [Next $index path $path]
    set kept [dict get $index stage $like]
    set line "stage   [list $name [lindex $kept 2] -process $process]"
    dict for {option value} [::pathmap::line given $kept] {
        if {$option ni {-process -inputs -next}} {
            append line " " [list $option $value]
        }
    }
    set head [lindex [::pathmap::line option $kept -next] 0]
    set chain "{$next}"
    if {[lindex $head 0] eq "collector"} {
        set chain "{$head} $chain"
    }
    append line " -inputs 1 -next {$chain}"
    set map [::pathmap::text add $map \
        [::pathmap::text find $map stage $like] $line]
    return [list [Turn $map $path $name] $name]
}

# A name for a join of an element that no stage has.
proc ::pathmap::move::NewName {index element} {
    set n 1
    while {[dict exists $index stage $element.$n]} {
        incr n
    }
    return $element.$n
}

# Let a path enter another shared stage.
proc ::pathmap::move::Turn {map path stage} {
    return [::pathmap::chain edit $map \
        [list [namespace current]::TurnChain $path $stage]]
}

proc ::pathmap::move::TurnChain {path stage context steps} {
    if {[dict get $context chain] eq $path
        && [dict get $context head] eq "path"} {
        lset steps end \
            [::pathmap::chain step $stage [lindex $steps end 0]]
    }
    return $steps
}

# Let -inputs of a shared stage say how many chains enter.  One that nobody
# enters goes away, and what it entered is counted in turn.
proc ::pathmap::move::Count {map stage} {
    set inputs [llength [Entering $map $stage]]
    if {$inputs} {
        return [::pathmap::text change $map stage $stage -inputs $inputs]
    }
    set next [Next [::pathmap::chain index $map] stage $stage]
    set map [::pathmap::text drop $map [::pathmap::text find $map stage $stage]]
    if {$next ne ""} {
        set map [Count $map $next]
    }
    return $map
}
