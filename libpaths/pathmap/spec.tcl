# spec.tcl --
#
#   The three mappings from which a path map is generated.
#
#   A spec holds all three: a dictionary of definitions, by word and name.
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

    # Options of each word with their defaults, and the options that must be
    # given.
    variable Known {
        host    {-address {} -topology {}}
        process {-host {} -listen {} -space {}}
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
        -join {{} reduce gather allgather scatter broadcast barrier}
        -via  {{} auto shm unix tcp}
        -full {{} block discard fail}
        -take {{} each one}
    }
    # Operations that a thread may do on an element.
    variable Uses {any read write exchange}
}
package provide pathmap::spec 0.1

# spec --
#
#   Returns an empty spec.

proc ::pathmap::spec::spec {} {
    return {host {} process {} thread {} element {} use {}}
}

# cluster --
#
#   Returns the spec of a cluster of equal hosts: hosts h0 h1 ..., processes
#   p0 p1 ..., threads t0 t1 ..., numbered in blocks.
#
# Arguments:
#   -hosts N           number of hosts; default 1
#   -processes N       processes on each host; default 1
#   -threads N         threads in each process; default 1
#   -cores BOOL        bind threads to cores; default no
#   -listen LIST       endpoints of each process; %p stands for its name
#   -address LIST      addresses of the hosts
#   -topology LIST     topologies of the hosts, see [define]
#
# Results:
#   A spec with hosts, processes and threads, and no elements.

proc ::pathmap::spec::cluster {args} {
    set o [options {-hosts 1 -processes 1 -threads 1 -cores no
        -listen {} -address {} -topology {}} $args]
    foreach name {-hosts -processes -threads} {
        checkcount $name [dict get $o $name] 1
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
#   Adds a definition to a spec.
#
# Arguments:
#   specVar  name of the variable that holds the spec
#   word     the kind of definition; the arguments of each:
#     host NAME ?-address A? ?-topology FILE|N?
#         FILE is hwloc's XML; N is a number of cores
#     process NAME -host HOST ?-listen {ENDPOINT ...}?
#         tcp:0 is added when a path enters the process over TCP
#     thread NAME -process PROCESS ?-core N|auto?
#         auto: the next core of the host, from 0, again 0 after the last
#     element NAME -type T ?-process P? ?-keep N? ?-full F? ?-take T?
#         ?-join reduce|gather|allgather|scatter|broadcast|barrier? ?-op OP?
#         ?-shape S? ?-k N? ?-via V?
#         -join makes the element collective.  -type is the type of the
#         element's tuples; with gather and scatter each thread has an equal
#         part of one, and with allgather it fills in this part.  The default of -process is the process of the first
#         thread that uses the element.
#     use THREADS ELEMENT ?any|read|write|exchange? ?-with ITEMS?
#         THREADS is a list of names or patterns for [string match].  Each
#         thread gets a path that begins with the stages ITEMS.  The inputs
#         of joins follow the order of these definitions.  A later definition
#         for the same thread and element replaces the earlier one.
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
        fail SPEC "$word $name: defined twice"
    }
    dict set spec $word $name [Given $word $name $args]
    return $spec
}

# Checks the options of a definition and returns them with the defaults.
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
