# move.tcl --
#
#   Moves threads, elements and joins to other processes.
#
#   The map stays valid: proxies are adapted to the new processes, and -inputs
#   is set to the number of chains that enter.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::text
package require pathmap::chain
package require pathmap::reach

namespace eval ::pathmap::move {
    namespace export move reroot thread
    namespace ensemble create
    namespace import ::pathmap::errors::*
}
package provide pathmap::move 0.1

# move --
#
#   Moves a thread, an element or a shared stage to another process.
#
#   A moved thread enters the join of its new process.  If that process has
#   another thread of the same tree but no join, the two threads get a new
#   join.  If it has no such thread, the moved thread leaves a join that was
#   local to its old process and enters the next join of the tree.  A join
#   without inputs is removed.  The -core of the thread is not changed.
#
# Arguments:
#   map     the map
#   verb    thread, element or stage
#   name    name of the thing
#   process name of its new process
#   -via V  transport of new proxies; default: as all others of the map
#
# Results:
#   The changed map.  Throws {EVENTSPACE PATHMAP NAME} when the thing or the
#   process does not exist.  Throws {EVENTSPACE PATHMAP SHAPE} when the join
#   is a gather, allgather or scatter, because its inputs have fixed parts.

proc ::pathmap::move::move {map verb name process args} {
    set via [dict get [options {-via {}} $args] -via]
    if {$verb ni {thread element stage}} {
        fail USAGE "$verb: expected thread, element or stage"
    }
    set index [::pathmap::chain index $map]
    ::pathmap::chain lookup $index process $process
    set words [::pathmap::chain lookup $index $verb $name]
    if {[::pathmap::line option $words -process] eq $process} {
        return $map
    }
    if {$verb eq "thread"} {
        set map [thread $map $name $process]
    } else {
        set map [::pathmap::text change $map $verb $name -process $process]
    }
    return [::pathmap::reach proxies $map $via]
}

# thread --
#
#   Moves a thread as [move] does, and leaves all proxies as they are.

proc ::pathmap::move::thread {map name process} {
    set index [::pathmap::chain index $map]
    set words [::pathmap::chain lookup $index thread $name]
    set from [::pathmap::line option $words -process]
    if {$from eq $process} {
        return $map
    }
    set map [::pathmap::text change $map thread $name -process $process]
    foreach path [dict keys [dict get $index path]] {
        if {[string match $name/* $path]} {
            set map [Rejoin $map $path $from $process]
        }
    }
    return $map
}

# reroot --
#
#   Moves a collective element and its root to another process.  The root is
#   the join whose tail ends at the element; it stays where it is when all its
#   inputs come from one process.
#
# Arguments:
#   map     the map
#   element name of the element
#   process name of its new process
#   -via V  transport of new proxies; default: as all others of the map
#
# Results:
#   The changed map.  Throws {EVENTSPACE PATHMAP NAME}, and {EVENTSPACE
#   PATHMAP NOMATCH} when no join leads to the element.

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

# Returns the processes from which chains enter a shared stage, each once.
proc ::pathmap::move::Sources {map stage} {
    set processes {}
    foreach chain [Entering $map $stage] {
        lappend processes [lindex $chain 1]
    }
    return [lsort -unique $processes]
}

# Returns the chains that enter a shared stage, in the form of [chain all].
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

# Redirects a path whose thread was moved to a join near its new process.
proc ::pathmap::move::Rejoin {map path from process} {
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
    if {$kind in {gather allgather scatter}} {
        fail SHAPE "path $path: expected no $kind on it:\
            the inputs of stage $old have fixed parts; generate the map anew"
    }
    set map [Redirect $map $path $new]
    return [SetInputs [SetInputs $map $new] $old]
}

# Tells whether all chains that enter a shared stage begin in its process.
# `from` holds the old process of a moved path.
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

# Returns the shared stage that a path or the tail of a stage leads to; empty
# when it leads to none.
proc ::pathmap::move::Next {index verb name} {
    set words [dict get $index $verb $name]
    set chain [lindex $words 3]
    if {$verb eq "stage"} {
        set chain [::pathmap::line option $words -next]
    }
    return [::pathmap::chain shared $index [lindex $chain end]]
}

# Returns the last shared stage on the way of an operation after this one.
proc ::pathmap::move::Last {index stage} {
    # A map that was not checked may contain a cycle.
    set seen {}
    while {$stage ni $seen && [set next [Next $index stage $stage]] ne ""} {
        lappend seen $stage
        set stage $next
    }
    return $stage
}

# Finds another thread of a process in the same tree of joins.
#
# Results:
#   {PATH STAGE}: the path of the other thread, and the join that the path
#   enters in the thread's process.  STAGE is empty when it enters no join
#   there; the list is empty when there is no other thread.
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

# Adds a join between a path and the shared stage that the path leads to.  The
# new join has the kind and the options of the join `like`.
#
# Results:
#   {MAP NAME} with the name of the new join.
proc ::pathmap::move::AddJoin {map index like path} {
    lassign [dict get $index path $path] - thread element
    set process [::pathmap::line option \
        [dict get $index thread $thread] -process]
    set name [NewName $index $element]
    set next [Next $index path $path]
    set words [dict get $index stage $like]
    set line "stage   [list $name [lindex $words 2] -process $process]"
    dict for {option value} [::pathmap::line given $words] {
        if {$option ni {-process -inputs -next}} {
            append line " " [list $option $value]
        }
    }
    set head [lindex [::pathmap::line option $words -next] 0]
    set chain "{$next}"
    if {[lindex $head 0] eq "collector"} {
        set chain "{$head} $chain"
    }
    append line " -inputs 1 -next {$chain}"
    set map [::pathmap::text add $map \
        [::pathmap::text find $map stage $like] $line]
    return [list [Redirect $map $path $name] $name]
}

# Returns an unused name for a join of an element.
proc ::pathmap::move::NewName {index element} {
    set n 1
    while {[dict exists $index stage $element.$n]} {
        incr n
    }
    return $element.$n
}

# Makes a path end at another shared stage.
proc ::pathmap::move::Redirect {map path stage} {
    return [::pathmap::chain edit $map \
        [list [namespace current]::RedirectChain $path $stage]]
}

proc ::pathmap::move::RedirectChain {path stage context steps} {
    if {[dict get $context chain] eq $path
        && [dict get $context head] eq "path"} {
        lset steps end \
            [::pathmap::chain step $stage [lindex $steps end 0]]
    }
    return $steps
}

# Sets -inputs of a shared stage to the number of chains that enter.  Removes
# the stage when no chain enters, and then updates the stage after it.
proc ::pathmap::move::SetInputs {map stage} {
    set inputs [llength [Entering $map $stage]]
    if {$inputs} {
        return [::pathmap::text change $map stage $stage -inputs $inputs]
    }
    set next [Next [::pathmap::chain index $map] stage $stage]
    set map [::pathmap::text drop $map [::pathmap::text find $map stage $stage]]
    if {$next ne ""} {
        set map [SetInputs $map $next]
    }
    return $map
}
