# findings.tcl --
#
#   The findings of a run: sentences above the timeline.  A click on one shows
#   the thing and the chart that it is about.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::run
package require view::state
package require view::theme

namespace eval ::view::findings {
    namespace path ::view
    namespace export create
    namespace ensemble create
}
package provide view::findings 0.1

# create --
#
#   Creates the lines of findings below the toolbar.

proc ::view::findings::create {frame} {
    ttk::frame $frame -padding [list [theme px 6] 0]
    set n 0
    foreach finding [[run main] findings] {
        set label [ttk::label $frame.f[incr n] \
            -text "\u25b8 [dict get $finding text]" \
            -style Link.TLabel -cursor hand2 -takefocus 1]
        set command [list [namespace current]::Show $finding]
        bind $label <ButtonPress-1> $command
        bind $label <Return> "$command; break"
        bind $label <Enter> {%W state active}
        bind $label <Leave> {%W state !active}
        pack $label -anchor w
    }
    return $frame
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
