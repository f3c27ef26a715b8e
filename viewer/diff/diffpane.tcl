# diffpane.tcl --
#
#   The page that compares two runs: the timeline of the second run, zoomed to
#   the operations shown of the first; a heat map with one row of differences
#   for each path; and the sentence and table of [difftable].
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::diff
package require view::difftable
package require view::lanes
package require view::ns
package require view::rows
package require view::run
package require view::state
package require view::theme
package require view::tip

namespace eval ::view::diffpane {
    namespace path ::view
    namespace export create window deltas points
    namespace ensemble create

    variable Frame {}
    # For each pair of paths a dictionary: name, thread, the cells of both
    # runs (one, two), and the totals: operations, first, second.
    variable Pairs {}
    # Number of operations of a column.
    variable ColumnOperations 1
    # Times at which both runs were at the same operation: {ns ns}, ascending.
    variable Points {}
    # Dictionary from {KIND NAME} to the row of the second run.
    variable OtherRows {}
    variable Gutter 170
    # Upper edge of the heat map, below its sentence.
    variable Top 18
}
package provide view::diffpane 0.1

# create --
#
#   Creates the pane.  Two runs must be open.

proc ::view::diffpane::create {frame} {
    variable Frame $frame

    Compare
    ttk::panedwindow $frame -orient vertical
    ttk::frame $frame.other
    pack [difftable sentence $frame.other.text] -fill x
    pack [ttk::label $frame.other.title -style Bold.TLabel -text \
        "[run title [run other]]: the same operations as above, which are of\
        [run title [run main]]"] -anchor w
    pack [Lanes $frame.other.lanes] -fill both -expand 1
    ttk::panedwindow $frame.down -orient horizontal
    canvas $frame.down.heat -height [theme px 120] -width [theme px 300] \
        -highlightthickness 0 -borderwidth 0
    difftable create $frame.down.table
    $frame.down add $frame.down.heat -weight 1
    $frame.down add $frame.down.table -weight 3
    $frame add $frame.other -weight 1
    $frame add $frame.down -weight 1
    bind $frame.other.lanes <Configure> [namespace code Draw]
    bind $frame.down.heat <Configure> [namespace code Heat]
    bind $frame.down.heat <Motion> [namespace code {PointerMoved %x %y}]
    bind $frame.down.heat <Leave> {::view::tip hide}
    bind $frame.down.heat <ButtonPress-1> [namespace code {Click %x %y}]
    bind $frame <Map> [namespace code {PlaceSash %W}]
    state watch {t0 span theme shown cursor selection thing} \
        [namespace code Draw] $frame
    state watch {theme thing t0 span} [namespace code Heat] $frame
    return $frame
}

# Gives the timeline the height that it needs when the pane is first shown.
proc ::view::diffpane::PlaceSash {frame} {
    variable Frame

    if {$frame ne $Frame} {
        return
    }
    bind $Frame <Map> {}
    after idle [namespace code {
        variable Frame
        $Frame sashpos 0 [expr {min([winfo height $Frame] / 2,
            [lanes needs $Frame.other.lanes]
            + [winfo height $Frame.other.text] + [theme px 24])}]
    }]
}

proc ::view::diffpane::Lanes {canvas} {
    lanes create $canvas [run other]
    foreach {event factor} {<ButtonPress-4> 1 <ButtonPress-5> -1} {
        bind $canvas $event [namespace code [list Wheel %x $factor]]
    }
    return $canvas
}

# Compares the runs: sets Pairs, ColumnOperations, Points and OtherRows.
proc ::view::diffpane::Compare {} {
    variable Pairs {}
    variable ColumnOperations
    variable Points {}
    variable OtherRows {}

    foreach row [[run other] rows] {
        dict set OtherRows [list [dict get $row kind] [dict get $row name]] \
            [dict get $row row]
    }
    set pairs [diff pairs [diff paths [run main]] [diff paths [run other]]]
    set ColumnOperations [diff columns $pairs]
    foreach pair $pairs {
        lassign $pair name first second
        set until [expr {min([lindex $first 2], [lindex $second 2])}]
        set one [diff cells [run main] [lindex $first 0] \
            $ColumnOperations $until]
        set two [diff cells [run other] [lindex $second 0] \
            $ColumnOperations $until]
        lassign [diff totals $one $two] operations first_ns second_ns
        lappend Pairs [dict create name $name thread [lindex $first 1] \
            one $one two $two operations $operations \
            first $first_ns second $second_ns]
    }
    set Points [CommonPoints]
}

