# timeline.tcl --
#
#   Compares timelines pixel by pixel: the expected image is made from the draw
#   list that show_strips prints, the other is read from the canvas.
#
# SPDX-License-Identifier: MIT

source [file join [file dirname [info script]] .. display.tcl]

namespace eval ::timeline {
    # Dictionary from theme to a list of colours, by number of the role.
    variable Colours {}
    # Numbers of roles in viewer/figure/theme.h.
    variable Roles {panel 1 highlight 6 mark 8 axis 3 selection 7 arrow 9
        missing 11 critical 14 grey 23}
}

proc ::timeline::Tool {args} {
    return [exec [file join $::env(top_builddir) tests viewer timeline show_strips] \
        {*}$args]
}

# colour --
#
#   Returns the colour of a role of a theme, or of the grey `grey` steps later.

proc colour {theme role {grey 0}} {
    variable ::timeline::Colours
    variable ::timeline::Roles

    if {![dict exists $Colours $theme]} {
        dict set Colours $theme [::timeline::Tool $theme]
    }
    return [dict get $Colours $theme \
        [expr {[dict get $Roles $role] + $grey}]]
}

# image_of --
#
#   Returns the expected image of a timeline: a list of lines, each a list of
#   colours.
#
# Arguments:
#   run     directory of the run
#   how     dictionary: rows, t0, span, width, height, rowheight, theme, and
#           optionally the pixels {FROM END} that lie inside the run (default:
#           all) and are selected (default: none)

proc image_of {run how} {
    dict with how {
        set strips [::timeline::Tool $run $t0 $span $width {*}$rows]
        set bar [expr {$rowheight > 3 ? $rowheight - 1 : $rowheight}]
    }
    set panel [lrepeat $width [colour $theme panel]]
    set row [lrepeat $bar [::timeline::Ground $how]]
    lappend row {*}[lrepeat [expr {$rowheight - $bar}] $panel]
    set image [concat {*}[lrepeat [llength $rows] $row]]
    foreach strip [split $strips \n] {
        lassign $strip row x0 x1 grey level rare
        set high $bar
        # A row of several threads is a band of the height of its level.
        if {$level > 0 && $bar >= 6} {
            set high [expr {($bar * $level + 31) / 32}]
            set grey [expr {$rare ? 32 : 18}]
        }
        set pixels [lrepeat [expr {$x1 - $x0}] [colour $theme grey $grey]]
        for {set y [expr {$bar - $high}]} {$y < $bar} {incr y} {
            set at [expr {$row * $rowheight + $y}]
            lset image $at [lreplace [lindex $image $at] $x0 $x1-1 {*}$pixels]
        }
    }
    lappend image {*}[lrepeat $height $panel]
    return [lrange $image 0 $height-1]
}

# Returns the pixels of a row without strips.
proc ::timeline::Ground {how} {
    set how [dict merge [list inside [list 0 [dict get $how width]] \
        selected {0 0}] $how]
    dict with how {
        set line [lrepeat $width [colour $theme panel]]
        foreach {part role} [list $inside grey $selected selection] {
            lassign $part from end
            set line [lreplace $line $from $end-1 \
                {*}[lrepeat [expr {$end - $from}] [colour $theme $role]]]
        }
    }
    return $line
}

# shown --
#
#   Returns the colours that a canvas shows, as [image_of] does.
#
# Arguments:
#   canvas  path of the widget
#   box     x0 y0 x1 y1, pixels of its window

proc shown {canvas box} {
    lassign $box x0 y0 x1 y1
    settle
    set photo [image create photo -format window -data $canvas]
    set image [$photo data -from $x0 $y0 $x1 $y1]
    image delete $photo
    return $image
}

# pixel --
#
#   Returns the colour of one pixel of a canvas.

proc pixel {canvas x y} {
    return [lindex [shown $canvas \
        [list $x $y [expr {$x + 1}] [expr {$y + 1}]]] 0 0]
}

# expect_image --
#
#   Fails the case unless two images are equal.

proc expect_image {want got} {
    if {$want eq $got} {
        return
    }
    expect [llength $want] [llength $got]
    set y 0
    foreach line $want other $got {
        set x 0
        foreach a $line b $other {
            if {$a ne $b} {
                throw {TAP MISMATCH} "pixel $x,$y: want $a, got $b"
            }
            incr x
        }
        incr y
    }
}

# timeline_of --
#
#   Creates a canvas with a timeline in its upper left corner and nothing else.
#
# Arguments:
#   command command of the run
#   how     as for [image_of]
#   args    further options of the item
#
# Results:
#   The number of the item on .c.

proc timeline_of {command how args} {
    dict with how {
        destroy .c
        pack [canvas .c -width $width -height $height -borderwidth 0 \
            -highlightthickness 0 -background white]
        return [.c create timeline 0 0 -run $command -rows $rows -t0 $t0 \
            -span $span -width $width -height $height -rowheight $rowheight \
            -theme $theme {*}$args]
    }
}

# box_of --
#
#   Returns the box of the whole timeline, as an argument of [shown].

proc box_of {how} {
    return [list 0 0 [dict get $how width] [dict get $how height]]
}
