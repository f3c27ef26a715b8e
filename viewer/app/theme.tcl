# theme.tcl --
#
#   How the viewer looks: colours, fonts, and every length in pixels.
#
#   Colours are roles, as in viewer/figure/theme.h.  A style of its own is made from
#   Tk's `clam`, so that nothing else need be installed; where awthemes is, its
#   light and dark themes are taken.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6

namespace eval ::view::theme {
    namespace path ::view
    namespace export init use names colour px scale heat dress
    namespace ensemble create

    # Pixels to a length of 1 on a screen of 96 dpi.
    variable Scale 1.0
    variable Current light
    variable Colours {
        light {
            ground #ffffff panel #f7f7f7 grid #dcdcdc axis #555555
            text #1a1a1a dim #666666 highlight #e69f00 selection #bcd9ee
            mark #cc79a7 arrow #d55e00 warning #d55e00 onwarning #ffffff
            button #ececec raised #ffffff
            computation #e6e6e6 communication #000000
            less #0072b2 more #d55e00 same #f0f0f0
        }
        dark {
            ground #1e1e1e panel #262626 grid #404040 axis #a0a0a0
            text #f0f0f0 dim #a8a8a8 highlight #e69f00 selection #264f6e
            mark #cc79a7 arrow #d55e00 warning #d55e00 onwarning #ffffff
            button #333333 raised #404040
            computation #3a3a3a communication #ffffff
            less #56b4e9 more #e69f00 same #303030
        }
    }
}
package provide view::theme 0.1

proc ::view::theme::names {} {
    variable Colours
    return [dict keys $Colours]
}

# colour --
#
#   The colour of a role in the theme that is shown.

proc ::view::theme::colour {role} {
    variable Colours
    variable Current
    return [dict get $Colours $Current $role]
}

# px --
#
#   A length for a screen of 96 dpi in pixels of this one.  No other place
#   makes pixels.

proc ::view::theme::px {length} {
    variable Scale
    if {$length == 0} { return 0 }
    return [expr {max(1, int(round($length * $Scale)))}]
}

proc ::view::theme::scale {} {
    variable Scale
    return $Scale
}

# init --
#
#   Find out how fine the screen is, and make fonts.
#
# Arguments:
#   scale   times as large as on a screen of 96 dpi; empty: as it says itself

proc ::view::theme::init {{scale {}}} {
    variable Scale

    if {$scale eq ""} {
        # 72 points are an inch.
        set scale [expr {max(1.0, [tk scaling] * 72.0 / 96.0)}]
    }
    set Scale [expr {double($scale)}]
    tk scaling [expr {$Scale * 96.0 / 72.0}]
    foreach {font points} {
        TkDefaultFont 9 TkTextFont 9 TkHeadingFont 9 TkMenuFont 9
        TkTooltipFont 9 TkFixedFont 9 TkCaptionFont 10 TkSmallCaptionFont 8
        TkIconFont 9
    } {
        font configure $font -size $points
    }
    font create ViewBold {*}[font actual TkDefaultFont] -weight bold
    font create ViewSmall {*}[font actual TkDefaultFont] -size 8
}

# use --
#
#   Show a theme.

proc ::view::theme::use {name} {
    variable Current

    set Current $name
    Style
    dress .
}

# What the style is made from: awlight and awdark where they are installed, a
# child of Tk's own clam elsewhere.
proc ::view::theme::Base {} {
    variable Current

    if {![catch {package require aw$Current}]} {
        return aw$Current
    }
    if {"view" ni [ttk::style theme names]} {
        ttk::style theme create view -parent clam
    }
    return view
}

# The ttk style of the theme.
proc ::view::theme::Style {} {
    variable Current

    ttk::style theme use [Base]
    set field [colour raised]
    ttk::style configure . -background [colour ground] \
        -foreground [colour text] -fieldbackground $field \
        -bordercolor [colour grid] -darkcolor [colour ground] \
        -lightcolor [colour ground] -troughcolor [colour panel] \
        -selectbackground [colour selection] \
        -selectforeground [colour text] -insertcolor [colour text] \
        -arrowcolor [colour text] -focuscolor [colour highlight] \
        -font TkDefaultFont
    ttk::style map . -foreground [list disabled [colour dim]] \
        -background [list disabled [colour ground] active [colour selection]]
    StyleParts $field
    option add *TCombobox*Listbox.background $field
    option add *TCombobox*Listbox.foreground [colour text]
}

proc ::view::theme::StyleParts {field} {
    set row [expr {[font metrics TkDefaultFont -linespace] + [px 5]}]
    ttk::style configure TButton -background [colour button] \
        -padding [list [px 6] [px 2]] -width 0
    ttk::style configure Toolbutton -padding [list [px 6] [px 3]]
    ttk::style map Toolbutton -background \
        [list selected [colour selection] active [colour selection]]
    ttk::style configure TNotebook -background [colour ground] \
        -tabmargins [list [px 2] [px 2] 0 0]
    ttk::style configure TNotebook.Tab -background [colour button] \
        -padding [list [px 10] [px 3]]
    ttk::style map TNotebook.Tab -background \
        [list selected [colour raised] active [colour selection]]
    ttk::style configure Treeview -background $field -rowheight $row \
        -fieldbackground $field -foreground [colour text]
    ttk::style map Treeview -background \
        [list selected [colour selection]] \
        -foreground [list selected [colour text]]
    ttk::style configure Treeview.Heading -background [colour button] \
        -font ViewBold -padding [list [px 4] [px 2]]
    ttk::style configure Dim.TLabel -foreground [colour dim]
    ttk::style configure Bold.TLabel -font ViewBold
    ttk::style configure Chip.TButton -background [colour selection]
    ttk::style configure Warning.TFrame -background [colour warning]
    ttk::style configure Warning.TLabel -background [colour warning] \
        -foreground [colour onwarning] -font ViewBold
    ttk::style configure Link.TLabel -foreground [colour less]
    ttk::style map Link.TLabel -foreground [list active [colour more]]
}

# dress --
#
#   Give widgets that are not ttk's the colours of the theme, with all that is
#   in them.

proc ::view::theme::dress {widget} {
    switch -- [winfo class $widget] {
        Toplevel - Tk - View { $widget configure -background [colour ground] }
        Canvas {
            $widget configure -background [colour panel] \
                -highlightthickness 0 -borderwidth 0
        }
        Text - Listbox {
            $widget configure -background [colour raised] \
                -foreground [colour text] -relief flat -highlightthickness 0 \
                -selectbackground [colour selection] \
                -selectforeground [colour text]
            if {[winfo class $widget] eq "Text"} {
                $widget configure -insertbackground [colour text]
            }
        }
        Menu {
            $widget configure -background [colour button] \
                -foreground [colour text] \
                -activebackground [colour selection] \
                -activeforeground [colour text] -relief flat
        }
    }
    foreach child [winfo children $widget] {
        dress $child
    }
}

# heat --
#
#   A colour between less, same and more.
#
# Arguments:
#   part    -1 much less .. 0 the same .. 1 much more

proc ::view::theme::heat {part} {
    set part [expr {max(-1.0, min(1.0, double($part)))}]
    set to [colour [expr {$part < 0 ? "less" : "more"}]]
    scan [colour same] #%2x%2x%2x r g b
    scan $to #%2x%2x%2x r1 g1 b1
    set part [expr {abs($part)}]
    return [format #%02x%02x%02x \
        [expr {int($r + ($r1 - $r) * $part)}] \
        [expr {int($g + ($g1 - $g) * $part)}] \
        [expr {int($b + ($b1 - $b) * $part)}]]
}