# Returns the times at which both runs were at the same operation: the starts
# of the columns of the path with the most columns, without those that do not
# ascend in both runs.
proc ::view::diffpane::CommonPoints {} {
    variable Pairs

    set best {}
    foreach pair $Pairs {
        if {[dict size [dict get $pair one]] > [dict size $best]} {
            set best [dict get $pair one]
            set other [dict get $pair two]
        }
    }
    set points {}
    set last {-Inf -Inf}
    dict for {column cell} $best {
        if {![dict exists $other $column]} continue
        set point [list [lindex $cell 2] \
            [lindex [dict get $other $column] 2]]
        if {[lindex $point 0] > [lindex $last 0]
            && [lindex $point 1] > [lindex $last 1]} {
            lappend points $point
            set last $point
        }
    }
    return $points
}

proc ::view::diffpane::points {} {
    variable Points
    return $Points
}

# deltas --
#
#   Returns the totals of all pairs: a list of {name operations first_ns
#   second_ns}.

proc ::view::diffpane::deltas {} {
    variable Pairs

    return [lmap pair $Pairs {
        list [dict get $pair name] [dict get $pair operations] \
            [dict get $pair first] [dict get $pair second]
    }]
}

# window --
#
#   Returns the window {t0 span} of the second run that shows the same
#   operations as the window of the first.

proc ::view::diffpane::window {} {
    variable Points

    set t0 [diff map $Points [state get t0]]
    set t1 [diff map $Points [ns at [state get t0] [state get span] 1 1]]
    return [list $t0 [expr {max(16.0, $t1 - $t0)}]]
}

# Returns {ROWS LIKE}: the rows of the second run that have the kind and name of
# a shown row of the first run, and these rows of the first run.
proc ::view::diffpane::Rows {} {
    variable OtherRows

    set rows {}
    set like {}
    foreach row [state get shown] {
        set entry [rows get $row]
        set name [list [dict get $entry kind] [dict get $entry name]]
        if {[dict exists $OtherRows $name]} {
            lappend rows [dict get $OtherRows $name]
            lappend like $row
        }
    }
    return [list $rows $like]
}

proc ::view::diffpane::Draw {args} {
    variable Frame
    variable Points

    set canvas $Frame.other.lanes
    lassign [window] t0 span
    set selection [lmap ns [state get selection] { diff map $Points $ns }]
    lassign [Rows] rows like
    lanes show $canvas [dict create t0 $t0 span $span rows $rows like $like \
        colour [state get colour] unseen {} \
        highlighted [::view::timeline::HighlightedRows] \
        theme [state get theme] selection $selection links {} arrows {} critical {} \
        causes {} marks {} folded {} pinned {}]
    if {[state get cursor] ne ""} {
        lanes cursor $canvas [diff map $Points [state get cursor]]
    }
}

proc ::view::diffpane::Wheel {x notches} {
    variable Frame
    variable Points

    set ns [lanes time $Frame.other.lanes $x]
    if {$ns ne ""} {
        ::action::zoom_at [diff map $Points $ns 1] $notches
    }
}

# ---- the heat map: the colour of a cell is the difference of a column

# Returns the time of a column in the second run minus that in the first, in
# ns; 0.0 when the second run does not have the column.
proc ::view::diffpane::Delta {pair column} {
    if {![dict exists $pair two $column]} {
        return 0.0
    }
    return [expr {double([lindex [dict get $pair two $column] 1])
        - [lindex [dict get $pair one $column] 1]}]
}

# Returns the difference that is drawn in full colour, in ns.
proc ::view::diffpane::Largest {} {
    variable Pairs

    # The 90th percentile, so that one large difference does not hide others.
    set deltas [lsort -real [concat 1.0 {*}[lmap pair $Pairs {
        lmap column [dict keys [dict get $pair one]] {
            expr {abs([Delta $pair $column])}
        }
    }]]]
    return [expr {max(1.0, [lindex $deltas [expr {
        ([llength $deltas] - 1) * 9 / 10}]])}]
}

