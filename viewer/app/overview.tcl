# overview.tcl --
#
#   The whole run in a strip, with the window that the timeline shows.
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
    namespace export create surface
    namespace ensemble create

    variable Canvas {}
    variable Gutter 170
    variable Height 34
    # Where the pointer holds the window, from its left edge; ns.
    variable Held {}
    # So many hosts and processes are shown apart.
    variable Lanes 4
}
package provide view::overview 0.1

# create --
#
#   Make the strip.
#
# Arguments:
#   canvas  its path

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
    state watch {t0 span whole theme selection cursor} \
        [namespace code Draw] $canvas
    return $canvas
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

proc ::view::overview::Place {ns} {
    variable Gutter
    return [expr {[theme px $Gutter]
        + [ns pixel 0 [state get whole] [Width] $ns]}]
}

proc ::view::overview::Time {x} {
    variable Gutter
    return [ns at 0 [state get whole] [Width] \
        [expr {$x - [theme px $Gutter]}]]
}

# Hosts; of a single host its processes, of a single process that.
proc ::view::overview::Rows {} {
    variable Lanes

    set rows [rows children {}]
    while {[llength $rows] == 1
        && [llength [set below [rows children [lindex $rows 0]]]]
        && [llength $below] <= $Lanes} {
        set rows $below
    }
    return [lrange $rows 0 $Lanes-1]
}

proc ::view::overview::Draw {args} {
    variable Canvas
    variable Height

    set rows [Rows]
    set high [expr {[theme px $Height] - [theme px 4]}]
    $Canvas itemconfigure timeline -t0 0.0 -span [state get whole] \
        -rows $rows -width [Width] -height $high \
        -rowheight [expr {max(1, $high / max(1, [llength $rows]))}] \
        -theme [state get theme] -selection [state get selection]
    $Canvas delete furniture
    set x0 [Place [state get t0]]
    set x1 [expr {max($x0 + 2,
        [Place [expr {[state get t0] + [state get span]}]])}]
    $Canvas create rectangle $x0 1 [expr {$x1 - 1}] $high \
        -outline [theme colour highlight] -width [theme px 2] \
        -tags furniture
    if {[state get cursor] ne ""} {
        set x [Place [state get cursor]]
        $Canvas create line $x 0 $x $high -fill [theme colour mark] \
            -tags furniture
    }
    $Canvas create text [theme px 6] [expr {$high / 2}] -anchor w \
        -text "whole run, [ns text [state get whole]]" -font ViewSmall \
        -fill [theme colour dim] -tags furniture
}

# Inside the window it is held where it is; outside it jumps there.
proc ::view::overview::Press {x} {
    variable Held

    set ns [Time $x]
    set held [expr {$ns - [state get t0]}]
    if {$held < 0 || $held > [state get span]} {
        set held [ns middle 0 [state get span]]
    }
    set Held $held
    Move $x
}

proc ::view::overview::Move {x} {
    variable Held
    window show [expr {[Time $x] - $Held}] [state get span] drag
}

proc ::view::overview::Wheel {x turns} {
    ::action::zoom_at [Time $x] $turns
}
