# generate.tcl --
#
#   Generates a path map from a spec.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::text
package require pathmap::spec
package require pathmap::shape
package require pathmap::reach

namespace eval ::pathmap::generate {
    namespace export generate
    namespace import ::pathmap::errors::*
}
package provide pathmap::generate 0.1

# generate --
#
#   Generates a map.
#
# Arguments:
#   spec      the three mappings
#   -via V    transport of proxies: auto, shm, unix or tcp; default auto
#   -shape S  shape of joins: flat, binary, kary, host, or a nested list, see
#             [shape tree]; default flat
#   -k N      most inputs of a join of shape kary; default 4
#   -file F   name of the map in messages; default map
#
#   -via, -shape and -k are for elements whose definition does not give them.
#
# Results:
#   A map.  Throws {EVENTSPACE PATHMAP SPEC} or {EVENTSPACE PATHMAP SHAPE}.

proc ::pathmap::generate::generate {spec args} {
    set defaults [options \
        {-via auto -shape flat -k 4 -file map} $args]
    checkcount -k [dict get $defaults -k] 2
    if {[dict get $defaults -via] ni {auto shm unix tcp}} {
        fail USAGE "-via [dict get $defaults -via]:\
            expected auto, shm, unix or tcp"
    }
    set spec [Complete $spec $defaults]
    set lines [list {pathmap 1} {*}[Things $spec]]
    foreach element [dict keys [dict get $spec element]] {
        lappend lines {*}[Paths $spec $element]
    }
    return [::pathmap::reach listen [::pathmap::text parse \
        [join $lines \n]\n [dict get $defaults -file]]]
}

# Checks that names resolve, fills in defaults and cores, and adds "users":
# the threads that use each element.
proc ::pathmap::generate::Complete {spec defaults} {
    set users {}
    foreach {word option target} {process -host host thread -process process} {
        dict for {name options} [dict get $spec $word] {
            CheckName $spec "$word $name" $target [dict get $options $option]
        }
    }
    dict for {path -} [dict get $spec use] {
        lassign $path thread element
        CheckName $spec "use $thread $element" element $element
        dict lappend users $element $thread
        if {[dict get $spec element $element -process] eq ""} {
            dict set spec element $element -process \
                [dict get $spec thread $thread -process]
        }
    }
    dict for {name options} [dict get $spec element] {
        if {![dict exists $users $name]} {
            fail SPEC "element $name: no thread uses it"
        }
        CheckName $spec "element $name" process [dict get $options -process]
        foreach option {-via -shape -k} {
            if {[dict get $options $option] eq ""} {
                dict set spec element $name $option \
                    [dict get $defaults $option]
            }
        }
    }
    dict set spec users $users
    return [Cores $spec]
}

# Throws when nothing of a kind has this name; subject is the definition that
# uses the name.
proc ::pathmap::generate::CheckName {spec subject word name} {
    if {![dict exists $spec $word $name]} {
        return -level 2 -code error -errorcode {EVENTSPACE PATHMAP SPEC} \
            "$subject: there is no $word \"$name\""
    }
}

# Gives each thread with -core auto the next core of its host.
proc ::pathmap::generate::Cores {spec} {
    set next {}
    dict for {name options} [dict get $spec thread] {
        if {[dict get $options -core] ne "auto"} continue
        set host [dict get $spec process [dict get $options -process] -host]
        if {![dict exists $next $host]} {
            dict set next $host 0
            dict set cores $host \
                [CoreCount [dict get $spec host $host -topology]]
        }
        set core [dict get $next $host]
        if {[dict get $cores $host]} {
            set core [expr {$core % [dict get $cores $host]}]
        }
        dict set spec thread $name -core $core
        dict incr next $host
    }
    return $spec
}

# Returns the number of cores of a topology; 0 when no topology is given.
proc ::pathmap::generate::CoreCount {topology} {
    if {$topology eq ""} {
        return 0
    }
    if {[regexp {^[1-9][0-9]{0,8}$} $topology]} {
        return $topology
    }
    if {[catch {open $topology r} channel]} {
        fail SPEC "topology $topology: cannot be read"
    }
    set xml [read $channel]
    close $channel
    foreach type {Core PU} {
        set count [regexp -all "<object\[^>\]* type=\"$type\"" $xml]
        if {$count} {
            return $count
        }
    }
    fail SPEC "topology $topology: expected hwloc's XML\
        with cores"
}

# Returns the lines of hosts, processes, threads and elements.
proc ::pathmap::generate::Things {spec} {
    set lines {}
    foreach {word known} {
        host    -address
        process {-host -listen -space}
        thread  {-process -core}
        element {-process -type -keep -full -take}
    } {
        dict for {name options} [dict get $spec $word] {
            set line "[format %-7s $word] $name"
            foreach option $known {
                if {[dict get $options $option] ne ""} {
                    append line " " \
                        [list $option [dict get $options $option]]
                }
            }
            lappend lines $line
        }
    }
    return $lines
}

proc ::pathmap::generate::SameHost {spec from to} {
    return [expr {[dict get $spec process $from -host]
        eq [dict get $spec process $to -host]}]
}

