# timeline.tcl --
#
#   The pane with the timeline of the main run, and its mouse gestures.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::density
package require view::lanes
package require view::rows
package require view::run
package require view::state
package require view::tip
package require view::window

namespace eval ::view::timeline {
    namespace path ::view
    namespace export create renew draw surface nearest reveal
    namespace ensemble create

    variable Canvas {}
    # The drag under way: what (select or pan), x, y, moved, t0, ns.
    variable Drag {}
    # Most pixels at 96 dpi that the pointer may move during a click.
    variable ClickSlack 4
    # Arrows that are shown, and the timer of their next update.
    variable Arrows {}
    variable RefineTimer {}
    # Parts of the critical path that are shown.
    variable Critical {}
    # Delays, deaths and deadlocks that are shown.
    variable Causes {}
    # The run whose deaths and deadlocks are known, and these.
    variable EndsOf {}
    variable Ends {}
    # Most arrows, and fewest pixels for each.  More would hide the rows.
    variable MostArrows 2000
    variable ArrowRoom 5
    # Shown when there are too many arrows: the number of operations that begin
    # in each column, and the width of a column in pixels.
    variable Density {}
    variable Column 4
}
package provide view::timeline 0.1

# create --
#
#   Creates the pane.
#
# Arguments:
#   frame   path of the widget

proc ::view::timeline::create {frame} {
    variable Canvas

    ttk::frame $frame
    set Canvas [lanes create $frame.lanes [run main]]
    ttk::scrollbar $frame.rows -orient vertical \
        -command [namespace code Scroll]
    if {[run other] ne ""} {
        grid [ttk::label $frame.title -style Bold.TLabel \
            -text [run title [run main]]] -row 0 -sticky w
    }
    grid $Canvas $frame.rows -row 1 -sticky nsew
    grid columnconfigure $frame 0 -weight 1
    grid rowconfigure $frame 1 -weight 1
    BindMouse $Canvas
    bind $Canvas <Configure> [namespace code Resized]
    state watch {
        t0 span shown selection links marks theme folded pinned thing event
        colour unseen
    } [namespace code draw] $Canvas
    state watch {t0 span shown arrows critical delays} \
        [namespace code RefineSoon] $Canvas
    state watch cursor [namespace code Cursor] $Canvas
    state watch {filters hidden folded pinned sort} [namespace code Rows] \
        $Canvas
    return $frame
}

# Draws in another size.  Arrows and the critical path depend on the width.
proc ::view::timeline::Resized {} {
    draw
    RefineSoon
}

# renew --
#
#   Draws the run that was opened again.

proc ::view::timeline::renew {} {
    variable Canvas
    lanes renew $Canvas [run main]
    Rows
    draw
    RefineSoon
}

proc ::view::timeline::surface {} {
    variable Canvas
    return $Canvas
}

proc ::view::timeline::BindMouse {canvas} {
    foreach {event command} {
        <ButtonPress-1> {Press select %x %y}
        <Shift-ButtonPress-1> {Press pan %x %y}
        <ButtonPress-2> {Press pan %x %y}
        <B1-Motion> {Move %x %y}
        <B2-Motion> {Move %x %y}
        <ButtonRelease-1> {Release %x %y}
        <ButtonRelease-2> {Release %x %y}
        <Double-ButtonPress-1> {Double %x %y}
        <Motion> {PointerMoved %x %y}
        <Leave> {PointerLeft}
        <ButtonPress-3> {Menu %x %y %X %Y}
        <ButtonPress-4> {Wheel %x 1}
        <ButtonPress-5> {Wheel %x -1}
        <Shift-ButtonPress-4> {WheelPan -0.1}
        <Shift-ButtonPress-5> {WheelPan 0.1}
        <Control-ButtonPress-4> {WheelRows -3}
        <Control-ButtonPress-5> {WheelRows 3}
        <MouseWheel> {Wheel %x [expr {%D > 0 ? 1 : -1}]}
    } {
        bind $canvas $event [namespace code $command]
    }
}

# Computes the rows that are shown from filters, folding and sorting.
proc ::view::timeline::Rows {args} {
    set criteria [dict create filters [state get filters]]
    foreach key {hidden folded pinned sort} {
        dict set criteria $key [state get $key]
    }
    state put shown [rows shown $criteria]
}

# draw --
#
#   Draws everything.

