# diff.tcl --
#
#   Compares two runs operation by operation.
#
#   Threads are matched by name, and the paths of a thread by the name of
#   their element; operation n of a path is compared with operation n of the
#   same path in the other run.  So runs that take different times are
#   compared at the same work.  Each column of a comparison holds the same
#   number of operations.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::ns

namespace eval ::view::diff {
    namespace path ::view
    namespace export paths pairs columns cells map totals
    namespace ensemble create

    # Most columns of a comparison.
    variable Most 200
}
package provide view::diff 0.1

# paths --
#
#   Returns the paths of a run that have recorded operations.
#
# Arguments:
#   run     command of [eventspace::open]
#
# Results:
#   A dictionary from the names {THREAD ELEMENT} to {collector thread
#   operations} of the path's first collector.

proc ::view::diff::paths {run} {
    set paths {}
    foreach row [$run query {
        SELECT t.name, ifnull(e.name, ''), c.collector, c.thread,
            event_count(c.collector, NULL, NULL) + c.discarded
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
#   Returns the paths that both runs have.
#
# Arguments:
#   first, second   results of [paths]
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
#   Returns the number of operations of a column.

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
#   Returns the columns of one path of a run.
#
# Arguments:
#   run         command of [eventspace::open]
#   collector   first collector of the path
#   size        number of operations of a column
#   until       number of operations that both runs have
#
# Results:
#   A dictionary from column to {operations time_ns start_ns}: the summed
#   duration of the operations, and the start of the first.

proc ::view::diff::cells {run collector size until} {
    set cells {}
    foreach row [$run query {
        SELECT seq / :size, count(*), total(duration_ns), min(start_ns)
        FROM event WHERE collector = :collector AND seq < :until
        GROUP BY 1 ORDER BY 1
    } -limit 5000 -bind [list size $size collector $collector \
        until $until]] {
        dict set cells [lindex $row 0] [lrange $row 1 3]
    }
    return $cells
}

# map --
#
#   Maps a time of one run to the time at which the other run was at the same
#   operation.
#
# Arguments:
#   points  list of {ns ns}, ascending: times of the first and the second run
#           at the same operation
#   ns      a time of the first run
#   back    1: ns is a time of the second run, the result of the first
#
# Results:
#   A double.  Between two points times are interpolated linearly; outside
#   the points the distance to the nearest point is kept.

proc ::view::diff::map {points ns {back 0}} {
    set from [expr {$back ? 1 : 0}]
    set to [expr {1 - $from}]
    if {![llength $points]} {
        return [expr {double($ns)}]
    }
    set low 0
    set high [expr {[llength $points] - 1}]
    if {$ns <= [lindex $points 0 $from]} {
        return [MapOutside [lindex $points 0] $ns $from $to]
    }
    if {$ns >= [lindex $points end $from]} {
        return [MapOutside [lindex $points end] $ns $from $to]
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

# Maps a time before the first point or after the last.
proc ::view::diff::MapOutside {point ns from to} {
    return [expr {double([lindex $point $to]) + double($ns)
        - [lindex $point $from]}]
}

# totals --
#
#   Returns the totals of a pair of paths.
#
# Arguments:
#   first, second   results of [cells] for both runs
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
