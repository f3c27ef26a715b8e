# diff.tcl --
#
#   Two runs, operation by operation.
#
#   Threads are matched by name, and a thread's paths by the element that they
#   lead to; operation n of the one is operation n of the other.  So runs that
#   take different times are compared where they do the same.  The operations
#   are put into columns of as many each; a column's cell is how much longer
#   the second run took there, in communication or from start to start.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::ns

namespace eval ::view::diff {
    namespace path ::view
    namespace export paths pairs columns cells map totals
    namespace ensemble create

    # Columns of the heat rows.
    variable Most 200
}
package provide view::diff 0.1

# paths --
#
#   The paths of a run that recorded something.
#
# Arguments:
#   run     of eventspace::open
#
# Results:
#   A dictionary: {THREAD ELEMENT} as names, to {collector thread operations}
#   of the path's first collector.

proc ::view::diff::paths {run} {
    set paths {}
    foreach row [$run query {
        SELECT t.name, ifnull(e.name, ''), c.collector, c.thread,
            c.tuples + c.discarded
        FROM collector c JOIN thread t ON t.thread = c.thread
        LEFT JOIN path p ON p.path = c.path
        LEFT JOIN element e ON e.element = p.element
        WHERE c.head AND c.tuples > 0 ORDER BY c.collector
    } -limit 5000] {
        lassign $row thread element collector id operations
        dict set paths [list $thread $element] \
            [list $collector $id $operations]
    }
    return $paths
}

# pairs --
#
#   The paths that both runs have.
#
# Arguments:
#   first, second   as paths gives them
#
# Results:
#   A list of {NAME FIRST SECOND}.

proc ::view::diff::pairs {first second} {
    set pairs {}
    dict for {name entry} $first {
        if {[dict exists $second $name]} {
            lappend pairs [list $name $entry [dict get $second $name]]
        }
    }
    return $pairs
}

# columns --
#
#   How many operations a column has.

proc ::view::diff::columns {pairs} {
    variable Most

    set longest 1
    foreach pair $pairs {
        lassign $pair - first second
        set longest [expr {max($longest,
            min([lindex $first 2], [lindex $second 2]))}]
    }
    return [expr {($longest + $Most - 1) / $Most}]
}

# cells --
#
#   The columns of one path of a run.
#
# Arguments:
#   run
#   collector
#   wide    operations of a column
#   until   operations that both runs have
#
# Results:
#   A dictionary: column to {operations time_ns start_ns}; time is that of the
#   operations themselves, start that of the first.

proc ::view::diff::cells {run collector wide until} {
    set cells {}
    foreach row [$run query {
        SELECT seq / :wide, count(*), total(duration_ns), min(start_ns)
        FROM event WHERE collector = :collector AND seq < :until
        GROUP BY 1 ORDER BY 1
    } -limit 5000 -bind [list wide $wide collector $collector \
        until $until]] {
        dict set cells [lindex $row 0] [lrange $row 1 3]
    }
    return $cells
}

# map --
#
#   The time of a run when the other one was as far.
#
# Arguments:
#   points  list of {ns ns}, ascending: when both were at the same operation
#   ns      a time of the run that comes first in points
#   back    1: a time of the second, wanted in the first
#
# Results:
#   A double: on a straight line between two points, beyond them as far from
#   the last.

proc ::view::diff::map {points ns {back 0}} {
    set from [expr {$back ? 1 : 0}]
    set to [expr {1 - $from}]
    if {![llength $points]} {
        return [expr {double($ns)}]
    }
    set low 0
    set high [expr {[llength $points] - 1}]
    if {$ns <= [lindex $points 0 $from]} {
        return [Beside [lindex $points 0] $ns $from $to]
    }
    if {$ns >= [lindex $points end $from]} {
        return [Beside [lindex $points end] $ns $from $to]
    }
    while {$high - $low > 1} {
        set middle [expr {($low + $high) / 2}]
        if {[lindex $points $middle $from] <= $ns} {
            set low $middle
        } else {
            set high $middle
        }
    }
    set a [lindex $points $low]
    set b [lindex $points $high]
    set part [ns share [expr {double($ns) - [lindex $a $from]}] \
        [expr {double([lindex $b $from]) - [lindex $a $from]}]]
    return [expr {[lindex $a $to]
        + $part * (double([lindex $b $to]) - [lindex $a $to])}]
}

proc ::view::diff::Beside {point ns from to} {
    return [expr {double([lindex $point $to]) + double($ns)
        - [lindex $point $from]}]
}

# totals --
#
#   What a pair of paths adds up to.
#
# Arguments:
#   first, second   cells of both
#
# Results:
#   {operations first_ns second_ns}, over the columns that both have.

proc ::view::diff::totals {first second} {
    set operations 0
    set one 0.0
    set two 0.0
    dict for {column cell} $first {
        if {![dict exists $second $column]} continue
        set other [dict get $second $column]
        incr operations [expr {min([lindex $cell 0], [lindex $other 0])}]
        set one [expr {$one + [lindex $cell 1]}]
        set two [expr {$two + [lindex $other 1]}]
    }
    return [list $operations $one $two]
}
