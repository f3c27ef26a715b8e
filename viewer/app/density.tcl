# density.tcl --
#
#   Counts the operations that begin in each column of a window.  The timeline
#   shows these counts when there are too many arrows to draw.
#
#   The counts come from the drawing pyramid, so a long run takes no longer
#   than a short one.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::ns

namespace eval ::view::density {
    namespace path ::view
    namespace export level columns starts
    namespace ensemble create

    # Number of buckets of a chunk of the pyramid.
    variable Chunk 1020
}
package provide view::density 0.1

# level --
#
#   Returns the highest level of the pyramid whose buckets are not wider than
#   a column; 0 when all are wider.
#
# Arguments:
#   bucket_ns   width of a bucket of level 0
#   levels      number of levels
#   column_ns   width of a column

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
#   Returns the number of operations that start in each bucket of a chunk,
#   from its BLOB.

proc ::view::density::starts {data} {
    # A bucket is u16 covered, u16 starts, u32 longest.  Read as four u16, the
    # second is the number of starts.
    binary scan $data su* words
    set starts {}
    foreach {covered start low high} $words {
        lappend starts $start
    }
    return $starts
}

# columns --
#
#   Returns the number of operations that begin in each column of a window,
#   summed over all hosts.
#
# Arguments:
#   run         command of [eventspace::open]
#   t0, span    the window, ns
#   count       number of columns
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
    set bucket [expr {double($bucket_ns) * 2 ** $level}]
    set first [expr {int(max(0.0, $t0) / $bucket)}]
    set last [expr {int(($t0 + $span) / $bucket)}]
    set sums [lrepeat $count 0.0]
    foreach chunk [$run query "SELECT l.chunk, l.data FROM timeline_level l
        JOIN timeline_row r USING (row) WHERE r.kind = 'host'
        AND l.level = :level AND l.chunk BETWEEN :first AND :last" -bind \
        [list level $level first [expr {$first / $Chunk}] \
        last [expr {$last / $Chunk}]]] {
        lassign $chunk number data
        set sums [Add $sums [starts $data] \
            [expr {$number * $Chunk * $bucket}] \
            [list $bucket $t0 $span [$run get span]]]
    }
    return $sums
}

# Adds the starts of a chunk to the columns.  A bucket that covers several
# columns is divided among them in proportion.
#
# Arguments:
#   sums    the columns
#   starts  number of starts of each bucket
#   at      start of the first bucket, ns
#   scale   {BUCKET T0 SPAN WHOLE}, all ns: width of a bucket, the window, and
#           the length of the run, with which the last bucket ends
proc ::view::density::Add {sums starts at scale} {
    lassign $scale width t0 span whole
    foreach start $starts {
        set end [expr {min($at + $width, $whole)}]
        if {$start && $end > $t0 && $at < $t0 + $span} {
            set sums [Spread $sums $start [list $at $end] [list $t0 $span]]
        }
        set at [expr {$at + $width}]
    }
    return $sums
}

# Adds the starts of one bucket to the columns that it covers.
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
