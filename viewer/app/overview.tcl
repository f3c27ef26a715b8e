# overview.tcl --
#
#   The overview: a strip that shows the whole run and the timeline's window.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require eventspace_viewer
package require view::ns
package require view::rows
package require view::run
package require view::state
package require view::theme
package require view::window

namespace eval ::view::overview {
    namespace path ::view
    namespace export create renew surface
    namespace ensemble create

    variable Canvas {}
    variable Gutter 170
    variable Height 34
    # During a drag, time from the left edge of the window to the pointer, ns.
    variable DragOffset {}
    # Most hosts or processes that have a row of their own.
    variable MostRows 4
    # Height of the ticks at hits of the search.
    variable Tick 6
}
package provide view::overview 0.1

# create --
#
#   Creates the strip.
#
# Arguments:
#   canvas  path of the widget

proc ::view::overview::create {canvas} {
    variable Canvas $canvas
    variable Gutter
    variable Height

    canvas $canvas -height [theme px $Height] -highlightthickness 0 \
        -borderwidth 0
    $canvas create timeline [theme px $Gutter] 0 -run [run main] \
        -scale [theme scale] -tags timeline
    bind $canvas <Configure> [namespace code Draw]
    bind $canvas <ButtonPress-1> [namespace code {Press %x}]
    bind $canvas <B1-Motion> [namespace code {Move %x}]
    bind $canvas <ButtonPress-4> [namespace code {Wheel %x 1}]
    bind $canvas <ButtonPress-5> [namespace code {Wheel %x -1}]
    state watch {t0 span whole theme selection cursor colour unseen
        hits} [namespace code Draw] $canvas
    return $canvas
}

# renew --
#
#   Draws the run that was opened again.

proc ::view::overview::renew {} {
    variable Canvas
    $Canvas itemconfigure timeline -run [run main]
    Draw
}

proc ::view::overview::surface {} {
    variable Canvas
    return $Canvas
}

proc ::view::overview::Width {} {
    variable Canvas
    variable Gutter
    return [expr {max(1, [winfo width $Canvas] - [theme px $Gutter])}]
}

proc ::view::overview::XOf {ns} {
    variable Gutter
    return [expr {[theme px $Gutter]
        + [ns pixel 0 [state get whole] [Width] $ns]}]
}

proc ::view::overview::Time {x} {
    variable Gutter
    return [ns at 0 [state get whole] [Width] \
        [expr {$x - [theme px $Gutter]}]]
}

# Returns the first rows of the tree of hosts.  While there is one row with
# few children, its children take its place.
proc ::view::overview::Rows {} {
    variable MostRows

    set rows [rows children {}]
    while {[llength $rows] == 1
        && [llength [set below [rows children [lindex $rows 0]]]]
        && [llength $below] <= $MostRows} {
        set rows $below
    }
    return [lrange $rows 0 $MostRows-1]
}

proc ::view::overview::Draw {args} {
    variable Canvas
    variable Height

    set rows [Rows]
    set high [expr {[theme px $Height] - [theme px 4]}]
    $Canvas itemconfigure timeline -t0 0.0 -span [state get whole] \
        -rows $rows -width [Width] -height $high \
        -rowheight [expr {max(1, $high / max(1, [llength $rows]))}] \
        -theme [state get theme] -colour [state get colour] \
        -hide [state get unseen] -selection [state get selection]
    $Canvas delete decoration
    set x0 [XOf [state get t0]]
    set x1 [expr {max($x0 + 2,
        [XOf [expr {[state get t0] + [state get span]}]])}]
    $Canvas create rectangle $x0 1 [expr {$x1 - 1}] $high \
        -outline [theme colour highlight] -width [theme px 2] \
        -tags decoration
    Ticks $high
    if {[state get cursor] ne ""} {
        set x [XOf [state get cursor]]
        $Canvas create line $x 0 $x $high -fill [theme colour mark] \
            -tags decoration
    }
    $Canvas create text [theme px 6] [expr {$high / 2}] -anchor w \
        -text "whole run, [ns text [state get whole]]" -font ViewSmall \
        -fill [theme colour dim] -tags decoration
}

# Draws a tick at the bottom for each column with hits of the search; adjacent
# ones are one rectangle.
proc ::view::overview::Ticks {bottom} {
    variable Canvas
    variable Gutter
    variable Tick

    set columns [hits columns]
    set count [llength $columns]
    set left [theme px $Gutter]
    set from -1
    set n -1
    foreach hits [list {*}$columns 0] {
        incr n
        if {$hits && $from < 0} {
            set from $n
        } elseif {!$hits && $from >= 0} {
            set x0 [expr {$left + [ns share [expr {$from * [Width]}] $count]}]
            set x1 [expr {$left + [ns share [expr {$n * [Width]}] $count]}]
            $Canvas create rectangle $x0 [expr {$bottom - [theme px $Tick]}] \
                [expr {max($x1, $x0 + 2)}] $bottom -outline {} \
                -fill [theme colour mark] -tags {decoration hit}
            set from -1
        }
    }
}

# Begins a drag of the window.  A press outside the window first centres the
# window at the pointer.
proc ::view::overview::Press {x} {
    variable DragOffset

    set ns [Time $x]
    set offset [expr {$ns - [state get t0]}]
    if {$offset < 0 || $offset > [state get span]} {
        set offset [ns middle 0 [state get span]]
    }
    set DragOffset $offset
    Move $x
}

proc ::view::overview::Move {x} {
    variable DragOffset
    window show [expr {[Time $x] - $DragOffset}] [state get span] drag
}

proc ::view::overview::Wheel {x notches} {
    ::action::zoom_at [Time $x] $notches
}
