# part.tcl --
#
#   The part of the run that charts, tables, findings and statistics are of: the
#   visible time, the selection or the whole run.
#
#   The sums of a part are computed by [R interval] on all cores, a slice of
#   time after the other, so the window answers while they are computed.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::classes
package require view::ns
package require view::run
package require view::state

namespace eval ::view::part {
    namespace path ::view
    namespace export names next of is interval text sums can rows sentence start
    namespace export renew
    namespace ensemble create

    # The choices, in the order of the key, and how they are called.
    variable Names {
        visible "visible time" selection "selection" whole "whole run"
    }
    # Longest time that the window does not answer, ms.
    variable Slice 15
    # Tables that [rows] can compute.
    variable Tables {
        mpi_profile load_balance wait_state waits_for comm_matrix
    }
    # Timers of sums that are not complete, by the command that waits for them.
    variable Timers {}
    # Timer of the sentence about the part.
    variable Timer {}
}
package provide view::part 0.1

# names --
#
#   Returns the choices.

proc ::view::part::names {} {
    variable Names
    return [dict keys $Names]
}

# of --
#
#   Returns the choice that is in effect: the selection needs a selected range
#   of time.

proc ::view::part::of {} {
    set part [state get part]
    if {$part eq "selection" && ![llength [state get selection]]} {
        return visible
    }
    return $part
}

# next --
#
#   Returns the choice after the one that is in effect; the selection only if a
#   range of time is selected.

proc ::view::part::next {} {
    set names [lmap name [names] {
        if {$name eq "selection" && ![llength [state get selection]]} continue
        set name
    }]
    return [lindex $names [expr {([lsearch $names [of]] + 1)
        % [llength $names]}]]
}

# interval --
#
#   Returns {from to}, ns; empty: the whole run.  The measured interval counts
#   as the whole run, because tables of MPI runs are of it.

proc ::view::part::interval {} {
    set t0 [state get t0]
    set span [state get span]
    switch -- [of] {
        whole { return {} }
        selection { lassign [state get selection] from to }
        visible {
            if {$span >= [state get whole]
                || [list $t0 $span] eq [classes measured]} {
                return {}
            }
            set from $t0
            set to [expr {$t0 + $span}]
        }
    }
    # Whole ns that lie in the range.
    set from [expr {entier(ceil($from))}]
    return [list $from [expr {max($from + 1, entier(floor($to)))}]]
}

# is --
#
#   Returns true if less than the whole run is shown.

proc ::view::part::is {} {
    return [expr {[llength [interval]] > 0}]
}

# text --
#
#   Returns "visible time: 1.2 ms from 3.4 ms".

proc ::view::part::text {} {
    variable Names

    set interval [interval]
    if {![llength $interval]} {
        return "whole run"
    }
    lassign $interval from to
    return "[dict get $Names [of]]: [ns text [expr {$to - $from}]] from\
        [ns text $from]"
}

# sums --
#
#   Returns the sums of the part.
#
# Arguments:
#   again   command that is called while they are computed, to ask again
#
# Results:
#   The dict of [R interval], whose `done` is 1 if it has all.  Throws the
#   errors of [R interval].

proc ::view::part::sums {again} {
    variable Slice
    variable Timers

    if {[dict exists $Timers $again]} {
        after cancel [dict get $Timers $again]
    }
    lassign [interval] from to
    set sums [[run main] interval $from $to $Slice]
    if {[dict get $sums done] < 1} {
        dict set Timers $again [after 1 $again]
    }
    return $sums
}

# can --
#
#   Returns true if [rows] has a table.

proc ::view::part::can {table} {
    variable Tables
    return [expr {$table in $Tables}]
}

# rows --
#
#   Returns the query for a table of the part, and its parameters.
#
# Arguments:
#   table   name of the table for the whole run
#   sums    of [sums], complete
#
# Results:
#   {sql binds}.

proc ::view::part::rows {table sums} {
    switch -- $table {
        mpi_profile {
            set names {thread function site calls time_ns wait_ns longest_ns
                bytes}
            set rows [dict get $sums cells]
        }
        load_balance {
            set names {thread operations communication_ns computation_ns
                wait_ns communication_share}
            set rows [Balance $sums]
        }
        wait_state {
            set names {thread function site calls wait_ns}
            set rows [lmap cell [dict get $sums cells] {
                lassign $cell thread function site calls time wait
                if {!$wait} continue
                list $thread $function $site $calls $wait
            }]
        }
        waits_for {
            set names {waiter culprit pattern waits wait_ns}
            set rows [Blames $sums]
        }
        comm_matrix {
            set names {source target messages bytes}
            set rows [dict get $sums pairs]
        }
    }
    set n -1
    set columns [lmap name $names {
        format {json_extract(value, '$[%d]') AS %s} [incr n] $name
    }]
    return [list "SELECT [join $columns {, }] FROM json_each(:rows)" \
        [list rows [Json $rows]]]
}

# Returns the rows of load_balance for a part.
proc ::view::part::Balance {sums} {
    set thread -1
    return [lmap entry [dict get $sums threads] {
        lassign $entry calls active busy wait
        incr thread
        if {!$active} continue
        list $thread $calls $busy [expr {$active - $busy}] $wait \
            [expr {double($busy) / $active}]
    }]
}

# Returns the names of patterns, by number.
proc ::view::part::Patterns {} {
    if {![run has timeline_pattern]} {
        return {}
    }
    return [concat {*}[run query "SELECT pattern, name FROM timeline_pattern"]]
}

