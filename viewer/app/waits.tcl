# waits.tcl --
#
#   The page that tells who waits for whom at a time, and the arrows from those
#   who wait to those they wait for, in the timeline.
#
#   The rows are those of the table waits_at, which reads the event spaces.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::lanes
package require view::ns
package require view::rows
package require view::run
package require view::state
package require view::tables
package require view::theme

namespace eval ::view::waits {
    namespace path ::view
    namespace export create pick draw visible
    namespace ensemble create

    variable Frame {}
    # Lists {waiter culprit start_ns stop_ns} of threads at the time that is
    # shown; culprit and stop_ns can be empty.
    variable Found {}
    # Lengths in pixels at 96 dpi: height of the bar of a wait; how far the
    # arrow of the first wait bends, and how much further each one after it.
    variable Bar 3
    variable Bend 16
    variable Further 5
    # Most arrows that are drawn.
    variable Most 200
}
package provide view::waits 0.1

# create --
#
#   Creates the page.

proc ::view::waits::create {frame} {
    variable Frame $frame

    ttk::frame $frame
    ttk::label $frame.about -padding [theme px 4] -text [Hint]
    tables create $frame.rows
    grid $frame.about -sticky ew
    grid $frame.rows -sticky nsew
    grid columnconfigure $frame 0 -weight 1
    grid rowconfigure $frame 1 -weight 1
    state watch at [namespace code Changed] $frame
    return $frame
}

proc ::view::waits::Hint {} {
    return "Press W with the pointer in the timeline, or click there while this\
        page is shown, to see who waits for whom at that time."
}

# visible --
#
#   Returns true if the page is shown.

proc ::view::waits::visible {} {
    variable Frame
    return [winfo ismapped $Frame]
}

# pick --
#
#   Shows a time; empty: none.

proc ::view::waits::pick {ns} {
    state put at [expr {$ns eq "" ? {} : round($ns)}]
}

# Reads the waits of the time in the state, and shows them.
proc ::view::waits::Changed {args} {
    variable Frame
    variable Found {}

    Read [state get at]
    timeline draw
}

proc ::view::waits::Read {at} {
    variable Frame
    variable Found

    if {$at eq ""} {
        $Frame.about configure -text [Hint]
        grid remove $Frame.rows
        return
    }
    if {[catch {run query "SELECT waiter, culprit, start_ns, stop_ns
        FROM waits_at(:at) ORDER BY start_ns" -bind [list at $at]} read]} {
        $Frame.about configure -text "No waits are known: $read"
        grid remove $Frame.rows
        return
    }
    set Found $read
    $Frame.about configure -text [Summary $at]
    grid $Frame.rows
    tables query $Frame.rows [Query] [list at $at]
}

# Returns the sentence about the waits that were found.
proc ::view::waits::Summary {at} {
    variable Found

    set waiting {}
    set inside {}
    foreach wait $Found {
        lassign $wait waiter culprit
        dict set inside $waiter 1
        if {$culprit ne ""} {
            dict set waiting $waiter 1
        }
    }
    set threads [run scalar "SELECT count(*) FROM thread"]
    set without [expr {[dict size $inside] - [dict size $waiting]}]
    set time [ns text $at [ns scale [state get span] 1000 1]]
    return "At $time [dict size $waiting] of $threads [run workers] wait\
        for another one, $without are in an operation without a culprit,\
        [expr {$threads - [dict size $inside]}] in none."
}

# Returns the query of the table.  Columns of MPI calls are left out for
# operations on paths, and the other way round.
proc ::view::waits::Query {} {
    set where [expr {[[run main] get mpi] ? "site" : "stage"}]
    return "SELECT waiter, culprit, pattern, op, $where,
        :at - start_ns AS waiting_ns, stop_ns - :at AS rest_ns
        FROM waits_at(:at) ORDER BY culprit IS NULL, start_ns"
}

# draw --
#
#   Draws the time and its waits on the canvas of the timeline: a line, a bar
#   for each wait, and arrows to the rows that are waited for.  A row in a fold
#   is represented by the row above it.

proc ::view::waits::draw {canvas} {
    variable Found
    variable Most

    set at [state get at]
    if {$at eq "" || $at < [state get t0]
        || $at > [state get t0] + [state get span]} {
        return
    }
    set x [lanes x $canvas $at]
    $canvas create line $x [theme px $::view::lanes::Axis] $x \
        [winfo height $canvas] -fill [theme colour mark] -dash . \
        -tags {decoration waits}
    set arrows {}
    foreach wait $Found {
        lassign $wait waiter culprit start stop
        set from [Middle $canvas $waiter]
        if {$from eq "" || $culprit eq ""} continue
        Wait $canvas $from $start $stop
        set to [Middle $canvas $culprit]
        # Threads of one folded row need one arrow.
        if {$to ne "" && $to != $from} {
            dict set arrows $from,$to [list $from $to]
        }
    }
    set n -1
    dict for {key arrow} $arrows {
        if {[incr n] == $Most} break
        Arrow $canvas $x {*}$arrow $n
    }
}

# Returns the y coordinate of the middle of a thread's row, or of the row that
# it is folded into; empty when it is not visible.
proc ::view::waits::Middle {canvas thread} {
    set row [rows thread $thread]
    if {$row eq ""} {
        return {}
    }
    set height [lanes rowheight $canvas]
    foreach above [rows lineage $row] {
        set at [lsearch -exact [state get shown] $above]
        if {$at < 0} continue
        set down [expr {$at - [lanes first $canvas]}]
        return [expr {$down < 0 ? {} : [theme px $::view::lanes::Axis]
            + ($down + 0.5) * $height}]
    }
    return {}
}

# Draws the bar of a wait at the lower edge of its row.
proc ::view::waits::Wait {canvas middle start stop} {
    variable Bar

    if {$stop eq ""} {
        set stop [state get whole]
    }
    set left [lanes x $canvas [state get t0]]
    set low [expr {$middle + [lanes rowheight $canvas] / 2.0 - 1}]
    $canvas create rectangle \
        [expr {max($left, [lanes x $canvas $start])}] \
        [expr {$low - [theme px $Bar]}] \
        [expr {min([winfo width $canvas], [lanes x $canvas $stop])}] $low \
        -outline {} -fill [theme colour mark] -tags {decoration waits}
}

# Draws arrow n, bent to the right; to the left at the right edge.
proc ::view::waits::Arrow {canvas x from to n} {
    variable Bend
    variable Further

    set bend [theme px [expr {$Bend + $Further * ($n % 12)}]]
    if {$x + $bend > [winfo width $canvas]} {
        set bend [expr {-$bend}]
    }
    $canvas create line $x $from [expr {$x + $bend}] \
        [expr {($from + $to) / 2.0}] $x $to -smooth 1 -arrow last \
        -width [theme px 3] -fill [theme colour mark] \
        -arrowshape [lmap length {10 12 5} { theme px $length }] \
        -tags {decoration waits arrow}
}

namespace eval ::view {
    action define waits "Who waits for whom at the pointer, or at a time" {W} {
        {ns {}}
    } {
        if {$ns eq ""} {
            set ns [expr {[state get cursor] ne "" ? [state get cursor]
                : [ns middle [state get t0] [state get span]]}]
        }
        waits pick $ns
        frame page waits
    }
}
