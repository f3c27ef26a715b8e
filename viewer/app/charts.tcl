# charts.tcl --
#
#   The page with the charts of the run, one at a time, and the table from
#   which the chart is drawn.
#
#   A click on a shape selects its thing in all panes.  The thing selected in
#   another pane is highlighted in the chart.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require eventspace_viewer
package require view::action
package require view::ns
package require view::part
package require view::run
package require view::state
package require view::tables
package require view::theme
package require view::tip

namespace eval ::view::charts {
    namespace path ::view
    namespace export create renew names surface draw level levels
    namespace ensemble create

    variable Frame {}
    # Command of the figure that is shown, and the timer of the next redraw.
    variable Figure {}
    variable Timer {}
    # Dictionary from name to the chart's entry in [R charts].
    variable Charts {}
    # Dictionary from chart to its table, if the table has another name.
    variable Tables {
        diagnostics diagnostic step_heat step latency_steps
        wrapper_latency_step element_time wrapper_latency_step
        path_graph wrapper_latency clock_quality clock_check
        efficiency efficiency_window cost_model cost_phase flame call_tree
        topology binding
    }
}
package provide view::charts 0.1

# create --
#
#   Creates the pane.

proc ::view::charts::create {frame} {
    variable Frame $frame
    variable Charts {}

    foreach chart [[run main] charts] {
        dict set Charts [dict get $chart name] $chart
    }
    ttk::panedwindow $frame -orient horizontal
    ttk::treeview $frame.list -show tree -selectmode browse -height 4
    set width [theme px 150]
    dict for {name chart} $Charts {
        set title [dict get $chart title]
        $frame.list insert {} end -id $name -text $title
        set width [expr {max($width, [font measure TkDefaultFont $title])}]
    }
    # The titles are indented.
    $frame.list column #0 -width [expr {$width + [theme px 30]}]
    bind $frame.list <<TreeviewSelect>> [namespace code ListPicked]
    ttk::frame $frame.chart
    MakeChart $frame.chart
    tables create $frame.table
    bind $frame <Configure> [namespace code Fit]
    $frame add $frame.list -weight 0
    $frame add $frame.chart -weight 3
    $frame add $frame.table -weight 2
    state watch {chart measure level} [namespace code ChartChanged] $frame
    state watch {thing theme} [namespace code DrawSoon] $frame
    state watch {t0 span shown selection part} [namespace code DrawLater] \
        $frame
    state watch {chart measure level t0 span selection part theme} \
        [namespace code ShowPart] $frame
    # The banner shows the warnings, so their chart is not shown first.
    state put chart [lindex [lsearch -all -inline -exact -not \
        [dict keys $Charts] diagnostics] 0]
    return $frame
}

proc ::view::charts::MakeChart {frame} {
    ttk::frame $frame.head
    pack [ttk::label $frame.head.title -style Bold.TLabel] -side left
    bind $frame.head.title <Enter> [namespace code About]
    bind $frame.head.title <Leave> {::view::state put message {}}
    pack [ttk::label $frame.head.part -style Link.TLabel -cursor hand2] \
        -side left -padx [theme px 6]
    bind $frame.head.part <ButtonPress-1> ::action::part
    pack [ttk::combobox $frame.head.measure -state readonly -width 18] \
        -side right
    pack [ttk::combobox $frame.head.level -state readonly -width 8] \
        -side right -padx [theme px 4]
    pack [ttk::label $frame.head.by -text "by" -style Dim.TLabel] -side right
    canvas $frame.figure -width [theme px 420] -height [theme px 200] \
        -highlightthickness 0 -borderwidth 0
    pack $frame.head -fill x
    pack $frame.figure -fill both -expand 1
    bind $frame.head.measure <<ComboboxSelected>> \
        [namespace code {Measure %W}]
    bind $frame.head.level <<ComboboxSelected>> \
        {::view::state put level [%W get]}
    bind $frame.figure <Configure> [namespace code DrawSoon]
    bind $frame.figure <ButtonPress-1> [namespace code {Click %x %y}]
    bind $frame.figure <Motion> [namespace code {PointerMoved %x %y}]
    bind $frame.figure <Leave> {::view::tip hide}
}

proc ::view::charts::surface {} {
    variable Frame
    return $Frame.chart.figure
}

# renew --
#
#   Draws the charts of the run that was opened again.

proc ::view::charts::renew {} {
    variable Frame
    variable Charts {}

    foreach chart [[run main] charts] {
        set name [dict get $chart name]
        dict set Charts $name $chart
        if {![$Frame.list exists $name]} {
            $Frame.list insert {} end -id $name -text [dict get $chart title]
        }
    }
    foreach name [$Frame.list children {}] {
        if {![dict exists $Charts $name]} {
            $Frame.list delete [list $name]
        }
    }
    DrawSoon
}

