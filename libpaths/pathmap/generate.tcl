# generate.tcl --
#
#   Make a path map of three mappings.
#
#   The mappings are one value, a spec: a dictionary of what was defined, by
#   word and name.
#
#	cluster			host
#	application		element (its type, its join), use
#	application to cluster	process, thread, the process of an element
#
# Source: Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to Understand
#   Parallel Application Communication Behavior, section 4, "Specifying and
#   Instrumenting Communication Paths"
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::text
package require pathmap::shape
package require pathmap::reach

namespace eval ::pathmap::generate {
    namespace export spec cluster define generate

    # What each word of a spec takes, and what must be given.
    variable Known {
        host    {-address {} -topology {}}
        process {-host {} -listen {}}
        thread  {-process {} -core {}}
        element {-process {} -type {} -keep {} -full {} -take {} -join {}
                 -op {} -shape {} -k {} -via {}}
        use     {-with {}}
    }
    variable Required {
        process -host
        thread  -process
        element -type
    }
    variable Choices {
        -join {{} reduce gather scatter broadcast barrier}
        -via  {{} auto shm unix tcp}
        -full {{} block discard fail}
        -take {{} each one}
    }
    variable Uses {any read write exchange}
}
package provide pathmap::generate 0.1

# spec --
#
#   The mappings of nothing, to start from.

proc ::pathmap::generate::spec {} {
    return {host {} process {} thread {} element {} use {}}
}

# cluster --
#
#   The mappings of a cluster where all hosts are alike: hosts h0 h1 ...,
#   processes p0 p1 ..., threads t0 t1 ..., in blocks.
#
# Arguments:
#   -hosts N      how many hosts, 1
#   -processes N  processes on each host, 1
#   -threads N    threads in each process, 1
#   -cores BOOL   whether threads are bound to cores, no
#   -listen LIST  where each process listens; %p stands for its name
#   -address LIST      addresses of the hosts
#   -topology LIST     topologies of the hosts, see [define]
#
# Results:
#   A spec with hosts, processes and threads.

proc ::pathmap::generate::cluster {args} {
    set o [::pathmap::text options {-hosts 1 -processes 1 -threads 1 -cores no
        -listen {} -address {} -topology {}} $args]
    foreach name {-hosts -processes -threads} {
        CheckCount $name [dict get $o $name] 1
    }
    if {![string is boolean -strict [dict get $o -cores]]} {
        ::pathmap::text::fail USAGE "-cores [dict get $o -cores]:\
            expected yes or no"
    }
    set spec [spec]
    set processes [dict get $o -processes]
    for {set h 0} {$h < [dict get $o -hosts]} {incr h} {
        define spec host h$h -address [lindex [dict get $o -address] $h] \
            -topology [lindex [dict get $o -topology] $h]
        for {set i 0} {$i < $processes} {incr i} {
            ClusterProcess spec h$h [expr {$h * $processes + $i}] $o
        }
    }
    return $spec
}

proc ::pathmap::generate::ClusterProcess {specVar host p o} {
    upvar 1 $specVar spec
    define spec process p$p -host $host \
        -listen [string map [list %p p$p] [dict get $o -listen]]
    set threads [dict get $o -threads]
    set core [expr {[dict get $o -cores] ? "auto" : ""}]
    for {set i 0} {$i < $threads} {incr i} {
        define spec thread t[expr {$p * $threads + $i}] -process p$p \
            -core $core
    }
}

proc ::pathmap::generate::CheckCount {name value least} {
    if {![regexp {^[0-9]{1,9}$} $value] || $value < $least} {
        ::pathmap::text::fail USAGE "$name $value:\
            expected a whole number from $least"
    }
}

# define --
#
#   Add to the mappings.
#
# Arguments:
#   specVar  the variable that holds the spec
#   word     what follows is one of:
#     host NAME ?-address A? ?-topology FILE|N?
#         FILE is hwloc's XML; N is a number of cores instead
#     process NAME -host HOST ?-listen {ENDPOINT ...}?
#         tcp:0 is added where a path needs it
#     thread NAME -process PROCESS ?-core N|auto?
#         auto: the next core of the host, from 0, round and round
#     element NAME -type T ?-process P? ?-keep N? ?-full F? ?-take T?
#         ?-join reduce|gather|scatter|broadcast|barrier? ?-op OP?
#         ?-shape S? ?-k N? ?-via V?
#         With -join it is collective.  The type is that of its own tuples;
#         of gather and scatter each thread has its equal part.  Where
#         -process is not given it stands with the first thread using it.
#     use THREADS ELEMENT ?any|read|write|exchange? ?-with ITEMS?
#         THREADS are names or patterns as for [string match]; a path is
#         made for each, with the stages ITEMS first.  Joins have their
#         inputs in the order in which threads are said to use the element.
#
# Results:
#   The spec.  Throws {EVENTSPACE PATHMAP SPEC}.

