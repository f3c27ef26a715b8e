# selection.tcl --
#
#   The page Selection: statistics of the selected range of time, as bars and
#   as a table, and all fields of the selected operation.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::ns
package require view::part
package require view::rows
package require view::run
package require view::state
package require view::theme

namespace eval ::view::selection {
    namespace path ::view
    namespace export create statistics
    namespace ensemble create

    variable Frame {}
    # Result of [R select].
    variable Statistics {}
    # Dictionary from column to heading.
    variable Columns {
        row row count operations sum total share share mean mean
        median median stdev "std. dev." max longest
    }
    # Timer of [CountLater].
    variable Timer {}
    # Most rows for which statistics are computed.
    variable Most 2000
}
package provide view::selection 0.1

# create --
#
#   Creates the pane.

proc ::view::selection::create {frame} {
    variable Frame $frame

    ttk::panedwindow $frame -orient horizontal
    ttk::frame $frame.bars
    pack [ttk::label $frame.bars.title -style Bold.TLabel] -fill x
    theme wrap $frame.bars.title
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
    state watch {t0 span part} [namespace code CountLater] $frame
    state watch {theme thing} [namespace code Bars] $frame
    state watch {event theme} [namespace code ShowEvent] $frame
    Count
    ShowEvent
    return $frame
}

proc ::view::selection::MakeTable {frame} {
    variable Columns

    ttk::frame $frame
    ttk::treeview $frame.rows -show headings -columns [dict keys $Columns] \
        -height 4 -yscrollcommand [list $frame.y set] -selectmode browse
    ttk::scrollbar $frame.y -orient vertical -command [list $frame.rows yview]
    dict for {column heading} $Columns {
        $frame.rows heading $column -text $heading \
            -command [namespace code [list Sort $frame.rows $column]]
        $frame.rows column $column -anchor e -width [expr {
            max([theme px 72], [font measure ViewBold $heading] + [theme px 16])
        }]
    }
    $frame.rows column row -anchor w -width [theme px 110]
    pack $frame.y -side right -fill y
    pack $frame.rows -fill both -expand 1
    bind $frame.rows <<TreeviewSelect>> [namespace code {Picked %W}]
}

# statistics --
#
#   Returns the statistics of the selection, as [R select] does.

proc ::view::selection::statistics {} {
    variable Statistics
    return $Statistics
}

# Returns the range of time of the statistics: the selection, or else a part of
# the run; empty: none.
proc ::view::selection::Range {} {
    if {[state get part] eq "whole"} {
        return [list 0 [expr {[state get whole] + 1}]]
    }
    if {[llength [state get selection]]} {
        return [state get selection]
    }
    return [part interval]
}

# Computes the statistics when the window has not moved for a while.
proc ::view::selection::CountLater {args} {
    variable Timer
    after cancel $Timer
    set Timer [after 250 [namespace code Count]]
}

# Computes the statistics, but not while the selection is being dragged.
proc ::view::selection::Count {args} {
    variable Frame
    variable Statistics
    variable Most
    variable Timer

    after cancel $Timer
    if {[state get dragging] || ![winfo exists $Frame]} {
        return
    }
    set Statistics {}
    set title "Drag over the timeline to select a range of time"
    if {[llength [set range [Range]]]} {
        lassign $range begin end
        set title "Share of time in communication, during\
            [ns text [expr {$end - $begin}]] from [ns text $begin]"
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
            [lmap column [dict keys $Columns] { Value $entry $column }]
    }
}

proc ::view::selection::Value {entry column} {
    set value [dict get $entry $column]
    switch -- $column {
        row { return [rows describe $value] }
        count { return [ns number $value] }
        share { return [ns percent $value] }
    }
    return [ns text $value]
}

proc ::view::selection::Sort {table column} {
    variable Statistics

    set type [expr {$column eq "row" ? "-integer" : "-real"}]
    set keyed [lsort -decreasing $type -index 0 [lmap entry $Statistics {
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

# Draws a bar for each row: its share of time in communication.
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
    set selected [expr {[lrange [state get thing] 0 1]
        eq [list [dict get $row kind] [dict get $row id]]}]
    set bottom [expr {$y + max(1.0, $pitch - [theme px 3])}]
    $canvas create rectangle $left $y [expr {$left + $room}] $bottom \
        -outline {} -fill [theme colour computation]
    $canvas create rectangle $left $y $x $bottom -outline {} \
        -fill [theme colour [expr {$selected ? "highlight" : "communication"}]]
    if {$pitch >= [theme px 11]} {
        $canvas create text [expr {$left - [theme px 4]}] \
            [expr {($y + $bottom) / 2.0}] -anchor e -font ViewSmall \
            -text [dict get $row name] -fill [theme colour text]
        $canvas create text [expr {$left + $room + [theme px 4]}] \
            [expr {($y + $bottom) / 2.0}] -anchor w -font ViewSmall \
            -text [ns percent $share] \
            -fill [theme colour dim]
    }
}

proc ::view::selection::ShowEvent {args} {
    variable Frame

    set text "Click on an operation in the timeline to see its details here."
    set event [state get event]
    if {[dict size $event]} {
        if {[catch {tip text [[run main] event describe $event]} text]} {
            state put message $text
        }
    }
    $Frame.event configure -state normal
    $Frame.event replace 1.0 end $text
    if {[dict size $event]} {
        if {[catch {[run main] event source $event} source]} {
            state put message $source
        } elseif {[dict size $source]} {
            ShowSource $source
        }
    }
    $Frame.event configure -state disabled
}

# Shows the lines of the source around the call.
proc ::view::selection::ShowSource {source} {
    variable Frame

    set text $Frame.event
    dict with source {
        $text insert end "\n\n[tables plain $file]\n" file
        if {$changed} {
            $text insert end "The file was changed after the run began.\n" \
                changed
        }
        set number $first
        set digits [string length [expr {$first + [llength $lines] - 1}]]
        foreach code $lines {
            # Tabs are as wide as in the source.
            $text insert end [format "%*d  %s\n" $digits $number \
                [tables plain [Untab $code]]] \
                [expr {$number == $line ? {code call} : "code"}]
            incr number
        }
    }
    $text tag configure file -foreground [theme colour dim] -spacing1 0
    $text tag configure changed -foreground [theme colour warning]
    $text tag configure code -font TkFixedFont -wrap none
    $text tag configure call -background [theme colour selection]
}

# Returns a line with spaces in place of tabs.
proc ::view::selection::Untab {line} {
    set text ""
    foreach piece [split $line \t] {
        append text $piece
        set end [string length $text]
        append text [string repeat " " [expr {8 - $end % 8}]]
    }
    return [string trimright $text]
}
