# spec.tcl --
#
#   The three mappings that a path map is made of.
#
#   They are one value, a spec: a dictionary of what was defined, by word and
#   name.
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
package require pathmap::errors

namespace eval ::pathmap::spec {
    namespace export spec cluster define
    namespace import ::pathmap::errors::*

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
package provide pathmap::spec 0.1

# spec --
#
#   The mappings of nothing, to start from.

proc ::pathmap::spec::spec {} {
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

proc ::pathmap::spec::cluster {args} {
    set o [options {-hosts 1 -processes 1 -threads 1 -cores no
        -listen {} -address {} -topology {}} $args]
    foreach name {-hosts -processes -threads} {
        count $name [dict get $o $name] 1
    }
    if {![string is boolean -strict [dict get $o -cores]]} {
        fail USAGE "-cores [dict get $o -cores]:\
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

proc ::pathmap::spec::ClusterProcess {specVar host p o} {
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
#         What is said of the same thread and element later counts.
#
# Results:
#   The spec.  Throws {EVENTSPACE PATHMAP SPEC}.

proc ::pathmap::spec::define {specVar word args} {
    upvar 1 $specVar spec
    variable Known
    if {![dict exists $Known $word]} {
        fail SPEC "$word: expected one of\
            [join [dict keys $Known] {, }]"
    }
    if {$word eq "use"} {
        return [Use spec {*}$args]
    }
    set args [lassign $args name]
    if {![regexp {^[A-Za-z0-9._][-A-Za-z0-9._]*$} $name]} {
        fail SPEC "$word \"$name\": expected a name of\
            letters, digits, \".\", \"_\" and \"-\""
    }
    if {[dict exists $spec $word $name]} {
        fail SPEC "$word $name: there is one already"
    }
    dict set spec $word $name [Given $word $name $args]
    return $spec
}

# Look at the options given for a definition.
proc ::pathmap::spec::Given {word name given} {
    variable Known
    variable Required
    variable Choices
    set options [options [dict get $Known $word] $given]
    dict for {option value} $options {
        if {[dict exists $Choices $option]
            && $value ni [dict get $Choices $option]} {
            fail SPEC "$word $name: $option $value:\
                expected [join [lrange [dict get $Choices $option] 1 end] {, }]"
        }
    }
    if {[dict exists $Required $word]
        && [dict get $options [dict get $Required $word]] eq ""} {
        fail SPEC "$word $name: expected\
            [dict get $Required $word]"
    }
    return $options
}

proc ::pathmap::spec::Use {specVar threads element args} {
    upvar 1 $specVar spec
    variable Known
    variable Uses
    set use any
    if {[llength $args] % 2} {
        set args [lassign $args use]
    }
    if {$use ni $Uses} {
        fail SPEC "use $threads $element: $use: expected\
            [join $Uses {, }]"
    }
    set options [options [dict get $Known use] $args]
    foreach pattern $threads {
        set names [dict keys [dict get $spec thread] $pattern]
        if {![llength $names]} {
            fail SPEC \
                "use $threads $element: there is no thread \"$pattern\""
        }
        foreach thread $names {
            dict set spec use [list $thread $element] \
                [dict create use $use with [dict get $options -with]]
        }
    }
    return $spec
}
