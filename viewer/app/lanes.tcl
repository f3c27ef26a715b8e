# lanes.tcl --
#
#   A canvas with the timeline of a run: an axis, names and rows.
#
#   This part computes positions and draws.  The pane that owns the canvas
#   decides what to show and handles the mouse.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require eventspace_viewer
package require view::ns
package require view::rows
package require view::theme

namespace eval ::view::lanes {
    namespace path ::view
    namespace export create renew show width x time row first rowheight scroll \
        fits needs cursor
    namespace ensemble create

    # Dictionary from canvas to its run, t0, span, rows, first, rowheight.
    variable Canvases {}
    # Lengths in pixels at 96 dpi: width of the names, height of the axis,
    # smallest and largest height of a row.
    variable Gutter 170
    variable Axis 22
    variable Least 14
    variable Most 30
}
package provide view::lanes 0.1

# create --
#
#   Creates the canvas.
#
# Arguments:
#   canvas  path of the widget
#   run     command of [eventspace::open]
#
# Results:
#   The path.

proc ::view::lanes::create {canvas run} {
    variable Canvases
    variable Gutter
    variable Axis

    canvas $canvas -width [theme px 900] -height [theme px 260] \
        -takefocus 1 -highlightthickness 0 -borderwidth 0
    dict set Canvases $canvas [dict create run $run t0 0.0 span 1.0 rows {} \
        first 0 rowheight [theme px 20]]
    $canvas create timeline [theme px $Gutter] [theme px $Axis] -run $run \
        -scale [theme scale] -font ViewSmall -tags timeline
    bind $canvas <Destroy> [namespace code {Forget %W}]
    return $canvas
}

# renew --
#
#   Draws another run from now on.

proc ::view::lanes::renew {canvas run} {
    variable Canvases
    dict set Canvases $canvas run $run
    $canvas itemconfigure timeline -run $run
}

proc ::view::lanes::Forget {canvas} {
    variable Canvases
    dict unset Canvases $canvas
}

proc ::view::lanes::Get {canvas key} {
    variable Canvases
    return [dict get $Canvases $canvas $key]
}

# width --
#
#   Returns the width of the timeline in pixels, without the names.

proc ::view::lanes::width {canvas} {
    variable Gutter
    return [expr {max(1, [winfo width $canvas] - [theme px $Gutter])}]
}

proc ::view::lanes::rowheight {canvas} {
    return [Get $canvas rowheight]
}

# first, fits --
#
#   [first] returns the index of the topmost row, [fits] the number of rows
#   for which there is room.

proc ::view::lanes::first {canvas} {
    return [Get $canvas first]
}

proc ::view::lanes::fits {canvas} {
    variable Axis
    set height [expr {[winfo height $canvas] - [theme px $Axis]}]
    return [expr {max(1, $height / [Get $canvas rowheight])}]
}

# needs --
#
#   Returns the height at which all rows have their largest height.

proc ::view::lanes::needs {canvas} {
    variable Axis
    variable Most
    return [expr {[theme px $Axis]
        + [theme px $Most] * [llength [Get $canvas rows]]}]
}

# scroll --
#
#   Scrolls so that the row of an index is on top.

proc ::view::lanes::scroll {canvas first} {
    variable Canvases
    set last [expr {max(0, [llength [Get $canvas rows]] - [fits $canvas])}]
    dict set Canvases $canvas first [expr {min(max(0, int($first)), $last)}]
}

# x --
#
#   Returns the x coordinate of a time on a canvas.

proc ::view::lanes::x {canvas ns} {
    variable Gutter
    return [expr {[theme px $Gutter] + [ns pixel [Get $canvas t0] \
        [Get $canvas span] [width $canvas] $ns]}]
}

# time --
#
#   Returns the time at an x coordinate; empty in the column of names.

proc ::view::lanes::time {canvas x} {
    variable Gutter
    set x [expr {$x - [theme px $Gutter]}]
    if {$x < 0} {
        return {}
    }
    return [ns at [Get $canvas t0] [Get $canvas span] [width $canvas] $x]
}

# row --
#
#   Returns the row at a y coordinate; empty when there is none.

proc ::view::lanes::row {canvas y} {
    variable Axis
    set y [expr {int($y) - [theme px $Axis]}]
    if {$y < 0} {
        return {}
    }
    return [lindex [Get $canvas rows] \
        [expr {[first $canvas] + $y / [rowheight $canvas]}]]
}

# show --
#
#   Draws the canvas.
#
# Arguments:
#   canvas  path of the widget
#   what    a dictionary: t0 span rows theme selection links arrows critical
#           causes marks folded pinned highlighted colour unseen.  For the second run also like: the rows
#           of the first run with the same names, in the same order