# Shows the description of the chart, which low charts leave out.
proc ::view::charts::About {} {
    variable Charts
    set name [state get chart]
    if {[dict exists $Charts $name]} {
        state put message [dict get $Charts $name about]
    }
}

# names --
#
#   Returns the charts for which this run has data.

proc ::view::charts::names {} {
    variable Charts
    return [dict keys $Charts]
}

proc ::view::charts::ListPicked {} {
    variable Frame
    set name [lindex [$Frame.list selection] 0]
    if {$name ni [list {} [state get chart]]} {
        ::action::chart $name
    }
}

proc ::view::charts::Measure {widget} {
    state put measure [$widget get]
}

# Shows the table and the measures of the chart in the state.
proc ::view::charts::ChartChanged {changed} {
    variable Frame
    variable Charts

    set name [state get chart]
    if {![dict exists $Charts $name]} {
        return
    }
    set chart [dict get $Charts $name]
    if {[$Frame.list selection] ne [list $name]} {
        $Frame.list selection set [list $name]
        $Frame.list see $name
    }
    $Frame.chart.head.title configure -text [dict get $chart title]
    set measures [split [dict get $chart measures]]
    $Frame.chart.head.measure configure -values $measures
    if {[state get measure] ni $measures} {
        state put measure [lindex $measures 0]
    }
    $Frame.chart.head.measure set [state get measure]
    ShowChoices $name [llength $measures]
    if {"chart" in $changed || "level" in $changed} {
        ShowTable $name
    }
    DrawSoon
}

# levels, level --
#
#   [levels] returns the levels by which a chart can add up; [level] returns the
#   one that is shown, empty if the chart has no choice.

proc ::view::charts::levels {name} {
    variable Charts
    return [split [dict get $Charts $name levels]]
}

proc ::view::charts::level {name} {
    set levels [levels $name]
    return [expr {[state get level] in $levels ? [state get level]
        : [lindex $levels 0]}]
}

# Shows the choices of measures and levels that the chart has.
proc ::view::charts::ShowChoices {name measures} {
    variable Frame

    set head $Frame.chart.head
    $head.level configure -values [levels $name]
    $head.level set [level $name]
    pack forget $head.measure $head.level $head.by
    if {$measures > 1} {
        pack $head.measure -side right
    }
    if {[llength [levels $name]] > 1} {
        pack $head.level -side right -padx [theme px 4]
        pack $head.by -side right
    }
}

proc ::view::charts::ShowTable {name} {
    variable Frame
    variable Tables

    set table $name
    if {[level $name] ni {{} thread}} {
        append table _[level $name]
    }
    if {[dict exists $Tables $name]} {
        set table [dict get $Tables $name]
    }
    set shown [expr {"$Frame.table" in [$Frame panes]}]
    # A narrow pane is for the chart.
    if {[run has $table] && [Wide]} {
        tables show $Frame.table $table
        if {!$shown} {
            $Frame add $Frame.table -weight 2
        }
    } elseif {$shown} {
        $Frame forget $Frame.table
    }
}

# Returns true if there is room for the table, or the width is not known yet.
proc ::view::charts::Wide {} {
    variable Frame
    return [expr {[winfo width $Frame] <= 1
        || [winfo width $Frame] >= [theme px 900]}]
}

# Shows or hides the table when the width of the pane has changed.
proc ::view::charts::Fit {} {
    variable Frame
    if {[Wide] != ("$Frame.table" in [$Frame panes])
        && [state get chart] ne ""} {
        ShowTable [state get chart]
    }
}

# Draws when the program is idle.
proc ::view::charts::DrawSoon {args} {
    DrawAfter idle
}

# Draws when the window has not moved for 150 ms.
proc ::view::charts::DrawLater {args} {
    DrawAfter 150
}

proc ::view::charts::DrawAfter {when} {
    variable Timer
    after cancel $Timer
    set Timer [after $when [namespace code draw]]
}

# draw --
#
#   Draws the chart.

proc ::view::charts::draw {} {
    variable Frame
    variable Figure

    set canvas $Frame.chart.figure
    if {![winfo exists $canvas] || [winfo width $canvas] < 20
        || [state get chart] eq ""} {
        return
    }
    if {[state get dragging]} {
        DrawLater
        return
    }
    set options [Options $canvas]
    $canvas delete all
    if {$Figure ne ""} {
        $Figure close
        set Figure {}
    }
    if {[dict exists $options -t0] && [Is summed]
        && ![Summed $canvas]} {
        return
    }
    if {[catch {::eventspace::figure [run main] [state get chart] \
        {*}$options} made]} {
        $canvas create text [theme px 10] [theme px 10] -anchor nw \
            -fill [theme colour dim] -text $made
        return
    }
    set Figure $made
    $Figure draw $canvas -tags figure
}