# Returns the lines of all paths to one element, and of its joins.
proc ::pathmap::generate::Paths {spec element} {
    set o [dict get $spec element $element]
    set users [lmap thread [dict get $spec users $element] {
        set process [dict get $spec thread $thread -process]
        list $thread $process [dict get $spec process $process -host]
    }]
    set home [list [dict get $o -process] [list element $element]]
    if {[dict get $o -join] ne ""} {
        checkcount "element $element: -k" [dict get $o -k] 2
        set tree [::pathmap::shape tree [dict get $o -shape] \
            [dict get $o -k] $users [lindex $home 0]]
        set part [PartType $element $o [llength $users]]
        return [Joins $spec $element $part $tree {0 0} $home]
    }
    return [lmap user $users {
        Path $spec $element [lindex $user 0] $home
    }]
}

# Returns the lines of one node of a tree of joins and of all nodes below it.
# Children come first, so the inputs of a join follow the order of threads.
#
# Arguments:
#   spec, element
#   part   type of a thread's part of the element's tuples
#   node   a node as shape.tcl describes it
#   done   {JOINS THREADS} of the element that earlier lines declare
#   next   {PROCESS ITEM} that the node leads to
proc ::pathmap::generate::Joins {spec element part node done next} {
    if {[lindex $node 0] eq "thread"} {
        return [list [Path $spec $element [lindex $node 1] $next]]
    }
    lassign $node - process children
    lassign $done joins threads
    set name $element.[expr {$joins + [::pathmap::shape joins $node]}]
    set lines {}
    foreach child $children {
        lappend lines {*}[Joins $spec $element $part $child \
            [list $joins $threads] [list $process $name]]
        incr joins [::pathmap::shape joins $child]
        incr threads [llength [::pathmap::shape leaves $child]]
    }
    lappend lines [Join $spec $element $name \
        [Parts $spec $element $part $children [lindex $done 1]] $node $next]
    return $lines
}

proc ::pathmap::generate::Join {spec element name parts node next} {
    set o [dict get $spec element $element]
    lassign $node - process children
    set words [list $name [dict get $o -join] -process $process]
    if {[dict get $o -op] ne ""} {
        lappend words -op [dict get $o -op]
    }
    lappend words {*}$parts -inputs [llength $children]
    return "[format %-7s stage] $words -next\
        [Chain [Hop $spec $process $next [dict get $o -via]]]"
}

proc ::pathmap::generate::Path {spec element thread next} {
    lassign [dict get $spec use [list $thread $element]] - use - with
    set process [dict get $spec thread $thread -process]
    set via [dict get $spec element $element -via]
    set line "[format %-7s path] [list $thread $element]\
        [Chain [concat $with [Hop $spec $process $next $via]]]"
    if {$use ne "any"} {
        append line " -use $use"
    }
    return $line
}

# Returns the items that lead from a process to next, {PROCESS ITEM}: the item
# itself, after a proxy when it is in another process.
proc ::pathmap::generate::Hop {spec from next via} {
    lassign $next to item
    if {$from eq $to} {
        return [list $item]
    }
    if {$via in {shm unix} && ![SameHost $spec $from $to]} {
        fail SPEC "-via $via: processes $from and $to are on\
            different hosts"
    }
    set proxy [list proxy $to]
    if {$via ne "auto"} {
        lappend proxy -via $via
    }
    return [list $proxy $item]
}

# Returns a chain as a word of a line, each item in braces.
proc ::pathmap::generate::Chain {items} {
    return "{[join [lmap item $items { string cat "{" $item "}" }]]}"
}

# Splits a type into what comes before the number of values, and the number.
proc ::pathmap::generate::SplitType {type} {
    if {![regexp {^(.*\*(?:\.\.)?)(\d+)$} $type -> kind count]} {
        return [list $type* {}]
    }
    return [list $kind [scan $count %d]]
}

# Returns the type of a thread's part of the element's tuples.
proc ::pathmap::generate::PartType {element o users} {
    set type [dict get $o -type]
    if {[dict get $o -join] ni {gather allgather scatter}} {
        return $type
    }
    lassign [SplitType $type] kind count
    if {$count eq "" || $count % $users} {
        fail SPEC "element $element: -type $type:\
            expected a part for each of $users threads"
    }
    if {[dict get $o -join] eq "allgather" && [string match *.. $kind]} {
        fail SPEC "element $element: -type $type: expected tuples of one length,\
            which have a place for the part of each thread"
    }
    return $kind[expr {$count / $users}]
}

# Returns the options of a join that tell the tuples of its inputs.  Each input
# of a gather, allgather or scatter must carry the parts of the same number of
# threads.
#
# Arguments:
#   part   type of a thread's part
#   first  number of threads before those of the join
proc ::pathmap::generate::Parts {spec element part children first} {
    set join [dict get $spec element $element -join]
    if {$join ni {gather allgather scatter}} {
        return [list -type $part]
    }
    set widths [lmap child $children {
        llength [::pathmap::shape leaves $child]
    }]
    if {[llength [lsort -unique $widths]] > 1} {
        fail SHAPE "element $element: a join would have\
            inputs of [join $widths { and }] threads, expected equal parts"
    }
    lassign [SplitType $part] kind count
    set width [expr {$count * [lindex $widths 0]}]
    if {$join eq "allgather"} {
        return [list -type [dict get $spec element $element -type] \
            -first [expr {$count * $first}] -width $width]
    }
    return [list -type $kind$width]
}
