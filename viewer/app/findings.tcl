# findings.tcl --
#
#   The findings of a run, and below them those of the part that is shown:
#   sentences above the timeline.  A click on one shows the thing and the chart
#   that it is about.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::part
package require view::run
package require view::state
package require view::theme

namespace eval ::view::findings {
    namespace path ::view
    namespace export create renew
    namespace ensemble create

    # Windows of fewer pixels (at 96 dpi) show that many findings.
    variable Low 700
    variable Few 3
    # Findings that are shown; -1: none yet.
    variable Most -1
}
package provide view::findings 0.1

# create --
#
#   Creates the lines of findings below the toolbar.

proc ::view::findings::create {frame} {
    ttk::frame $frame -padding [list [theme px 6] 0]
    ttk::label $frame.more -style Dim.TLabel -cursor hand2 -takefocus 1
    foreach event {<ButtonPress-1> <Return>} {
        bind $frame.more $event [namespace code [list ShowAll $frame]]
    }
    Fill $frame
    part start [ttk::label $frame.part -style Bold.TLabel]
    state watch part_findings [namespace code [list ShowPart $frame]] $frame
    bind $frame <Configure> [namespace code [list Wrap $frame %w]]
    bind . <Configure> "+if {{%W} eq {.}} {[namespace code \
        [list Fit $frame %h]]}"
    Fit $frame Inf
    return $frame
}

# renew --
#
#   Shows the findings of the run that was opened again.

proc ::view::findings::renew {frame} {
    variable Most -1
    foreach label [lsearch -all -inline -glob [winfo children $frame] \
        $frame.f*] {
        destroy $label
    }
    Fill $frame
    Fit $frame [winfo height .]
    Wrap $frame [winfo width $frame]
    part renew $frame.part
}

# Creates a label for each finding.
proc ::view::findings::Fill {frame} {
    set n 0
    foreach finding [[run main] findings] {
        Label $frame.f[incr n] $finding
    }
}

# Creates the label of a finding.
proc ::view::findings::Label {label finding} {
    ttk::label $label -text "\u25b8 [dict get $finding text]" \
        -style Link.TLabel -cursor hand2 -takefocus 1
    set command [list [namespace current]::Show $finding]
    bind $label <ButtonPress-1> $command
    bind $label <Return> "$command; break"
    bind $label <Enter> {%W state active}
    bind $label <Leave> {%W state !active}
    return $label
}

# Shows the findings of the part below the sentence about it.
proc ::view::findings::ShowPart {frame args} {
    foreach label [lsearch -all -inline -glob [winfo children $frame] \
        $frame.of*] {
        destroy $label
    }
    set above $frame.part
    set n 0
    foreach finding [state get part_findings] {
        # What is packed first is lowest.
        pack [Label $frame.of[incr n] $finding] -side bottom -anchor w \
            -before $above
        set above $frame.of$n
    }
    Wrap $frame [winfo width $frame]
}

# Breaks the lines of findings at the width of the window.
proc ::view::findings::Wrap {frame width} {
    foreach label [winfo children $frame] {
        $label configure -wraplength [expr {max(100, $width - [theme px 16])}]
    }
}

# Shows all findings at any height from now on.
proc ::view::findings::ShowAll {frame} {
    variable Low 0
    Fit $frame Inf
}

# Shows all findings, in a low window only the first ones.
proc ::view::findings::Fit {frame height} {
    variable Low
    variable Few
    variable Most

    set labels [lsearch -all -inline -glob [winfo children $frame] $frame.f*]
    set most [expr {$height >= [theme px $Low] ? [llength $labels] : $Few}]
    if {$most == $Most} {
        return
    }
    set Most $most
    set n 0
    foreach label $labels {
        pack forget $label
        if {[incr n] <= $most} {
            pack $label -anchor w
        }
    }
    pack forget $frame.more
    if {$n > $most} {
        $frame.more configure -text "   [expr {$n - $most}] more"
        pack $frame.more -anchor w
    }
}

# Shows a finding: zooms to a step, selects any other thing, and shows the
# chart.  A finding about no single thing selects none.  Deaths and hangs have
# no chart, but a table.
proc ::view::findings::Show {finding} {
    dict with finding {
        if {$kind eq "step"} {
            ::action::goto "step=$id"
        } else {
            ::action::select_thing $kind $id
        }
        if {$chart in [charts names]} {
            ::action::chart $chart $measure
        } elseif {$chart in [tables names]} {
            ::action::table $chart
        }
    }
}