# Returns a property of the chart that is shown.
proc ::view::charts::Is {property} {
    variable Charts
    set name [state get chart]
    return [expr {[dict exists $Charts $name]
        && [dict get $Charts $name $property]}]
}

# Computes the sums of the part, and returns true if they are complete; if not,
# shows how far they are, and draws again.
proc ::view::charts::Summed {canvas} {
    if {[catch {part sums [namespace code draw]} sums]} {
        # The chart tells what is missing.
        return 1
    }
    if {[dict get $sums done] >= 1} {
        return 1
    }
    $canvas create text [theme px 10] [theme px 10] -anchor nw \
        -fill [theme colour dim] -text "computing the [part text]:\
            [ns percent [dict get $sums done]]"
    return 0
}

# Shows which part of the run the chart is of.
proc ::view::charts::ShowPart {args} {
    variable Frame

    set label $Frame.chart.head.part
    if {![part is]} {
        $label configure -text "of the whole run" -style Dim.TLabel
    } elseif {[Is timed]} {
        $label configure -text "of the [part text]" -style Link.TLabel
    } else {
        $label configure -text "of the whole run, not of the [part text]" \
            -style Link.TLabel
    }
}

proc ::view::charts::Options {canvas} {
    # Without -t0 and -t1 the chart covers the whole run.
    set options [list -width [winfo width $canvas] \
        -height [winfo height $canvas] -theme [state get theme] \
        -scale [theme scale] \
        -rows [state get shown]]
    if {[part is]} {
        lassign [part interval] from to
        lappend options -t0 $from -t1 $to
    }
    if {[set level [level [state get chart]]] ne ""} {
        lappend options -level $level
    }
    if {[state get measure] ne ""} {
        lappend options -measure [state get measure]
    }
    if {[llength [state get thing]]} {
        lappend options -highlight [state get thing]
    }
    return $options
}

proc ::view::charts::At {x y} {
    variable Figure
    if {$Figure eq "" || [catch {$Figure at $x $y} found]} {
        return {}
    }
    return $found
}

# Selects the thing of a shape.  A shape of a step also shows that step, even
# if the shape stands for several threads.
proc ::view::charts::Click {x y} {
    set at [At $x $y]
    if {[dict exists $at step] && [dict get $at step] >= 0} {
        ::action::goto "step=[dict get $at step]"
    }
    if {![dict exists $at kind] || [dict get $at kind] in {"" none}} {
        ::action::select_thing
        return
    }
    ::action::select_thing [dict get $at kind] [dict get $at id] \
        [dict get $at other]
}

proc ::view::charts::PointerMoved {x y} {
    tip schedule [namespace code [list Describe $x $y]]
}

# Returns the tooltip of a place.
proc ::view::charts::Describe {x y} {
    set at [At $x $y]
    if {![dict exists $at tip] || [dict get $at tip] eq ""} {
        return {}
    }
    variable Charts
    return [dict create \
        [dict get $Charts [state get chart] title] [dict get $at tip]]
}

namespace eval ::view {
    action define chart_level "Show the next level of a chart: thread,\
        process, host" {l} {{level {}}} {
        set levels [charts levels [state get chart]]
        if {$level eq ""} {
            set level [lindex $levels [expr {([lsearch $levels \
                [charts level [state get chart]]] + 1)
                % max(1, [llength $levels])}]]
        }
        if {$level ni $levels} {
            state put message "this chart has no level \"$level\"; it has\
                [expr {[llength $levels] ? [join $levels {, }] : "no choice"}]"
            return
        }
        state put level $level
        frame page charts
    }
    action define chart "Show a chart" {c} {{name {}} {measure {}}} {
        set names [charts names]
        if {$name eq ""} {
            set name [lindex $names [expr {([lsearch $names \
                [state get chart]] + 1) % max(1, [llength $names])}]]
        }
        if {$name ni $names} {
            state put message "this run has no chart \"$name\"; it has\
                [join $names {, }]"
            return
        }
        state put chart $name measure $measure
        frame page charts
    }
    action define call_paths "Call paths of MPI calls: flame graph" {k} \
        {{measure {}}} {
        if {[state get chart] eq "flame" && $measure eq ""} {
            set measure [expr {[state get measure] eq "tree" ? "callers"
                : "tree"}]
        }
        ::action::chart flame $measure
    }
}
