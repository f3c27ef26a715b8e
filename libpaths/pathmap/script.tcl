# script.tcl --
#
#   Evaluates mappings that are written as a Tcl script.
#
#   The script runs in a safe interpreter in which the words of a spec are
#   commands:
#
#	cluster -hosts 2 -threads 4 -cores yes
#	element total -type f64*1 -join reduce -op sum -process p1
#	use t* total exchange
#	generate -shape binary -via tcp
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::spec
package require pathmap::generate

namespace eval ::pathmap::script {
    namespace export script
    namespace import ::pathmap::errors::*

    # The spec of the running script, and its options for [generate].
    variable Spec {}
    variable Options {}
}
package provide pathmap::script 0.1

# script --
#
#   Generates a map from a mapping script.
#
#   The commands of a script are host, process, thread, element and use, with
#   the arguments of [define]; cluster, with those of [cluster]; generate,
#   which sets options of [generate]; and hosts, processes, threads and
#   elements, which return the names defined so far.  The variable argv holds
#   the arguments of the script.
#
# Arguments:
#   text    the script
#   -argv LIST  arguments of the script
#   -file F     name of the script in messages
#   -options DICT  options of [generate] that override those of the script
#
# Results:
#   A map.  Throws {EVENTSPACE PATHMAP SCRIPT} "FILE:LINE: ..." when the script
#   fails, and the errors of [generate].

proc ::pathmap::script::script {text args} {
    variable Spec [::pathmap::spec::spec]
    variable Options {}
    set o [options {-argv {} -file script -options {}} $args]
    set file [dict get $o -file]
    set interp [interp create -safe]
    try {
        Commands $interp
        interp eval $interp [list set argv [dict get $o -argv]]
        lassign [Run $interp $text] failed message line
    } finally {
        interp delete $interp
    }
    if {$failed} {
        fail SCRIPT "$file:$line: $message"
    }
    return [::pathmap::generate::generate $Spec -file $file \
        {*}[dict merge $Options [dict get $o -options]]]
}

# Evaluates a script.  Returns {FAILED MESSAGE LINE}: whether the script
# failed, and the message and the line of the error.
proc ::pathmap::script::Run {interp text} {
    set code [interp eval $interp [list catch $text message options]]
    set options [interp eval $interp {set options}]
    return [list [expr {$code == 1}] [interp eval $interp {set message}] \
        [expr {$code == 1 ? [dict get $options -errorline] : 0}]]
}

proc ::pathmap::script::Commands {interp} {
    set here [namespace current]
    foreach word {host process thread element use} {
        interp alias $interp $word {} ${here}::Define $word
    }
    foreach {command word} {
        hosts host processes process threads thread elements element
    } {
        interp alias $interp $command {} ${here}::Names $word
    }
    interp alias $interp cluster {} ${here}::Cluster
    interp alias $interp generate {} ${here}::Generate
}

proc ::pathmap::script::Define {word args} {
    variable Spec
    ::pathmap::spec::define Spec $word {*}$args
    return
}

proc ::pathmap::script::Names {word} {
    variable Spec
    return [dict keys [dict get $Spec $word]]
}

proc ::pathmap::script::Cluster {args} {
    variable Spec
    foreach {word things} [::pathmap::spec::cluster {*}$args] {
        dict for {name options} $things {
            ::pathmap::spec::define Spec $word $name {*}$options
        }
    }
    return
}

proc ::pathmap::script::Generate {args} {
    variable Options
    options {-via {} -shape {} -k {}} $args
    set Options [dict merge $Options $args]
    return
}
