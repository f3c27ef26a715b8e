# mapping.tcl --
#
#   Common parts of the map scripts of the examples: options, cluster, and
#   borders between neighbours.
#
#   A map script passes [mapping main] its own options and a command that
#   defines the application: the elements and the threads that use them.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
# Lets Tcl find pathmap in the source tree.  An installed pathmap is found
# anyway.
lappend auto_path [file join [file dirname [info script]] .. libpaths]
package require pathmap

namespace eval ::eventspace::mapping {
    namespace export main borders multiple
    namespace ensemble create

    # Options of every map script, with their defaults and descriptions.
    variable Options {
        --hosts      {1    "number of hosts"}
        --processes  {1    "processes on each host"}
        --threads    {2    "threads in each process"}
        --via        {auto "transport of proxies: auto, shm, unix, tcp"}
        --shape      {flat "shape of joins: flat, binary, kary, host"}
        --k          {4    "most inputs of a join of shape kary"}
        --cores      {no   "bind threads to cores: yes or no"}
        --instrument {no   "insert collectors everywhere: yes or no"}
        --mode       {{}   "mode of collectors: trace, profile, matrix, off"}
        --keep       {{}   "number of tuples that each collector retains"}
    }
}
package provide eventspace::mapping 0.1

# main --
#
#   Runs a map script: reads the options and writes the map to standard output.
#
# Arguments:
#   own     the script's own options, a dictionary {--name {default about}}
#   define  command prefix, called with the name of the variable that holds
#           the spec, see [pathmap define], the number of threads, and a
#           dictionary of all options
#
# Results:
#   None.  Ends the program with status 1 after an error of pathmap, and with
#   status 2 after a wrong option.

proc ::eventspace::mapping::main {own define} {
    variable Options
    set options [Parse [dict merge $own $Options] $::argv]
    try {
        set spec [Cluster $options]
        set threads [dict size [dict get $spec thread]]
        {*}$define spec $threads $options
        pathmap write [Instrument [pathmap generate $spec \
            -via [dict get $options --via] -shape [dict get $options --shape] \
            -k [dict get $options --k]] $options] -
    } trap {EVENTSPACE PATHMAP} message {
        Fail 1 $message
    }
}

# borders --
#
#   Defines two elements for each thread N: up.N, read by thread N - 1, and
#   down.N, read by thread N + 1.  An element is in the process of its reader,
#   so that only writes cross processes.
#
# Arguments:
#   specVar  name of the variable that holds the spec
#   threads  number of threads; thread N is above thread N + 1
#   type     type of the tuples
#
# Results:
#   None.

proc ::eventspace::mapping::borders {specVar threads type} {
    upvar 1 $specVar spec
    for {set n 0} {$n < $threads} {incr n} {
        foreach {name reader} [list up [expr {$n - 1}] down [expr {$n + 1}]] {
            if {$reader < 0 || $reader >= $threads} continue
            set home [dict get $spec thread t$reader -process]
            pathmap define spec element $name.$n -process $home -type $type \
                -keep 4
            pathmap define spec use t$n $name.$n write
            pathmap define spec use t$reader $name.$n read
        }
    }
}

# multiple --
#
#   Returns the value of an option that must be a positive multiple of a
#   number.
#
# Arguments:
#   options  dictionary of all options
#   name     name of the option
#   factor   the number
#
# Results:
#   The value.  Ends the program with status 2 when it is wrong.

proc ::eventspace::mapping::multiple {options name factor} {
    set value [dict get $options $name]
    if {![regexp {^[1-9][0-9]{0,8}$} $value] || $value % $factor} {
        Fail 2 "$name $value: expected a multiple of $factor"
    }
    return $value
}

proc ::eventspace::mapping::Cluster {options} {
    return [pathmap cluster -hosts [dict get $options --hosts] \
        -processes [dict get $options --processes] \
        -threads [dict get $options --threads] \
        -cores [dict get $options --cores]]
}

proc ::eventspace::mapping::Instrument {map options} {
    if {![dict get $options --instrument]} {
        return $map
    }
    return [pathmap instrument $map -mode [dict get $options --mode] \
        -keep [dict get $options --keep]]
}

# Parses the options.  --instrument without a value means yes.
#
# Results:
#   A dictionary from name to value.
proc ::eventspace::mapping::Parse {known words} {
    set options [dict map {name option} $known { lindex $option 0 }]
    while {[llength $words]} {
        set words [lassign $words name]
        if {$name eq "--help"} {
            Help $known
            exit 0
        }
        if {![dict exists $known $name]} {
            Fail 2 "\"$name\": no such option, see --help"
        }
        if {$name eq "--instrument"
            && ![string is boolean -strict [lindex $words 0]]} {
            set words [linsert $words 0 yes]
        }
        if {![llength $words]} {
            Fail 2 "$name: expected a value"
        }
        set words [lassign $words value]
        dict set options $name $value
    }
    return $options
}

proc ::eventspace::mapping::Help {known} {
    puts "usage: [file tail $::argv0] ?OPTION VALUE ...? >MAP\n"
    dict for {name option} $known {
        lassign $option default about
        if {$default ne ""} {
            append about "; default $default"
        }
        puts [format "  %-13s %s" $name $about]
    }
}

proc ::eventspace::mapping::Fail {status message} {
    puts stderr "[file tail $::argv0]: $message"
    exit $status
}
