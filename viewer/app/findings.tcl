# findings.tcl --
#
#   What stands out in a run, in sentences; each is a way to what it tells of.
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
#   Make the line of findings below the toolbar.

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

# A step is gone to; other things are where the chart has them.
proc ::view::findings::Show {finding} {
    dict with finding {
        if {$kind eq "step"} {
            ::action::goto "step=$id"
        } else {
            ::action::select_thing $kind $id
        }
        if {$chart in [charts names]} {
            ::action::chart $chart $measure
        }
    }
}