proc ::pathmap::generate::define {specVar word args} {
    upvar 1 $specVar spec
    variable Known
    if {![dict exists $Known $word]} {
        ::pathmap::text::fail SPEC "$word: expected one of\
            [join [dict keys $Known] {, }]"
    }
    if {$word eq "use"} {
        return [Use spec {*}$args]
    }
    set args [lassign $args name]
    if {![regexp {^[A-Za-z0-9._][-A-Za-z0-9._]*$} $name]} {
        ::pathmap::text::fail SPEC "$word \"$name\": expected a name of\
            letters, digits, \".\", \"_\" and \"-\""
    }
    if {[dict exists $spec $word $name]} {
        ::pathmap::text::fail SPEC "$word $name: there is one already"
    }
    dict set spec $word $name [Given $word $name $args]
    return $spec
}

# Look at the options given for a definition.
proc ::pathmap::generate::Given {word name given} {
    variable Known
    variable Required
    variable Choices
    set options [::pathmap::text options [dict get $Known $word] $given]
    dict for {option value} $options {
        if {[dict exists $Choices $option]
            && $value ni [dict get $Choices $option]} {
            ::pathmap::text::fail SPEC "$word $name: $option $value:\
                expected [join [lrange [dict get $Choices $option] 1 end] {, }]"
        }
    }
    if {[dict exists $Required $word]
        && [dict get $options [dict get $Required $word]] eq ""} {
        ::pathmap::text::fail SPEC "$word $name: expected\
            [dict get $Required $word]"
    }
    return $options
}

proc ::pathmap::generate::Use {specVar threads element args} {
    upvar 1 $specVar spec
    variable Known
    variable Uses
    set use any
    if {[llength $args] % 2} {
        set args [lassign $args use]
    }
    if {$use ni $Uses} {
        ::pathmap::text::fail SPEC "use $threads $element: $use: expected\
            [join $Uses {, }]"
    }
    set options [::pathmap::text options [dict get $Known use] $args]
    foreach pattern $threads {
        set names [dict keys [dict get $spec thread] $pattern]
        if {![llength $names]} {
            ::pathmap::text::fail SPEC \
                "use $threads $element: there is no thread \"$pattern\""
        }
        foreach thread $names {
            dict set spec use [list $thread $element] \
                [dict create use $use with [dict get $options -with]]
        }
    }
    return $spec
}

# generate --
#
#   Make the map.
#
# Arguments:
#   spec      the three mappings
#   -via V    how proxies go where their element does not say: auto, shm,
#             unix or tcp
#   -shape S  the shape of joins where their element does not say: flat,
#             binary, kary, host, or a nested list; see [shape tree]
#   -k N      inputs of a join of shape kary, 4
#   -file F   how messages name the map
#
# Results:
#   A map.  Throws {EVENTSPACE PATHMAP SPEC} or {EVENTSPACE PATHMAP SHAPE}.

proc ::pathmap::generate::generate {spec args} {
    variable Choices
    set defaults [::pathmap::text options \
        {-via auto -shape flat -k 4 -file map} $args]
    CheckCount -k [dict get $defaults -k] 2
    if {[dict get $defaults -via] ni [dict get $Choices -via]} {
        ::pathmap::text::fail USAGE "-via [dict get $defaults -via]:\
            expected auto, shm, unix or tcp"
    }
    set spec [Place $spec $defaults]
    set lines [list {pathmap 1} {*}[Things $spec]]
    foreach element [dict keys [dict get $spec element]] {
        lappend lines {*}[Paths $spec $element]
    }
    return [::pathmap::reach listen [::pathmap::text parse \
        [join $lines \n]\n [dict get $defaults -file]]]
}