proc ::view::timeline::draw {args} {
    variable Canvas
    variable Arrows
    variable Critical
    variable Causes
    variable Density

    set what [dict create highlighted [HighlightedRows] arrows $Arrows \
        critical $Critical causes $Causes rows [state get shown] marks [Marks]]
    foreach key {
        t0 span theme selection links folded pinned colour unseen
    } {
        dict set what $key [state get $key]
    }
    lanes show $Canvas $what
    Scrollbar
    DrawEvent
    waits draw $Canvas
    if {[llength $Density]} {
        DrawDensity
    }
    Cursor
}

# Updates the scrollbar, which is shown only when not all rows are visible.
proc ::view::timeline::Scrollbar {} {
    variable Canvas

    set bar [winfo parent $Canvas].rows
    set count [expr {max(1, [llength [state get shown]])}]
    set fits [lanes fits $Canvas]
    if {$fits >= $count} {
        grid remove $bar
        return
    }
    set first [lanes first $Canvas]
    grid $bar
    $bar set [ns share $first $count] \
        [ns share [expr {min($count, $first + $fits)}] $count]
}

# Draws a frame around the selected operation.
proc ::view::timeline::DrawEvent {} {
    variable Canvas

    set event [state get event]
    if {![dict size $event]} {
        return
    }
    set at [lsearch -integer [state get shown] [dict get $event row]]
    set down [expr {$at - [lanes first $Canvas]}]
    if {$at < 0 || $down < 0} {
        return
    }
    set height [lanes rowheight $Canvas]
    set y [expr {[theme px $::view::lanes::Axis] + $down * $height}]
    set left [lanes x $Canvas [state get t0]]
    set x0 [expr {max($left, [lanes x $Canvas [dict get $event start]])}]
    set stop [dict get $event stop]
    if {$stop < [dict get $event start]} {
        # The operation never returned.
        set stop [state get whole]
    }
    set x1 [expr {max($x0 + 2, [lanes x $Canvas $stop])}]
    if {$x0 > [winfo width $Canvas] || $x1 < $left} {
        return
    }
    $Canvas create rectangle $x0 $y \
        [expr {min($x1, [winfo width $Canvas])}] [expr {$y + $height - 1}] \
        -outline [theme colour highlight] -width [theme px 2] -tags decoration
}

# Draws the density of operations as a band at the axis, in place of arrows.
proc ::view::timeline::DrawDensity {} {
    variable Canvas
    variable Density

    set most [::tcl::mathfunc::max 1 {*}$Density]
    set bottom [theme px $::view::lanes::Axis]
    # The labels of the axis leave this height free.
    set height [theme px 4]
    set width [ns share [lanes width $Canvas] [llength $Density]]
    set x [lanes x $Canvas [state get t0]]
    foreach count $Density {
        if {$count} {
            $Canvas create rectangle $x \
                [expr {$bottom - max(1.0, double($height) * $count / $most)}] \
                [expr {$x + $width}] $bottom -outline {} \
                -fill [theme colour arrow] -tags {decoration band}
        }
        set x [expr {$x + $width}]
    }
    $Canvas create text [theme px 6] [theme px 4] -anchor nw \
        -font ViewSmall -fill [theme colour dim] -tags decoration \
        -text "zoom in to see arrows"
}

# Returns the visible rows of the selected thing.  A row in a fold is
# represented by the row above it.
proc ::view::timeline::HighlightedRows {} {
    set thing [state get thing]
    if {![llength $thing]} {
        return {}
    }
    lassign $thing kind id other
    set found {}
    switch -- $kind {
        thread { lappend found [rows thread $id] }
        pair { lappend found [rows thread $id] [rows thread $other] }
        host - process { lappend found [rows named $kind $id] }
        stage - element - path { set found [ThreadsThrough $kind $id] }
    }
    set visible {}
    foreach row $found {
        if {$row eq ""} continue
        foreach above [rows lineage $row] {
            if {$above in [state get shown]} {
                lappend visible $above
                break
            }
        }
    }
    return $visible
}

