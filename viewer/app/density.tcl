# density.tcl --
#
#   How many operations begin when: shown where arrows would be too many.
#
#   From the drawing pyramid, so as quick for a long run as for a short one.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::ns

namespace eval ::view::density {
    namespace path ::view
    namespace export level columns starts
    namespace ensemble create

    # Buckets of a chunk of the pyramid; see scopes/timeline.h.
    variable Chunk 1020
}
package provide view::density 0.1

# level --
#
#   The level of the pyramid whose buckets are not wider than a column.
#
# Arguments:
#   bucket_ns   of level 0
#   levels      how many there are
#   column_ns

proc ::view::density::level {bucket_ns levels column_ns} {
    set level 0
    while {$level + 1 < $levels
        && double($bucket_ns) * 2 ** ($level + 1) <= $column_ns} {
        incr level
    }
    return $level
}

# starts --
#
#   The operations that start in each bucket of a chunk, from its BLOB.

proc ::view::density::starts {data} {
    # u16 covered, u16 starts, u32 longest: the second of four u16.
    binary scan $data su* words
    set starts {}
    foreach {covered start low high} $words {
        lappend starts $start
    }
    return $starts
}

# columns --
#
#   How many operations begin in each column of a window, over all hosts.
#
# Arguments:
#   run         of eventspace::open
#   t0, span    the window
#   count       how many columns
#
# Results:
#   A list of doubles; empty when the run has no pyramid.

proc ::view::density::columns {run t0 span count} {
    variable Chunk

    lassign [lindex [$run query "SELECT bucket_ns, levels FROM timeline_row
        WHERE kind = 'host' LIMIT 1"] 0] bucket_ns levels
    if {$bucket_ns eq ""} {
        return {}
    }
    set level [level $bucket_ns $levels [ns scale $span $count 1]]
    set wide [expr {double($bucket_ns) * 2 ** $level}]
    set first [expr {int(max(0.0, $t0) / $wide)}]
    set last [expr {int(($t0 + $span) / $wide)}]
    set sums [lrepeat $count 0.0]
    foreach chunk [$run query "SELECT l.chunk, l.data FROM timeline_level l
        JOIN timeline_row r USING (row) WHERE r.kind = 'host'
        AND l.level = :level AND l.chunk BETWEEN :first AND :last" -bind \
        [list level $level first [expr {$first / $Chunk}] \
        last [expr {$last / $Chunk}]]] {
        lassign $chunk number data
        set sums [Add $sums [starts $data] \
            [expr {$number * $Chunk * $wide}] \
            [list $wide $t0 $span [$run get span]]]
    }
    return $sums
}

# Add what starts in the buckets of a chunk to the columns that they cover,
# to each in proportion; the last bucket ends with the run.
proc ::view::density::Add {sums starts at how} {
    lassign $how wide t0 span whole
    foreach start $starts {
        set end [expr {min($at + $wide, $whole)}]
        if {$start && $end > $t0 && $at < $t0 + $span} {
            set sums [Spread $sums $start [list $at $end] [list $t0 $span]]
        }
        set at [expr {$at + $wide}]
    }
    return $sums
}

proc ::view::density::Spread {sums start bucket window} {
    lassign $window t0 span
    set count [llength $sums]
    lassign [lmap ns $bucket { ns pixel $t0 $span $count $ns }] from to
    set last [expr {min($count - 1, int(ceil($to)) - 1)}]
    for {set n [expr {max(0, int(floor($from)))}]} {$n <= $last} {incr n} {
        set part [ns share [expr {min($to, $n + 1.0) - max($from, $n)}] \
            [expr {$to - $from}]]
        lset sums $n [expr {[lindex $sums $n] + $start * $part}]
    }
    return $sums
}