proc ::view::diffpane::Heat {args} {
    variable Frame
    variable Pairs
    variable Top

    set canvas $Frame.down.heat
    $canvas delete all
    set largest [Largest]
    $canvas create text [theme px 6] [theme px 2] -anchor nw \
        -font ViewSmall -fill [theme colour dim] -tags about \
        -width [expr {max([theme px 40],
            [winfo width $canvas] - [theme px 12])}] -text \
        "Difference in each operation, with its waiting.  Blue: [run title [run main]] took\
        longer; orange: [run title [run other]] took longer.  Full colour:\
        [ns text $largest] or more."
    set Top [expr {[lindex [$canvas bbox about] 3] + [theme px 2]}]
    set y $Top
    set pitch [Pitch]
    foreach pair $Pairs {
        HeatRow $canvas $pair $y [list $pitch $largest]
        set y [expr {$y + $pitch}]
    }
}

proc ::view::diffpane::Pitch {} {
    variable Frame
    variable Pairs
    variable Top
    set room [expr {[winfo height $Frame.down.heat] - $Top - [theme px 2]}]
    return [expr {max(2.0, min(double([theme px 20]),
        double($room) / max(1, [llength $Pairs])))}]
}

# Draws the cells of a pair at y; scale is {PITCH LARGEST}.
proc ::view::diffpane::HeatRow {canvas pair y scale} {
    variable Gutter

    lassign $scale pitch largest
    set columns [Shown $pair]
    set left [theme px $Gutter]
    if {$pitch >= [theme px 10]} {
        $canvas create text [theme px 6] [expr {$y + $pitch / 2.0}] \
            -anchor w -font ViewSmall -fill [theme colour text] \
            -text [Label $pair]
    }
    if {![llength $columns]} {
        return
    }
    set width [expr {double([winfo width $canvas] - $left)
        / [llength $columns]}]
    set x $left
    foreach column $columns {
        $canvas create rectangle $x $y [expr {$x + $width}] \
            [expr {$y + $pitch - 1}] -outline {} -fill \
            [theme heat [expr {[Delta $pair $column] / $largest}]] \
            -tags [list cell c$column]
        set x [expr {$x + $width}]
    }
}

proc ::view::diffpane::Label {pair} {
    lassign [dict get $pair name] thread element
    return "$thread \u2192 $element"
}

# Returns the columns that begin in the window, and the column before them.
proc ::view::diffpane::Shown {pair} {
    set t0 [state get t0]
    set t1 [expr {$t0 + [state get span]}]
    set shown {}
    dict for {column cell} [dict get $pair one] {
        set start [lindex $cell 2]
        if {$start > $t1} break
        if {$start < $t0} { set shown {} }
        lappend shown $column
    }
    return $shown
}

# Returns {PAIR COLUMN} at a place of the heat map; empty outside its cells.
proc ::view::diffpane::At {x y} {
    variable Frame
    variable Pairs
    variable Gutter
    variable Top

    set index [expr {int(floor(($y - $Top) / [Pitch]))}]
    set left [theme px $Gutter]
    if {$x < $left || $index < 0 || $index >= [llength $Pairs]} {
        return {}
    }
    set pair [lindex $Pairs $index]
    set columns [Shown $pair]
    set at [expr {int(double($x - $left) * [llength $columns]
        / max(1, [winfo width $Frame.down.heat] - $left))}]
    return [list $pair [lindex $columns $at]]
}

proc ::view::diffpane::PointerMoved {x y} {
    tip schedule [namespace code [list Describe $x $y]]
}

# Returns the tooltip of a cell.
proc ::view::diffpane::Describe {x y} {
    variable ColumnOperations

    lassign [At $x $y] pair column
    if {$column eq ""} {
        return {}
    }
    set first [expr {$column * $ColumnOperations}]
    set fields [dict create path [Label $pair] \
        operations "$first to [expr {$first + $ColumnOperations - 1}]" \
        [run title [run main]] [ns text [lindex [dict get $pair one \
            $column] 1]]]
    if {[dict exists $pair two $column]} {
        dict set fields [run title [run other]] \
            [ns text [lindex [dict get $pair two $column] 1]]
    }
    return $fields
}

# Shows the operations of a cell in both runs, and selects their thread.
proc ::view::diffpane::Click {x y} {
    lassign [At $x $y] pair column
    if {$column eq ""} {
        return
    }
    ::action::select_thing thread [dict get $pair thread]
    set start [lindex [dict get $pair one $column] 2]
    ::action::goto "$start ns"
}

namespace eval ::view {
    action define diff "Compare with the second run" {D} {} {
        if {[run other] eq ""} {
            state put message "only one run is open; to compare two, start\
                eventspace view RUN1 RUN2"
            return
        }
        frame page diff
    }
}
