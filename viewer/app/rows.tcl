# rows.tcl --
#
#   Decides which rows of a run are shown, and in which order.
#
#   Rows form a tree: hosts, processes, threads.  Filters remove threads,
#   folding removes the rows below a host or a process, sorting orders
#   siblings, and pinned rows come first.  Two kinds of rows are never shown:
#   the run as a whole, which has the overview, and a process with one thread,
#   which is represented by the thread.  This part uses no widgets.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::ns

namespace eval ::view::rows {
    namespace path ::view
    namespace export load all get shown check describe filter children \
        thread named lineage orders facts folds
    namespace ensemble create

    # Rows as dictionaries, as in [R rows]; an index is the number of a row.
    variable Rows {}
    # Dictionary from thread to {share .. communication .. ..}; see [load].
    variable Facts {}
    # Dictionary from thread to row.
    variable ByThread {}
    # Dictionary from row to the rows just below it; hosts are below "".
    variable Children {}
    # Dictionary from the row of a process with one thread to the row of that
    # thread.
    variable OnlyThread {}
    variable Orders {map name share communication wait operations}
}
package provide view::rows 0.1

# load --
#
#   Sets the rows of the run.
#
# Arguments:
#   rows    result of [R rows]
#   facts   a dictionary from thread to {share .. communication .. wait ..
#           operations ..}, the numbers for filters and sorting

proc ::view::rows::load {rows facts} {
    variable Rows {}
    variable Facts $facts
    variable ByThread {}
    variable Children {}
    variable OnlyThread {}

    foreach row $rows {
        set row [WithDepth $row]
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

# Returns a row with the depth at which it is shown: 0 for hosts, -1 for rows
# that are not shown.
proc ::view::rows::WithDepth {row} {
    variable Rows
    variable OnlyThread

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
                dict set OnlyThread [dict get $above row] [dict get $row row]
                dict set row parent [dict get $above parent]
                dict incr row depth -1
            }
        }
    }
    return $row
}

# all --
#
#   Returns all rows that can be shown, as dictionaries.

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
#   Returns the row of a thread; empty when it has none.

proc ::view::rows::thread {thread} {
    variable ByThread
    if {![dict exists $ByThread $thread]} {
        return {}
    }
    return [dict get $ByThread $thread]
}

# named --
#
#   Returns the row of a host, process or thread with an id; empty when it has
#   none.

proc ::view::rows::named {kind id} {
    variable Rows
    variable OnlyThread

    foreach row $Rows {
        if {[dict get $row kind] eq $kind && [dict get $row id] == $id} {
            set row [dict get $row row]
            return [expr {[dict exists $OnlyThread $row]
                ? [dict get $OnlyThread $row] : $row}]
        }
    }
    return {}
}

# lineage --
#
#   Returns a row and all rows above it, the row itself first.

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
#   Returns the rows just below a row; the hosts when row is empty.

proc ::view::rows::children {row} {
    variable Children

    if {![dict exists $Children $row]} {
        return {}
    }
    return [dict get $Children $row]
}

# folds --
#
#   Returns the rows of a kind, host or process, that can be folded.

proc ::view::rows::folds {kind} {
    return [lmap row [all] {
        if {[dict get $row kind] ne $kind} continue
        dict get $row row
    }]
}

# facts --
#
#   Returns the numbers of a row.  For a host or a process share is the mean
#   over the rows just below it, and the other numbers are sums.

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
#   Parses a filter.
#
# Arguments:
#   text    thread=PATTERN, process=PATTERN, host=PATTERN, share>N, share<N
#           (percent), wait>TIME, wait<TIME, operations>N, operations<N; a
#           pattern can also follow !=
#
# Results:
#   {KEY RELATION VALUE}.  Throws {EVENTSPACE VIEW FILTER}.

proc ::view::rows::check {text} {
    if {[regexp {^(thread|process|host)(!?=)(\S.*)$} $text - key relation \
        value]} {
        return [list $key $relation $value]
    }
    if {[regexp {^(share|wait|operations)([<>])(.+)$} $text - key relation \
        value]} {
        switch -- $key {
            wait { return [list $key $relation [ns read $value]] }
            share { set value [string trimright $value "% "] }
        }
        if {[string is double -strict $value]} {
            return [list $key $relation [expr {double($value)}]]
        }
    }
    throw {EVENTSPACE VIEW FILTER} "\"$text\" is not a filter: expected\
        thread=NAME, process=NAME, host=NAME, share>PERCENT, wait>TIME or\
        operations>N"
}

# filter --
#
#   Returns true if a thread's row passes a filter.

proc ::view::rows::filter {row text} {
    lassign [check $text] key relation value
    if {$relation in {= !=}} {
        set found 0
        foreach above [concat [lineage $row] [dict get [get $row] process]] {
            set entry [get $above]
            if {[dict get $entry kind] eq $key
                && [string match $value [dict get $entry name]]} {
                set found 1
            }
        }
        return [expr {$relation eq "=" ? $found : !$found}]
    }
    set number [dict get [facts $row] $key]
    if {$key eq "share"} {
        set number [expr {100.0 * $number}]
    }
    return [expr {$relation eq ">" ? $number > $value : $number < $value}]
}

# shown --
#
#   Returns the rows to show.
#
# Arguments:
#   criteria  a dictionary: filters (list of texts), hidden, folded and pinned
#             (lists of rows), sort {ORDER ASCENDING}
#
# Results:
#   A list of rows, from the top.

proc ::view::rows::shown {criteria} {
    variable Rows

    # Lists would be searched for each row.
    foreach key {hidden folded} {
        set rows {}
        foreach row [dict get $criteria $key] {
            dict set rows $row 1
        }
        dict set criteria $key $rows
    }
    set passing {}
    foreach row $Rows {
        if {[dict get $row kind] eq "thread"
            && [Passes [dict get $row row] $criteria]} {
            foreach above [lineage [dict get $row row]] {
                dict set passing $above 1
            }
        }
    }
    set pinned [lmap row [dict get $criteria pinned] {
        if {![dict exists $passing $row]} continue
        set row
    }]
    set shown $pinned
    foreach row [Siblings {} [dict get $criteria sort]] {
        lappend shown {*}[Below $row $criteria $passing]
    }
    return $shown
}

# Returns true if a thread's row passes all filters, and neither it nor a row
# above it is hidden.
proc ::view::rows::Passes {row criteria} {
    foreach above [lineage $row] {
        if {[dict exists $criteria hidden $above]} {
            return 0
        }
    }
    foreach text [dict get $criteria filters] {
        if {![filter $row $text]} {
            return 0
        }
    }
    return 1
}

# Returns a row and the rows shown below it, without pinned rows.
proc ::view::rows::Below {row criteria passing} {
    if {![dict exists $passing $row]} {
        return {}
    }
    set shown {}
    if {$row ni [dict get $criteria pinned]} {
        lappend shown $row
    }
    if {[dict exists $criteria folded $row]} {
        return $shown
    }
    foreach child [Siblings $row [dict get $criteria sort]] {
        lappend shown {*}[Below $child $criteria $passing]
    }
    return $shown
}

# Returns the children of a row (empty: the hosts) in the order of sort.
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
#   Returns the full name of a row: HOST / PROCESS / THREAD.

proc ::view::rows::describe {row} {
    return [join [lreverse [lmap above [lineage $row] {
        dict get [get $above] name
    }]] " / "]
}
