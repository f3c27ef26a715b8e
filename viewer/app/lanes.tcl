# lanes.tcl --
#
#   A canvas with the timelines of a run: an axis, names, and the rows.
#
#   Knows how things are placed, not what they do: the pane that owns it says
#   what to show and answers the mouse.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require eventspace_viewer
package require view::ns
package require view::rows
package require view::theme

namespace eval ::view::lanes {
    namespace path ::view
    namespace export create show width place time row first rowheight scroll \
        fits needs cursor
    namespace ensemble create

    # Of each canvas: run, t0, span, rows, first, rowheight.
    variable Of {}
    # Lengths on a screen of 96 dpi.
    variable Gutter 170
    variable Axis 22
    variable Least 14
    variable Most 30
}
package provide view::lanes 0.1

# create --
#
#   Make the canvas.
#
# Arguments:
#   canvas  its path
#   run     of eventspace::open
#
# Results:
#   The path.

proc ::view::lanes::create {canvas run} {
    variable Of
    variable Gutter
    variable Axis

    canvas $canvas -width [theme px 900] -height [theme px 260] \
        -takefocus 1 -highlightthickness 0 -borderwidth 0
    dict set Of $canvas [dict create run $run t0 0.0 span 1.0 rows {} first 0 \
        rowheight [theme px 20]]
    $canvas create timeline [theme px $Gutter] [theme px $Axis] -run $run \
        -scale [theme scale] -tags timeline
    bind $canvas <Destroy> [namespace code {Forget %W}]
    return $canvas
}

proc ::view::lanes::Forget {canvas} {
    variable Of
    dict unset Of $canvas
}

proc ::view::lanes::Get {canvas key} {
    variable Of
    return [dict get $Of $canvas $key]
}

# width --
#
#   Pixels that time is drawn on.

proc ::view::lanes::width {canvas} {
    variable Gutter
    return [expr {max(1, [winfo width $canvas] - [theme px $Gutter])}]
}

proc ::view::lanes::rowheight {canvas} {
    return [Get $canvas rowheight]
}

# first, fits --
#
#   The index in the rows of the one on top, and how many there is room for.

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
#   How high the canvas would like to be.

proc ::view::lanes::needs {canvas} {
    variable Axis
    variable Most
    return [expr {[theme px $Axis]
        + [theme px $Most] * [llength [Get $canvas rows]]}]
}

# scroll --
#
#   Have another row on top.

proc ::view::lanes::scroll {canvas first} {
    variable Of
    set last [expr {max(0, [llength [Get $canvas rows]] - [fits $canvas])}]
    dict set Of $canvas first [expr {min(max(0, int($first)), $last)}]
}

# place --
#
#   Where a time is on a canvas, in its pixels.

proc ::view::lanes::place {canvas ns} {
    variable Gutter
    return [expr {[theme px $Gutter] + [ns pixel [Get $canvas t0] \
        [Get $canvas span] [width $canvas] $ns]}]
}

# time --
#
#   The time at x; empty left of where time is drawn.

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
#   The row at y; empty where there is none.

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
#   Draw.
#
# Arguments:
#   canvas
#   what    a dictionary: t0 span rows theme selection links arrows marks
#           folded pinned lit, and of rows that are not those of the run that
#           is looked at, like: the rows of it whose names they have

proc ::view::lanes::show {canvas what} {
    variable Of
    variable Gutter
    variable Axis

    dict set Of $canvas [dict merge [dict get $Of $canvas] \
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
        -selection [dict get $what selection] \
        -highlight [dict get $what links] -arrows [dict get $what arrows] \
        -marks [dict get $what marks]
    $canvas delete furniture
    DrawAxis $canvas
    if {[dict exists $what like]} {
        set rows [lrange [dict get $what like] [first $canvas] $last]
    }
    DrawNames $canvas $rows $what
}

# Rows take the room there is, within reason.
proc ::view::lanes::Heights {canvas} {
    variable Of
    variable Axis
    variable Least
    variable Most

    set room [expr {[winfo height $canvas] - [theme px $Axis]}]
    set count [expr {max(1, [llength [Get $canvas rows]])}]
    dict set Of $canvas rowheight \
        [expr {max([theme px $Least], min([theme px $Most], $room / $count))}]
}

proc ::view::lanes::DrawAxis {canvas} {
    variable Axis

    set y [theme px $Axis]
    set most [expr {[width $canvas] / [theme px 110]}]
    foreach tick [ns ticks [Get $canvas t0] [Get $canvas span] $most] {
        lassign $tick ns text
        set x [place $canvas $ns]
        $canvas create line $x [expr {$y - [theme px 5]}] $x $y \
            -fill [theme colour axis] -tags furniture
        set anchor sw
        if {$x + [font measure ViewSmall $text] > [winfo width $canvas]} {
            set anchor se
        }
        $canvas create text [expr {$x + ($anchor eq "sw" ? 3 : -3)}] \
            [expr {$y - [theme px 4]}] -anchor $anchor \
            -text $text -font ViewSmall -fill [theme colour dim] \
            -tags furniture
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
    if {$row in [dict get $what lit]} {
        $canvas create rectangle 0 [expr {$middle - $half}] \
            [theme px $Gutter] [expr {$middle + $half}] \
            -outline {} -fill [theme colour highlight] -tags furniture
    }
    set lit [expr {$row in [dict get $what lit]}]
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
        -anchor w -text $sign[dict get $entry name] -tags furniture \
        -font [expr {[dict get $entry kind] eq "thread" ? "TkDefaultFont"
            : "ViewBold"}] -fill [expr {$lit ? "#000000"
            : [theme colour text]}]
    if {[dict exists $what like]} {
        return
    }
    $canvas create text [expr {[theme px $Gutter] - [theme px 6]}] $middle \
        -anchor e -font ViewSmall -fill [expr {$lit ? "#000000"
            : [theme colour dim]}] -tags furniture \
        -text "[format %.0f [expr {100.0 * [dict get [rows facts $row] \
            share]}]] %"
}

# cursor --
#
#   Draw the cursor's line at a time, none when it is empty.

proc ::view::lanes::cursor {canvas ns} {
    variable Axis

    $canvas delete cursor
    if {$ns eq "" || $ns < [Get $canvas t0]
        || $ns > [Get $canvas t0] + [Get $canvas span]} {
        return
    }
    set x [place $canvas $ns]
    $canvas create line $x [expr {[theme px $Axis] - [theme px 8]}] $x \
        [winfo height $canvas] -fill [theme colour mark] -tags cursor
}
