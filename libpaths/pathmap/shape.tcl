# shape.tcl --
#
#   The tree of joins through which threads reach a collective element.
#
#   Threads of one process enter one flat join in that process, because this
#   is the fastest way within a process.  The shape describes the joins of
#   processes after these local joins.  A join of several processes is in the
#   element's process if that is one of them, else in the first of them.  [Root]
#   chooses the process of the root.
#
#   A node is {thread NAME PROCESS} or {join PROCESS NODES}.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors

namespace eval ::pathmap::shape {
    namespace export tree joins leaves
    namespace ensemble create
    namespace import ::pathmap::errors::*
}
package provide pathmap::shape 0.1

# tree --
#
#   Builds the tree of joins of one element.
#
# Arguments:
#   shape   flat (one root over all processes), binary, kary, host (one join
#           for the processes of each host, then the root), or a nested list
#           of the processes or threads to join: {{p0 p1} {p2 p3}}
#   k       most inputs of a join of shape kary
#   threads the users of the element in order: a list of {NAME PROCESS HOST}
#   home    process of the element
#
# Results:
#   The root, a join.  Throws {EVENTSPACE PATHMAP SHAPE} unless a nested list
#   has every thread exactly once.

proc ::pathmap::shape::tree {shape k threads home} {
    if {$shape eq "binary"} {
        set shape kary
        set k 2
    }
    switch -- $shape {
        flat { set root [Group [Local $threads] $home] }
        kary { set root [Kary [Local $threads] $k $home] }
        host { set root [Hosts $threads $home] }
        default { set root [Explicit $shape $threads $home] }
    }
    return [Root $root $home]
}

# joins --
#
#   Returns the number of joins of a tree.

proc ::pathmap::shape::joins {node} {
    if {[lindex $node 0] eq "thread"} {
        return 0
    }
    set count 1
    foreach child [lindex $node 2] {
        incr count [joins $child]
    }
    return $count
}

# leaves --
#
#   Returns the names of the threads of a tree, in order.

proc ::pathmap::shape::leaves {node} {
    if {[lindex $node 0] eq "thread"} {
        return [list [lindex $node 1]]
    }
    return [concat {*}[lmap child [lindex $node 2] { leaves $child }]]
}

# Returns the process of a node.
proc ::pathmap::shape::ProcessOf {node} {
    if {[lindex $node 0] eq "thread"} {
        return [lindex $node 2]
    }
    return [lindex $node 1]
}

# Returns a node for each process with threads: a join, or its only thread.
proc ::pathmap::shape::Local {threads} {
    set members {}
    foreach thread $threads {
        lassign $thread name process
        dict lappend members $process [list thread $name $process]
    }
    return [lmap {process nodes} $members { Group $nodes $process }]
}

# Returns a join of several nodes, or the node when there is only one.
proc ::pathmap::shape::Group {nodes home} {
    if {[llength $nodes] == 1} {
        return [lindex $nodes 0]
    }
    set processes [lmap node $nodes { ProcessOf $node }]
    if {$home ni $processes} {
        set home [lindex $processes 0]
    }
    return [list join $home $nodes]
}

proc ::pathmap::shape::Kary {nodes k home} {
    while {[llength $nodes] > 1} {
        set level {}
        for {set i 0} {$i < [llength $nodes]} {incr i $k} {
            set last [expr {$i + $k - 1}]
            lappend level [Group [lrange $nodes $i $last] $home]
        }
        set nodes $level
    }
    return [lindex $nodes 0]
}

proc ::pathmap::shape::Hosts {threads home} {
    set members {}
    foreach thread $threads {
        dict lappend members [lindex $thread 2] $thread
    }
    set nodes [lmap {host users} $members { Group [Local $users] $home }]
    return [Group $nodes $home]
}

# Returns the tree that a nested list describes.
proc ::pathmap::shape::Explicit {shape threads home} {
    if {![string is list $shape]} {
        fail SHAPE "shape $shape: expected a list"
    }
    set node [Nested $shape $threads $home]
    set all [lmap thread $threads { lindex $thread 0 }]
    if {[lsort [leaves $node]] ne [lsort $all]} {
        fail SHAPE "shape {$shape}: expected each of $all once"
    }
    return $node
}

proc ::pathmap::shape::Nested {shape threads home} {
    if {[llength $shape] > 1} {
        return [Group [lmap part $shape { Nested $part $threads $home }] $home]
    }
    set name [lindex $shape 0]
    if {$name ne $shape} {
        return [Nested $name $threads $home]
    }
    set node [lsearch -inline -exact -index 0 $threads $name]
    if {$node ne ""} {
        return [list thread {*}[lrange $node 0 1]]
    }
    set members [lsearch -all -inline -exact -index 1 $threads $name]
    if {$members eq ""} {
        fail SHAPE "shape: $name: expected flat, binary, kary, host, or\
            processes and threads that use the element"
    }
    return [lindex [Local $members] 0]
}

# Moves the root to the process of the element, unless all its inputs come
# from one process: then the root stays there, and only its result travels.
proc ::pathmap::shape::Root {node home} {
    if {[lindex $node 0] eq "thread"} {
        return [list join $home [list $node]]
    }
    set processes [lmap child [lindex $node 2] { ProcessOf $child }]
    if {[llength [lsort -unique $processes]] > 1} {
        lset node 1 $home
    }
    return $node
}
