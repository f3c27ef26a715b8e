# rows.tcl --
#
#   Which rows of a run are shown, and in which order.
#
#   Rows are a tree: hosts, processes, threads.  Filters take threads away,
#   folding takes away what is below a host or a process, sorting orders
#   siblings, and what is pinned comes first.  The run as a whole has a row of
#   its own in the model, which is not shown: the overview is.  Nor is a
#   process that has one thread: that stands for it.  Nothing here knows of
#   widgets.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::ns

namespace eval ::view::rows {
    namespace path ::view
    namespace export load all get shown check describe filter children \
        thread named lineage orders facts
    namespace ensemble create

    # Dicts as [R rows] gives them; facts of threads {thread {share .. }}.
    variable Rows {}
    variable Facts {}
    variable ByThread {}
    # Row to those just below it; "" to the hosts.
    variable Children {}
    # Process that is not shown, to the thread that stands for it.
    variable Instead {}
    variable Orders {map name share communication wait operations}
}
package provide view::rows 0.1

# load --
#
#   Take the rows of a run.
#
# Arguments:
#   rows    as [R rows] gives them
#   facts   a dictionary: thread to {share .. communication .. wait ..
#           operations ..}, of which filters and sorting know

proc ::view::rows::load {rows facts} {
    variable Rows {}
    variable Facts $facts
    variable ByThread {}
    variable Children {}
    variable Instead {}

    foreach row $rows {
        set row [Place $row]
        lappend Rows $row
        set depth [dict get $row depth]
        if {$depth < 0} continue
        dict lappend Children \
            [expr {$depth ? [dict get $row parent] : {}}] [dict get $row row]
        if {[dict get $row kind] eq "thread"} {
            dict set ByThread [dict get $row id] [dict get $row row]
        }
    }
}

# A row with the depth that it is shown at, from 0; -1: it is not shown.
proc ::view::rows::Place {row} {
    variable Rows
    variable Instead

    dict incr row depth -1
    dict set row process {}
    switch -- [dict get $row kind] {
        process {
            if {[dict get $row threads] == 1} {
                dict set row depth -1
            }
        }
        thread {
            set above [lindex $Rows [dict get $row parent]]
            dict set row process [dict get $above row]
            if {[dict get $above depth] < 0} {
                dict set Instead [dict get $above row] [dict get $row row]
                dict set row parent [dict get $above parent]
                dict incr row depth -1
            }
        }
    }
    return $row
}

# all --
#
#   All rows that can be shown, as dictionaries.

proc ::view::rows::all {} {
    variable Rows
    return [lmap row $Rows {
        if {[dict get $row depth] < 0} continue
        set row
    }]
}

proc ::view::rows::get {row} {
    variable Rows
    return [lindex $Rows $row]
}

proc ::view::rows::orders {} {
    variable Orders
    return $Orders
}

# thread --
#
#   The row of a thread; empty when it has none.

proc ::view::rows::thread {thread} {
    variable ByThread
    if {![dict exists $ByThread $thread]} {
        return {}
    }
    return [dict get $ByThread $thread]
}

# named --
#
#   The row of a thing, kind and id.

proc ::view::rows::named {kind id} {
    variable Rows
    variable Instead

    foreach row $Rows {
        if {[dict get $row kind] eq $kind && [dict get $row id] == $id} {
            set row [dict get $row row]
            return [expr {[dict exists $Instead $row]
                ? [dict get $Instead $row] : $row}]
        }
    }
    return {}
}

# lineage --
#
#   A row and all above it, itself first.

proc ::view::rows::lineage {row} {
    variable Rows

    set lineage [list $row]
    while {[dict get [lindex $Rows $row] depth] > 0} {
        set row [dict get [lindex $Rows $row] parent]
        lappend lineage $row
    }
    return $lineage
}

# children --
#
#   The rows just below a row; of an empty one the hosts.

proc ::view::rows::children {row} {
    variable Children

    if {![dict exists $Children $row]} {
        return {}
    }
    return [dict get $Children $row]
}

# facts --
#
#   What is known of a row in numbers: of hosts and processes the mean or the
#   sum over their threads.

proc ::view::rows::facts {row} {
    variable Rows
    variable Facts

    set entry [lindex $Rows $row]
    if {[dict get $entry kind] eq "thread"} {
        set id [dict get $entry id]
        if {[dict exists $Facts $id]} {
            return [dict get $Facts $id]
        }
        return {share 0 communication 0 wait 0 operations 0}
    }
    set sums {share 0.0 communication 0.0 wait 0.0 operations 0.0}
    set below [children $row]
    foreach child $below {
        dict for {name value} [facts $child] {
            dict set sums $name [expr {[dict get $sums $name] + $value}]
        }
    }
    dict set sums share [ns share [dict get $sums share] [llength $below]]
    return $sums
}