proc ::view::lanes::show {canvas what} {
    variable Canvases
    variable Gutter
    variable Axis

    dict set Canvases $canvas [dict merge [dict get $Canvases $canvas] \
        [dict filter $what key t0 span rows]]
    Heights $canvas
    scroll $canvas [first $canvas]
    set last [expr {[first $canvas] + [fits $canvas]}]
    set rows [lrange [dict get $what rows] [first $canvas] $last]
    $canvas coords timeline [theme px $Gutter] [theme px $Axis]
    $canvas itemconfigure timeline -t0 [dict get $what t0] \
        -span [dict get $what span] -rows $rows -width [width $canvas] \
        -height [expr {max(1, [winfo height $canvas] - [theme px $Axis])}] \
        -rowheight [rowheight $canvas] -theme [dict get $what theme] \
        -colour [dict get $what colour] -hide [dict get $what unseen] \
        -selection [dict get $what selection] \
        -highlight [dict get $what links] -arrows [dict get $what arrows] \
        -critical [dict get $what critical] \
        -causes [dict get $what causes] \
        -marks [dict get $what marks]
    $canvas delete decoration
    DrawAxis $canvas
    if {[dict exists $what like]} {
        set rows [lrange [dict get $what like] [first $canvas] $last]
    }
    DrawNames $canvas $rows $what
}

# Sets the height of rows: the room divided by their number, within limits.
proc ::view::lanes::Heights {canvas} {
    variable Canvases
    variable Axis
    variable Least
    variable Most

    set room [expr {[winfo height $canvas] - [theme px $Axis]}]
    set count [expr {max(1, [llength [Get $canvas rows]])}]
    dict set Canvases $canvas rowheight \
        [expr {max([theme px $Least], min([theme px $Most], $room / $count))}]
}

proc ::view::lanes::DrawAxis {canvas} {
    variable Axis

    set y [theme px $Axis]
    set most [expr {[width $canvas] / [theme px 110]}]
    foreach tick [ns ticks [Get $canvas t0] [Get $canvas span] $most] {
        lassign $tick ns text
        set x [x $canvas $ns]
        $canvas create line $x [expr {$y - [theme px 5]}] $x $y \
            -fill [theme colour axis] -tags decoration
        set anchor sw
        if {$x + [font measure ViewSmall $text] > [winfo width $canvas]} {
            set anchor se
        }
        $canvas create text [expr {$x + ($anchor eq "sw" ? 3 : -3)}] \
            [expr {$y - [theme px 4]}] -anchor $anchor \
            -text $text -font ViewSmall -fill [theme colour dim] \
            -tags decoration
    }
}

proc ::view::lanes::DrawNames {canvas rows what} {
    variable Axis

    set y [theme px $Axis]
    set height [rowheight $canvas]
    foreach row $rows {
        DrawName $canvas $row [expr {$y + $height / 2.0}] $what
        incr y $height
    }
}

proc ::view::lanes::DrawName {canvas row middle what} {
    variable Gutter

    set entry [rows get $row]
    set half [expr {[rowheight $canvas] / 2.0}]
    set highlighted [expr {$row in [dict get $what highlighted]}]
    if {$highlighted} {
        $canvas create rectangle 0 [expr {$middle - $half}] \
            [theme px $Gutter] [expr {$middle + $half}] \
            -outline {} -fill [theme colour highlight] -tags decoration
    }
    set sign ""
    if {[dict get $entry kind] ne "thread"} {
        set sign [expr {$row in [dict get $what folded] ? "\u25b8 "
            : "\u25be "}]
    }
    if {$row in [dict get $what pinned]} {
        append sign "\u2020 "
    }
    $canvas create text \
        [theme px [expr {6 + 12 * [dict get $entry depth]}]] $middle \
        -anchor w -text $sign[dict get $entry name] -tags decoration \
        -font [expr {[dict get $entry kind] eq "thread" ? "TkDefaultFont"
            : "ViewBold"}] -fill [expr {$highlighted ? "#000000"
            : [theme colour text]}]
    if {[dict exists $what like]} {
        return
    }
    $canvas create text [expr {[theme px $Gutter] - [theme px 6]}] $middle \
        -anchor e -font ViewSmall -fill [expr {$highlighted ? "#000000"
            : [theme colour dim]}] -tags decoration \
        -text [::eventspace::unit text share \
            [dict get [rows facts $row] share] 0.01]
}

# cursor --
#
#   Draws the line of the cursor at a time; removes it when the time is empty
#   or outside the window.

proc ::view::lanes::cursor {canvas ns} {
    variable Axis

    $canvas delete cursor
    if {$ns eq "" || $ns < [Get $canvas t0]
        || $ns > [Get $canvas t0] + [Get $canvas span]} {
        return
    }
    set x [x $canvas $ns]
    $canvas create line $x [expr {[theme px $Axis] - [theme px 8]}] $x \
        [winfo height $canvas] -fill [theme colour mark] -tags cursor
}