# Check that names resolve, fill in what was left open, and list the users of
# each element.
proc ::pathmap::generate::Place {spec defaults} {
    set users {}
    foreach {word option target} {process -host host thread -process process} {
        dict for {name options} [dict get $spec $word] {
            Resolve $spec "$word $name" $target [dict get $options $option]
        }
    }
    dict for {path -} [dict get $spec use] {
        lassign $path thread element
        Resolve $spec "use $thread $element" element $element
        dict lappend users $element $thread
        if {[dict get $spec element $element -process] eq ""} {
            dict set spec element $element -process \
                [dict get $spec thread $thread -process]
        }
    }
    dict for {name options} [dict get $spec element] {
        if {![dict exists $users $name]} {
            ::pathmap::text::fail SPEC "element $name: no thread uses it"
        }
        Resolve $spec "element $name" process [dict get $options -process]
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

proc ::pathmap::generate::Resolve {spec whose word name} {
    if {![dict exists $spec $word $name]} {
        return -level 2 -code error -errorcode {EVENTSPACE PATHMAP SPEC} \
            "$whose: there is no $word \"$name\""
    }
}

# Give each thread with -core auto the next core of its host.
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

# How many cores a topology has; 0 where none is given.
proc ::pathmap::generate::CoreCount {topology} {
    if {$topology eq ""} {
        return 0
    }
    if {[regexp {^[1-9][0-9]{0,8}$} $topology]} {
        return $topology
    }
    if {[catch {open $topology r} channel]} {
        ::pathmap::text::fail SPEC "topology $topology: cannot be read"
    }
    set xml [read $channel]
    close $channel
    foreach type {Core PU} {
        set count [regexp -all "<object\[^>\]* type=\"$type\"" $xml]
        if {$count} {
            return $count
        }
    }
    ::pathmap::text::fail SPEC "topology $topology: expected hwloc's XML\
        with cores"
}

# The lines of hosts, processes, threads and elements.
proc ::pathmap::generate::Things {spec} {
    set lines {}
    foreach {word wanted} {
        host    -address
        process {-host -listen}
        thread  {-process -core}
        element {-process -type -keep -full -take}
    } {
        dict for {name options} [dict get $spec $word] {
            set line "[format %-7s $word] $name"
            foreach option $wanted {
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

# The lines of all paths to one element, and of its joins.
proc ::pathmap::generate::Paths {spec element} {
    set o [dict get $spec element $element]
    set users [lmap thread [dict get $spec users $element] {
        set process [dict get $spec thread $thread -process]
        list $thread $process [dict get $spec process $process -host]
    }]
    set home [list [dict get $o -process] [list element $element]]
    if {[dict get $o -join] ne ""} {
        CheckCount "element $element: -k" [dict get $o -k] 2
        set tree [::pathmap::shape tree [dict get $o -shape] \
            [dict get $o -k] $users [lindex $home 0]]
        set type [InputType $element $o [llength $users]]
        return [Joins $spec $element $type $tree 0 $home]
    }
    return [lmap user $users {
        Path $spec $element [lindex $user 0] $home
    }]
}

# The lines of one node of a tree of joins, what is above it first: so the
# inputs of a join are in the order of the threads.
#
# Arguments:
#   spec, element
#   type   of the tuples of a thread
#   node   see shape.tcl
#   first  how many joins of the element come before those of this node
#   next   {PROCESS ITEM}, where the node leads to
proc ::pathmap::generate::Joins {spec element type node first next} {
    if {[lindex $node 0] eq "thread"} {
        return [list [Path $spec $element [lindex $node 1] $next]]
    }
    lassign $node - process children
    set name $element.[expr {$first + [::pathmap::shape joins $node]}]
    set lines {}
    foreach child $children {
        lappend lines \
            {*}[Joins $spec $element $type $child $first [list $process $name]]
        incr first [::pathmap::shape joins $child]
    }
    lappend lines [Join $spec $element $name \
        [Widen $spec $element $type $children] $node $next]
    return $lines
}

proc ::pathmap::generate::Join {spec element name type node next} {
    set o [dict get $spec element $element]
    lassign $node - process children
    set words [list $name [dict get $o -join] -process $process]
    if {[dict get $o -op] ne ""} {
        lappend words -op [dict get $o -op]
    }
    lappend words -type $type -inputs [llength $children]
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

# The items that lead from a process to {PROCESS ITEM}.
proc ::pathmap::generate::Hop {spec from next via} {
    lassign $next to item
    if {$from eq $to} {
        return [list $item]
    }
    if {$via in {shm unix} && ![SameHost $spec $from $to]} {
        ::pathmap::text::fail SPEC "-via $via: processes $from and $to are on\
            different hosts"
    }
    set proxy [list proxy $to]
    if {$via ne "auto"} {
        lappend proxy -via $via
    }
    return [list $proxy $item]
}

# A chain as a word of a line, each item in braces.
proc ::pathmap::generate::Chain {items} {
    return "{[join [lmap item $items { string cat "{" $item "}" }]]}"
}

# The type of what a thread hands to the first join.
proc ::pathmap::generate::InputType {element o users} {
    set type [dict get $o -type]
    if {[dict get $o -join] ni {gather scatter}} {
        return $type
    }
    lassign [split $type *] kind count
    if {![string is integer -strict $count] || $count % $users} {
        ::pathmap::text::fail SPEC "element $element: -type $type:\
            expected a part for each of $users threads"
    }
    return $kind*[expr {$count / $users}]
}

# The type above a join: each input brings the same number of threads' tuples.
proc ::pathmap::generate::Widen {spec element type children} {
    if {[dict get $spec element $element -join] ni {gather scatter}} {
        return $type
    }
    set widths [lmap child $children {
        llength [::pathmap::shape leaves $child]
    }]
    if {[llength [lsort -unique $widths]] > 1} {
        ::pathmap::text::fail SHAPE "element $element: a join would have\
            inputs of [join $widths { and }] threads, expected equal parts"
    }
    lassign [split $type *] kind count
    return $kind*[expr {$count * [lindex $widths 0]}]
}
