# mapping.tcl --
#
#   What the map scripts of the examples have in common: the options, the
#   cluster, and borders between neighbours.
#
#   A map script defines the application, which thread uses which element how,
#   and hands it to [mapping main] with what is particular to it.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
# In the source tree; where eventspace is installed it is found without.
lappend auto_path [file join [file dirname [info script]] .. libpaths]
package require pathmap

namespace eval ::eventspace::mapping {
    namespace export main borders multiple
    namespace ensemble create

    # What every map script takes: its default and what it is.
    variable Options {
        --hosts      {1    "hosts"}
        --processes  {1    "processes on each host"}
        --threads    {2    "threads in each process"}
        --via        {auto "how processes are reached: auto, shm, unix, tcp"}
        --shape      {flat "of joins: flat, binary, kary, host"}
        --k          {4    "inputs of a join of shape kary"}
        --cores      {no   "whether threads are bound to cores"}
        --instrument {no   "whether to put collectors everywhere"}
        --mode       {{}   "of the collectors: trace, profile, matrix, off"}
        --keep       {{}   "tuples that each collector keeps"}
    }
}
package provide eventspace::mapping 0.1

# main --
#
#   Be a map script: read the options, write the map to standard output.
#
# Arguments:
#   own     the script's own options, as a dictionary {--name {default about}}
#   define  a command; called with the name of the variable that holds the
#           spec, see [pathmap define], the number of threads, and all options
#
# Results:
#   None.  Ends the program with status 1 after an error of pathmap, with 2
#   after a wrong option.

proc ::eventspace::mapping::main {own define} {
    variable Options
    set options [Read [dict merge $own $Options] $::argv]
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
#   Give each thread an element for each neighbour, up.N and down.N, where the
#   neighbour hears what thread N has to say.  An element stands with who
#   reads it, so that only writes travel.
#
# Arguments:
#   specVar  the variable that holds the spec
#   threads  how many; thread N is above thread N + 1
#   type     of what neighbours tell each other
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
#   An option that must be a positive multiple of a number.
#
# Arguments:
#   options  all of them, as [main] hands them on
#   name     of the option
#   of       the number
#
# Results:
#   Its value.  Ends the program with status 2 where it is wrong.

proc ::eventspace::mapping::multiple {options name of} {
    set value [dict get $options $name]
    if {![regexp {^[1-9][0-9]{0,8}$} $value] || $value % $of} {
        Fail 2 "$name $value: expected a multiple of $of"
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

# The options, by name.  --instrument may stand without its yes.
proc ::eventspace::mapping::Read {known words} {
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
            append about " ($default)"
        }
        puts [format "  %-13s %s" $name $about]
    }
}

proc ::eventspace::mapping::Fail {status message} {
    puts stderr "[file tail $::argv0]: $message"
    exit $status
}