# Returns the rows of the threads that have a path, or a path through a stage
# or to an element.
proc ::view::timeline::ThreadsThrough {kind id} {
    set where [expr {$kind eq "stage" ? "path IN (SELECT path FROM path_stage
        WHERE stage = :id)" : "$kind = :id"}]
    return [lmap row [run query "SELECT DISTINCT thread FROM path
        WHERE $where" -bind [list id $id]] {
        rows thread [lindex $row 0]
    }]
}

# Returns all marks, and bookmarks as marks of length 0.
proc ::view::timeline::Marks {} {
    set marks [state get marks]
    foreach bookmark [state get bookmarks] {
        lassign $bookmark ns span label
        lappend marks [list $ns $ns $label]
    }
    return $marks
}

# reveal --
#
#   Scrolls so that a row is visible, if it is shown.

proc ::view::timeline::reveal {row} {
    variable Canvas

    set at [lsearch -exact [state get shown] $row]
    set first [lanes first $Canvas]
    set fits [lanes fits $Canvas]
    if {$at < 0 || ($at >= $first && $at < $first + $fits)} {
        return
    }
    lanes scroll $Canvas [expr {$at < $first ? $at : $at - $fits + 1}]
    draw
}

# Scrolls the rows.  The arguments are those of a scrollbar's command.
proc ::view::timeline::Scroll {command amount {unit units}} {
    variable Canvas

    switch -- $command {
        moveto {
            set first [expr {double($amount)
                * [llength [state get shown]]}]
        }
        default {
            if {$unit eq "pages"} {
                set amount [expr {$amount * [lanes fits $Canvas]}]
            }
            set first [expr {[lanes first $Canvas] + $amount}]
        }
    }
    lanes scroll $Canvas $first
    draw
}

# ---- arrows, drawn when the window has not moved for a while

proc ::view::timeline::RefineSoon {args} {
    variable RefineTimer
    after cancel $RefineTimer
    set RefineTimer [after 120 [namespace code Refine]]
}

# Fetches the critical path in the window, and the arrows or, if they are too
# many, the density.
proc ::view::timeline::Refine {} {
    variable Canvas
    variable Arrows {}
    variable Critical {}
    variable Causes {}
    variable Density {}
    variable MostArrows
    variable ArrowRoom
    variable Column

    if {![winfo exists $Canvas]} {
        return
    }
    set window [list [state get t0] [state get span]]
    if {[state get critical]} {
        catch {
            set Critical [[run main] event critical {*}$window \
                [lanes width $Canvas]]
        }
    }
    # Deaths and deadlocks are always shown.
    set Causes [Endings]
    if {[state get delays]} {
        catch { lappend Causes {*}[[run main] event delays {*}$window] }
    }
    set most [expr {min($MostArrows,
        [lanes width $Canvas] / [theme px $ArrowRoom])}]
    # One more than can be shown is requested, to detect that there are more.
    if {[state get arrows] && ![catch {[run main] event arrows {*}$window \
        [lanes width $Canvas] [expr {$most + 1}]} found]} {
        if {[llength $found] <= $most} {
            set Arrows $found
        } else {
            set Density [density columns [run main] {*}$window \
                [expr {max(1, [lanes width $Canvas] / [theme px $Column])}]]
        }
    }
    draw
}

# Returns the deaths and deadlocks of the run, which are read once for it.
proc ::view::timeline::Endings {} {
    variable Ends
    variable EndsOf

    if {$EndsOf ne [run main]} {
        set Ends {}
        catch { set Ends [[run main] event ends] }
        set EndsOf [run main]
    }
    return $Ends
}

# ---- the mouse

proc ::view::timeline::Press {what x y} {
    variable Canvas
    variable Drag

    focus $Canvas
    tip hide
    set Drag [dict create what $what x $x y $y moved 0 \
        t0 [state get t0] ns [lanes time $Canvas $x]]
}

proc ::view::timeline::Move {x y} {
    variable Canvas
    variable Drag
    variable ClickSlack

    if {![dict size $Drag] || [dict get $Drag ns] eq ""} {
        return
    }
    if {!([dict get $Drag moved])
        && abs($x - [dict get $Drag x]) < [theme px $ClickSlack]} {
        return
    }
    dict set Drag moved 1
    if {[dict get $Drag what] eq "pan"} {
        set by [ns scale [state get span] [lanes width $Canvas] \
            [expr {[dict get $Drag x] - $x}]]
        window show [expr {[dict get $Drag t0] + $by}] [state get span] drag
    } else {
        state put dragging 1
        Select [dict get $Drag ns] [TimeInWindow $x]
    }
}

# Returns the time at x, limited to the window.
proc ::view::timeline::TimeInWindow {x} {
    variable Canvas

    set ns [lanes time $Canvas $x]
    if {$ns eq ""} {
        return [state get t0]
    }
    return [expr {min($ns, [state get t0] + [state get span])}]
}

proc ::view::timeline::Select {from to} {
    state put selection [list [expr {min($from, $to)}] \
        [expr {max($from, $to)}]]
}

proc ::view::timeline::Release {x y} {
    variable Drag

    set drag $Drag
    set Drag {}
    if {![dict size $drag]} {
        return
    }
    state put dragging 0
    if {![dict get $drag moved] && [dict get $drag what] eq "select"} {
        Click $x $y
    }
}

proc ::view::timeline::Click {x y} {
    variable Canvas

    set row [lanes row $Canvas $y]
    if {$row eq ""} {
        ::action::clear
        return
    }
    set entry [rows get $row]
    set ns [lanes time $Canvas $x]
    if {$ns eq ""} {
        if {[dict get $entry kind] ne "thread"} {
            ::action::fold $row
        }
        ::action::select_thing [dict get $entry kind] [dict get $entry id]
        return
    }
    state put cursor $ns
    if {[waits visible]} {
        waits pick $ns
    }
    ::action::select_event [nearest $row $ns]
    state put thing [list [dict get $entry kind] [dict get $entry id]]
}

# nearest --
#
#   Returns the operation of a row at a time, or within a few pixels of it.
#
# Results:
#   The result of [R event at]; empty when there is none.

proc ::view::timeline::nearest {row ns} {
    variable Canvas
    variable ClickSlack

    set slack [ns scale [state get span] [lanes width $Canvas] \
        [theme px $ClickSlack]]
    if {$row eq "" || [dict get [rows get $row] kind] ne "thread"
        || [catch {[run main] event at $row $ns $slack} event]} {
        return {}
    }
    return $event
}

proc ::view::timeline::Double {x y} {
    variable Canvas
    variable Drag

    set Drag {}
    set ns [lanes time $Canvas $x]
    if {$ns ne ""} {
        ::action::zoom_event [nearest [lanes row $Canvas $y] $ns]
    }
}

proc ::view::timeline::Wheel {x notches} {
    variable Canvas

    set ns [lanes time $Canvas $x]
    if {$ns eq ""} {
        WheelRows [expr {-3 * $notches}]
    } else {
        ::action::zoom_at $ns $notches
    }
}

proc ::view::timeline::WheelPan {part} {
    ::action::pan_by $part
}

proc ::view::timeline::WheelRows {count} {
    Scroll scroll $count units
}

proc ::view::timeline::PointerMoved {x y} {
    variable Canvas

    state put cursor [lanes time $Canvas $x]
    tip schedule [namespace code [list Describe $x $y]]
}

# Returns a tooltip with the time without a core {start stop}, if there is one.
proc ::view::timeline::WithGap {tip gap} {
    if {[llength $gap]} {
        lassign $gap start stop
        dict set tip "runnable without a core" "[ns text \
            [expr {$stop - $start}]], up to [ns text $stop]"
    }
    return $tip
}

# Returns the tooltip of a place.
proc ::view::timeline::Describe {x y} {
    variable Canvas

    set row [lanes row $Canvas $y]
    set ns [lanes time $Canvas $x]
    if {$row eq ""} {
        return {}
    }
    set event [expr {$ns eq "" ? {} : [nearest $row $ns]}]
    set gap [expr {$ns eq "" ? {} : [[run main] gap $row $ns]}]
    if {[dict size $event]} {
        return [WithGap [[run main] event describe $event] $gap]
    }
    set facts [rows facts $row]
    set tip [dict create row [rows describe $row] \
        communication "[ns percent [dict get $facts share]] of the time" \
        waiting [ns text [dict get $facts wait]] \
        operations [ns number [expr {round([dict get $facts operations])}]]]
    set threads [dict get [rows get $row] threads]
    if {$threads > 1} {
        dict set tip height "share of its $threads [run workers] that communicate"
        dict set tip "strong colour" "an operation is unusually long"
    }
    return [WithGap $tip $gap]
}

proc ::view::timeline::PointerLeft {} {
    tip hide
    state put cursor {}
}

proc ::view::timeline::Cursor {args} {
    variable Canvas
    lanes cursor $Canvas [state get cursor]
}

# Shows the menu of the row under the pointer.
proc ::view::timeline::Menu {x y X Y} {
    variable Canvas

    set row [lanes row $Canvas $y]
    if {$row eq ""} {
        return
    }
    tip hide
    destroy $Canvas.menu
    menu $Canvas.menu -tearoff 0
    set entry [rows get $row]
    foreach {label command} [list \
        "Pin or unpin [dict get $entry name]" [list ::action::pin $row] \
        "Hide [dict get $entry name]" [list ::action::hide $row] \
        "Show only [dict get $entry name]" [list ::action::filter \
            "[dict get $entry kind]=[dict get $entry name]"] \
        "Fold or unfold" [list ::action::fold $row]] {
        $Canvas.menu add command -label $label -command $command
    }
    theme paint $Canvas.menu
    tk_popup $Canvas.menu $X $Y
}
