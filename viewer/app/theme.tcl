# theme.tcl --
#
#   Colours, fonts and lengths in pixels.
#
#   Colours are named by their roles, as in libviewer.  The ttk style is the
#   light or dark theme of awthemes if installed, else one derived from Tk's
#   clam.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6

namespace eval ::view::theme {
    namespace path ::view
    namespace export init use names colour px scale heat paint wrap
    namespace ensemble create

    # Pixels of this screen for one pixel at 96 dpi.
    variable Scale 1.0
    variable Current light
    variable Colours {
        light {
            ground #ffffff panel #f7f7f7 grid #dcdcdc axis #555555
            text #1a1a1a dim #666666 highlight #d55e00 selection #bcd9ee
            mark #cc79a7 arrow #1a1a1a warning #d55e00 onwarning #ffffff
            button #ececec raised #ffffff
            computation #e6e6e6 communication #000000
            band #656565
            less #0072b2 more #d55e00 same #f0f0f0
        }
        dark {
            ground #141414 panel #1b1b1b grid #404040 axis #a0a0a0
            text #f0f0f0 dim #a8a8a8 highlight #d55e00 selection #264f6e
            mark #cc79a7 arrow #f0f0f0 warning #d55e00 onwarning #ffffff
            button #333333 raised #404040
            computation #3c3c3c communication #ffffff
            band #a9a9a9
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
#   Returns the colour of a role in the current theme.

proc ::view::theme::colour {role} {
    variable Colours
    variable Current
    return [dict get $Colours $Current $role]
}

# px --
#
#   Converts a length in pixels at 96 dpi to pixels of this screen; a length
#   other than 0 becomes at least 1.

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
#   Sets the scale and creates the fonts.
#
# Arguments:
#   scale   factor of all lengths and fonts relative to 96 dpi; empty: the
#           factor of the screen, at least 1

proc ::view::theme::init {{scale {}}} {
    variable Scale

    if {$scale eq ""} {
        # [tk scaling] is in pixels per point; an inch has 72 points.
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
#   Switches to a theme.

proc ::view::theme::use {name} {
    variable Current

    set Current $name
    Style
    paint .
}

# Returns the ttk theme to use: awlight or awdark if installed, else a child of
# Tk's own clam.
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

# Sets the ttk style of the current theme.
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

# wrap --
#
#   Breaks the lines of a label at its width, which the geometry manager sets.

proc ::view::theme::wrap {label} {
    bind $label <Configure> \
        {+%W configure -wraplength [expr {max(40, %w - 2)}]}
}

# paint --
#
#   Gives a widget and its children the colours of the theme, if they are not
#   ttk widgets.

proc ::view::theme::paint {widget} {
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
        paint $child
    }
}

# heat --
#
#   Returns a colour of the scale from less through same to more.
#
# Arguments:
#   part    -1 is less, 0 the same, 1 more

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
