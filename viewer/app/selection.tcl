# selection.tcl --
#
#   What is selected: the statistics of a part of time, as bars and a table,
#   and all that is known of an event.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::ns
package require view::rows
package require view::run
package require view::state
package require view::theme

namespace eval ::view::selection {
    namespace path ::view
    namespace export create statistics
    namespace ensemble create

    variable Frame {}
    # As [R select] gave them.
    variable Statistics {}
    variable Columns {
        row count sum share mean median stdev max
    }
    # No more rows are summed up.
    variable Most 2000
}
package provide view::selection 0.1

# create --
#
#   Make the pane.

proc ::view::selection::create {frame} {
    variable Frame $frame

    ttk::panedwindow $frame -orient horizontal
    ttk::frame $frame.bars
    pack [ttk::label $frame.bars.title -style Bold.TLabel] -anchor w
    pack [canvas $frame.bars.canvas -width [theme px 330] \
        -height [theme px 120] -highlightthickness 0 -borderwidth 0] \
        -fill both -expand 1
    MakeTable $frame.table
    text $frame.event -width 44 -height 8 -wrap word -state disabled \
        -font TkDefaultFont -padx [theme px 6] -pady [theme px 4]
    $frame add $frame.bars -weight 2
    $frame add $frame.table -weight 3
    $frame add $frame.event -weight 1
    bind $frame.bars.canvas <Configure> [namespace code Bars]
    state watch {selection dragging shown} [namespace code Count] $frame
    state watch {theme thing} [namespace code Bars] $frame
    state watch event [namespace code Tell] $frame
    Count
    Tell
    return $frame
}

proc ::view::selection::MakeTable {frame} {
    variable Columns

    ttk::frame $frame
    ttk::treeview $frame.rows -show headings -columns $Columns -height 4 \
        -yscrollcommand [list $frame.y set] -selectmode browse
    ttk::scrollbar $frame.y -orient vertical -command [list $frame.rows yview]
    foreach column $Columns {
        $frame.rows heading $column -text $column \
            -command [namespace code [list Sort $frame.rows $column]]
        $frame.rows column $column -width [theme px 72] -anchor e
    }
    $frame.rows column row -anchor w -width [theme px 110]
    pack $frame.y -side right -fill y
    pack $frame.rows -fill both -expand 1
    bind $frame.rows <<TreeviewSelect>> [namespace code {Picked %W}]
}

# statistics --
#
#   What is known of the selection, as [R select] gives it.

proc ::view::selection::statistics {} {
    variable Statistics
    return $Statistics
}

# Sum up when the selection is made; not while it is dragged.
proc ::view::selection::Count {args} {
    variable Frame
    variable Statistics
    variable Most

    if {[state get dragging]} {
        return
    }
    set Statistics {}
    set title "Drag over the timeline to select a part of time"
    if {[llength [state get selection]]} {
        lassign [state get selection] begin end
        set title "[ns text [expr {$end - $begin}]] from\
            [ns text $begin]: share of time in communication"
        if {[catch {[run main] select $begin $end \
            [lrange [state get shown] 0 $Most-1]} Statistics]} {
            set title $Statistics
            set Statistics {}
        }
    }
    $Frame.bars.title configure -text $title
    Fill
    Bars
}

proc ::view::selection::Fill {} {
    variable Frame
    variable Statistics
    variable Columns

    set table $Frame.table.rows
    $table delete [$table children {}]
    foreach entry $Statistics {
        $table insert {} end -id [dict get $entry row] -values \
            [lmap column $Columns { Value $entry $column }]
    }
}

proc ::view::selection::Value {entry column} {
    set value [dict get $entry $column]
    switch -- $column {
        row { return [rows describe $value] }
        count { return [ns number $value] }
        share { return "[format %.1f [expr {100.0 * $value}]] %" }
    }
    return [ns text $value]
}

proc ::view::selection::Sort {table column} {
    variable Statistics

    set how [expr {$column eq "row" ? "-integer" : "-real"}]
    set keyed [lsort -decreasing $how -index 0 [lmap entry $Statistics {
        list [dict get $entry $column] $entry
    }]]
    set sorted [lmap entry $keyed { lindex $entry 1 }]
    if {$sorted eq $Statistics} {
        set sorted [lreverse $sorted]
    }
    set Statistics $sorted
    Fill
    Bars
}

proc ::view::selection::Picked {table} {
    set row [lindex [$table selection] 0]
    if {$row ne ""} {
        set entry [rows get $row]
        ::action::select_thing [dict get $entry kind] [dict get $entry id]
    }
}

# A bar for each row: its share of the time in communication.
proc ::view::selection::Bars {args} {
    variable Frame
    variable Statistics

    set canvas $Frame.bars.canvas
    $canvas delete all
    set count [llength $Statistics]
    if {!$count} {
        return
    }
    set pitch [expr {min(double([theme px 18]),
        double([winfo height $canvas]) / $count)}]
    set left [theme px 90]
    set room [expr {[winfo width $canvas] - $left - [theme px 60]}]
    set y 0.0
    foreach entry $Statistics {
        Bar $canvas $entry $left $room [list $y $pitch]
        set y [expr {$y + $pitch}]
    }
}

proc ::view::selection::Bar {canvas entry left room place} {
    lassign $place y pitch
    set row [rows get [dict get $entry row]]
    set share [dict get $entry share]
    set x [expr {$left + $room * min(1.0, max(0.0, $share))}]
    set lit [expr {[lrange [state get thing] 0 1]
        eq [list [dict get $row kind] [dict get $row id]]}]
    set bottom [expr {$y + max(1.0, $pitch - [theme px 3])}]
    $canvas create rectangle $left $y [expr {$left + $room}] $bottom \
        -outline {} -fill [theme colour computation]
    $canvas create rectangle $left $y $x $bottom -outline {} \
        -fill [theme colour [expr {$lit ? "highlight" : "communication"}]]
    if {$pitch >= [theme px 11]} {
        $canvas create text [expr {$left - [theme px 4]}] \
            [expr {($y + $bottom) / 2.0}] -anchor e -font ViewSmall \
            -text [dict get $row name] -fill [theme colour text]
        $canvas create text [expr {$left + $room + [theme px 4]}] \
            [expr {($y + $bottom) / 2.0}] -anchor w -font ViewSmall \
            -text "[format %.1f [expr {100.0 * $share}]] %" \
            -fill [theme colour dim]
    }
}

proc ::view::selection::Tell {args} {
    variable Frame

    set text "Click on an operation in the timeline, and all that is known\
        of it stands here."
    set event [state get event]
    if {[dict size $event]} {
        if {[catch {tip text [[run main] event tell $event]} text]} {
            state put message $text
        }
    }
    $Frame.event configure -state normal
    $Frame.event replace 1.0 end $text
    $Frame.event configure -state disabled
}