# Returns the rows of waits_for for a part.
proc ::view::part::Blames {sums} {
    set patterns [Patterns]
    return [lmap entry [dict get $sums blames] {
        lassign $entry waiter culprit pattern waits wait
        list $waiter [expr {$culprit < 0 ? "null" : $culprit}] \
            [expr {[dict exists $patterns $pattern]
                ? [dict get $patterns $pattern] : "unknown"}] $waits $wait
    }]
}

# Returns rows of numbers, of "null" and of names as JSON.
proc ::view::part::Json {rows} {
    return \[[join [lmap row $rows {
        string cat \[ [join [lmap value $row {
            expr {[string is double -strict $value] || $value eq "null"
                ? $value : "\"$value\""}
        }] ,] \]
    }] ,]\]
}

# sentence --
#
#   Returns the main fact about the part.
#
# Arguments:
#   sums        of [sums], complete
#   findings    of the part; the sentence leaves out the one that others wait
#               for most if a finding names it

proc ::view::part::sentence {sums findings} {
    set busy 0
    set active 0
    foreach entry [dict get $sums threads] {
        lassign $entry calls time used
        incr active $time
        incr busy $used
    }
    set kinds {}
    set waits 0
    foreach cell [dict get $sums cells] {
        lassign $cell thread function site calls time wait
        dict incr kinds [list $function $site] \
            [expr {[dict get $sums waits] ? $wait : $time}]
        incr waits $wait
    }
    if {!$active} {
        return "nothing was recorded."
    }
    set line "communication is [ns percent [ns share $busy $active]] of the\
        time"
    if {[dict get $sums waits]} {
        append line ", waiting [ns percent [ns share $waits $active]]"
    }
    set most [lindex [lsort -stride 2 -index 1 -integer -decreasing $kinds] 0]
    set ns [expr {[llength $most] ? [dict get $kinds $most] : 0}]
    if {$ns > 0} {
        lassign $most function site
        append line "; most [expr {[dict get $sums waits] ? "waiting" : "time"
            }] is in $function"
        if {$site > 0} {
            append line " at [run name site $site]"
        }
        append line ", [ns text $ns]"
    }
    set named [lsearch -exact [lmap finding $findings {
        dict get $finding chart
    }] waits_for]
    return [string cat $line [Culprit $sums [expr {$named >= 0}]] .]
}

# Returns what most waiting is, and, unless that is named, for whom: a clause
# for the sentence.
proc ::view::part::Culprit {sums named} {
    set culprits {}
    set patterns {}
    set all 0
    foreach entry [dict get $sums blames] {
        lassign $entry waiter culprit pattern waits wait
        incr all $wait
        dict incr patterns $pattern $wait
        # A thread that waits for itself has nobody to blame.
        if {$culprit >= 0 && $culprit != $waiter} {
            dict incr culprits $culprit $wait
        }
    }
    set line ""
    lassign [lsort -stride 2 -index 1 -integer -decreasing $patterns] most wait
    set names [Patterns]
    if {$most ne "" && [dict exists $names $most]} {
        append line "; [ns percent [ns share $wait $all]] of the waiting is\
            [dict get $names $most]"
    }
    lassign [lsort -stride 2 -index 1 -integer -decreasing $culprits] who wait
    if {$who ne "" && !$named} {
        append line "; [run name thread $who] is waited for most,\
            [ns text $wait], [ns percent [ns share $wait $all]] of the waiting"
    }
    return $line
}

# start --
#
#   Shows a sentence about the part in a label, and finds what stands out in it,
#   whenever it has changed.

proc ::view::part::start {label} {
    state watch {t0 span selection part dragging} \
        [namespace code [list Soon $label]] $label
    Soon $label
}

# renew --
#
#   Shows the sentence and the findings of the run that was opened again.

proc ::view::part::renew {label} {
    Soon $label
}

proc ::view::part::Soon {label args} {
    variable Timer
    after cancel $Timer
    set Timer [after 250 [namespace code [list Say $label]]]
}

proc ::view::part::Say {label} {
    if {![winfo exists $label] || [state get dragging]} {
        return
    }
    if {![is]} {
        $label configure -text ""
        pack forget $label
        state put part_findings {}
        return
    }
    set text [string toupper [text] 0]
    set findings {}
    try {
        set sums [sums [namespace code [list Say $label]]]
        if {[dict get $sums done] < 1} {
            set sentence "[ns percent [dict get $sums done]] computed"
        } else {
            set findings [[run main] findings {*}[interval]]
            set sentence [sentence $sums $findings]
        }
    } on error message {
        set sentence $message
    }
    state put part_findings $findings
    if {[Above $label]} {
        append sentence "  The lines above are of the whole run."
    }
    $label configure -text "$text: $sentence"
    if {![winfo ismapped $label]} {
        pack $label -side bottom -anchor w
    }
}

# Returns true if findings of the whole run are above a label.
proc ::view::part::Above {label} {
    return [expr {[lsearch -glob [winfo children [winfo parent $label]] \
        {*.f[0-9]*}] >= 0}]
}

namespace eval ::view {
    action define part "Charts and tables of the visible time, the selection\
        or the whole run" {v} {{of {}}} {
        set names [part names]
        if {$of eq ""} {
            set of [part next]
        }
        if {$of ni $names} {
            throw {EVENTSPACE VIEW PART} "no part \"$of\": [join $names {, }]"
        }
        state put part $of
        if {$of eq "selection" && ![llength [state get selection]]} {
            state put message "no range of time is selected: drag over the\
                timeline"
        } else {
            state put message "charts and tables: [part text]"
        }
    }
}