# check --
#
#   Whether a filter can be understood.
#
# Arguments:
#   text    thread=PATTERN, process=PATTERN, host=PATTERN, share>N, share<N
#           (percent), wait>TIME, wait<TIME, operations>N, operations<N
#
# Results:
#   {WHAT RELATION VALUE}.  Throws {EVENTSPACE VIEW FILTER}.

proc ::view::rows::check {text} {
    if {[regexp {^(thread|process|host)(!?=)(\S.*)$} $text - what how value]} {
        return [list $what $how $value]
    }
    if {[regexp {^(share|wait|operations)([<>])(.+)$} $text - what how value]} {
        switch -- $what {
            wait { return [list $what $how [ns read $value]] }
            share { set value [string trimright $value "% "] }
        }
        if {[string is double -strict $value]} {
            return [list $what $how [expr {double($value)}]]
        }
    }
    throw {EVENTSPACE VIEW FILTER} "\"$text\" is no filter: expected\
        thread=NAME, process=NAME, host=NAME, share>PERCENT, wait>TIME or\
        operations>N"
}

# filter --
#
#   Whether a thread's row passes a filter.

proc ::view::rows::filter {row text} {
    lassign [check $text] what how value
    if {$how in {= !=}} {
        set found 0
        foreach above [concat [lineage $row] [dict get [get $row] process]] {
            set entry [get $above]
            if {[dict get $entry kind] eq $what
                && [string match $value [dict get $entry name]]} {
                set found 1
            }
        }
        return [expr {$how eq "=" ? $found : !$found}]
    }
    set is [dict get [facts $row] $what]
    if {$what eq "share"} {
        set is [expr {100.0 * $is}]
    }
    return [expr {$how eq ">" ? $is > $value : $is < $value}]
}

# shown --
#
#   The rows to be shown.
#
# Arguments:
#   how     a dictionary: filters (list of texts), hidden, folded and pinned
#           (lists of rows), sort {ORDER ASCENDING}
#
# Results:
#   A list of rows, from the top.

proc ::view::rows::shown {how} {
    variable Rows

    set passing {}
    foreach row $Rows {
        if {[dict get $row kind] eq "thread"
            && [Passes [dict get $row row] $how]} {
            foreach above [lineage [dict get $row row]] {
                dict set passing $above 1
            }
        }
    }
    set pinned [lmap row [dict get $how pinned] {
        if {![dict exists $passing $row]} continue
        set row
    }]
    set shown $pinned
    foreach row [Siblings {} [dict get $how sort]] {
        lappend shown {*}[Below $row $how $passing]
    }
    return $shown
}

proc ::view::rows::Passes {row how} {
    foreach above [lineage $row] {
        if {$above in [dict get $how hidden]} {
            return 0
        }
    }
    foreach text [dict get $how filters] {
        if {![filter $row $text]} {
            return 0
        }
    }
    return 1
}

# A row with what is to be shown below it, without what is pinned.
proc ::view::rows::Below {row how passing} {
    if {![dict exists $passing $row]} {
        return {}
    }
    set shown {}
    if {$row ni [dict get $how pinned]} {
        lappend shown $row
    }
    if {$row in [dict get $how folded]} {
        return $shown
    }
    foreach child [Siblings $row [dict get $how sort]] {
        lappend shown {*}[Below $child $how $passing]
    }
    return $shown
}

# The children of a row (empty: hosts) in the order that is wanted.
proc ::view::rows::Siblings {row sort} {
    lassign $sort order ascending
    set siblings [children $row]
    set direction [expr {$ascending ? "-increasing" : "-decreasing"}]
    switch -- $order {
        map {
            return [expr {$ascending ? $siblings : [lreverse $siblings]}]
        }
        name {
            set keyed [lmap one $siblings {
                list [dict get [get $one] name] $one
            }]
            set keyed [lsort -dictionary $direction -index 0 $keyed]
        }
        default {
            set keyed [lmap one $siblings {
                list [dict get [facts $one] $order] $one
            }]
            set keyed [lsort -real $direction -index 0 $keyed]
        }
    }
    return [lmap entry $keyed { lindex $entry 1 }]
}

# describe --
#
#   A row's full name: HOST / PROCESS / THREAD.

proc ::view::rows::describe {row} {
    return [join [lreverse [lmap above [lineage $row] {
        dict get [get $above] name
    }]] " / "]
}
