# hits.tcl --
#
#   The page Search: how many operations match a search, a list of them, and a
#   histogram of their durations.  The overview has ticks at them.
#
#   [R hits] reads all operations, a slice of time after the other, so the
#   window answers meanwhile.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::ns
package require view::rows
package require view::run
package require view::state
package require view::theme

namespace eval ::view::hits {
    namespace path ::view
    namespace export create renew find range words with_bin text columns
    namespace ensemble create

    variable Frame {}
    # The search that is shown, as {words from to order}; empty: none yet.
    variable Asked {}
    # Timer of the next slice, and the number of tuples that it reads.  A slice
    # is to take half of a frame of 16 ms.
    variable Timer {}
    variable Slice 50000
    variable SliceUs 8000
    variable SliceLeast 5000
    variable SliceMost 400000
    # Columns of the overview.
    variable Columns 1024
    # Events of the list, by item.
    variable Listed {}
    # Pixels at 96 dpi from one bar to the next, and of labels on the left and
    # on the right.
    variable Pitch 17
    variable Left 90
    variable Right 70
}
package provide view::hits 0.1

# create --
#
#   Creates the page.

proc ::view::hits::create {frame} {
    variable Frame $frame

    ttk::frame $frame
    ttk::frame $frame.ask
    ttk::label $frame.ask.title -text "Search:"
    ttk::entry $frame.ask.words -width 32
    ttk::button $frame.ask.find -text "Find" -takefocus 0 \
        -command [namespace code Entered]
    ttk::label $frame.ask.count
    pack $frame.ask.title $frame.ask.words $frame.ask.find \
        -side left -padx [theme px 2]
    pack $frame.ask.count -side left -fill x -expand 1 -padx [theme px 2]
    theme wrap $frame.ask.count
    ttk::panedwindow $frame.panes -orient horizontal
    $frame.panes add [List $frame.panes.list] -weight 1
    $frame.panes add [Histogram $frame.panes.bars] -weight 1
    grid $frame.ask -sticky ew
    grid $frame.panes -sticky nsew
    grid columnconfigure $frame 0 -weight 1
    grid rowconfigure $frame 1 -weight 1
    bind $frame.ask.words <Return> "[namespace code Entered]; break"
    bind $frame.ask.words <Escape> "[namespace code Leave]; break"
    state watch {selection dragging} [namespace code Moved] $frame
    state watch hits [namespace code Show] $frame
    state watch theme [namespace code Bars] $frame
    Show
    return $frame
}

proc ::view::hits::List {frame} {
    ttk::frame $frame
    ttk::treeview $frame.rows -show headings -selectmode browse -height 4 \
        -columns {start duration row name} -yscrollcommand [list $frame.y set]
    ttk::scrollbar $frame.y -orient vertical -command [list $frame.rows yview]
    foreach {column heading width anchor order} {
        start start 110 e time duration duration 110 e longest
        row row 110 w {} name operation 130 w {}
    } {
        $frame.rows heading $column -text $heading
        if {$order ne ""} {
            $frame.rows heading $column \
                -command [namespace code [list Order $order]]
        }
        $frame.rows column $column -width [theme px $width] -anchor $anchor
    }
    pack $frame.y -side right -fill y
    pack $frame.rows -fill both -expand 1
    bind $frame.rows <<TreeviewSelect>> [namespace code {Picked %W}]
    bind $frame.rows <Double-ButtonPress-1> [namespace code {Zoom %W}]
    bind $frame.rows <Return> "[namespace code {Zoom %W}]; break"
    return $frame
}

proc ::view::hits::Histogram {frame} {
    ttk::frame $frame
    pack [ttk::label $frame.title -style Dim.TLabel -text "Durations: a click\
        on a bar lists its operations"] -anchor w
    pack [canvas $frame.canvas -width [theme px 330] -height [theme px 120] \
        -highlightthickness 0 -borderwidth 0] -fill both -expand 1
    bind $frame.canvas <Configure> [namespace code Bars]
    bind $frame.canvas <ButtonPress-1> [namespace code {Click %W %x %y}]
    return $frame
}

# Searches for the words of the entry.
proc ::view::hits::Entered {} {
    variable Frame
    ::action::hits [string trim [$Frame.ask.words get]]
    Leave
}

proc ::view::hits::Leave {} {
    focus [timeline surface]
}

# Lists the first hits, or the longest ones.
proc ::view::hits::Order {order} {
    state put hit_order $order
    if {[llength [state get hits]]} {
        find [dict get [state get hits] words]
    }
}

# range --
#
#   Returns {from to}, the times that a search is of: the selection, or else the
#   whole run.

proc ::view::hits::range {} {
    if {[llength [state get selection]]} {
        lassign [state get selection] from to
        set from [expr {entier(ceil($from))}]
        return [list $from [expr {max($from + 1, entier(floor($to)))}]]
    }
    return [list 0 [expr {entier([state get whole]) + 1}]]
}

# find --
#
#   Begins to search for all operations that match.
#
# Arguments:
#   words   the search; empty: all operations
#
# Results:
#   None.  Throws {EVENTSPACE VIEWER ...} for a word that is not understood;
#   then the search before goes on.

proc ::view::hits::find {words} {
    variable Asked

    set was $Asked
    set Asked [list $words {*}[range] [state get hit_order]]
    try {
        Read
    } on error {why options} {
        set Asked $was
        GoOn
        return -options $options $why
    }
}

# renew --
#
#   Searches the run that was opened again.

proc ::view::hits::renew {} {
    variable Asked
    if {[llength $Asked]} {
        Moved
    }
}

# Searches again in another selection.
proc ::view::hits::Moved {args} {
    variable Asked

    if {![state get dragging] && [llength $Asked]} {
        if {[catch {find [lindex $Asked 0]} why]} {
            state put message $why
        }
    }
}

# Reads the next slice of a search that has not read all when the window is
# idle.
proc ::view::hits::GoOn {} {
    variable Asked
    variable Timer

    set hits [state get hits]
    if {[llength $Asked] && [dict exists $hits done]
        && [dict get $hits done] < 1} {
        set Timer [after 1 [namespace code Read]]
    }
}

# Returns the number of tuples of the next slice, at the speed of a slice of
# `count` tuples that took some us.  It grows at most twofold, because the time
# of a small slice says little.
proc ::view::hits::SliceNext {count us} {
    variable SliceUs
    variable SliceLeast
    variable SliceMost

    set next [expr {int(double($count) * $SliceUs / max($us, 1))}]
    return [expr {min($SliceMost, max($SliceLeast, min($next, 2 * $count)))}]
}

# Reads a slice of the search.
proc ::view::hits::Read {} {
    variable Asked
    variable Timer
    variable Slice
    variable Columns

    after cancel $Timer
    lassign $Asked words from to order
    set began [clock microseconds]
    set found [[run main] hits $Slice $words $from $to $Columns $order]
    set Slice [SliceNext $Slice [expr {[clock microseconds] - $began}]]
    state put hits [dict merge $found [dict create words $words from $from \
        to $to order $order]]
    GoOn
}

# columns --
#
#   Returns the number of hits in each column of the whole run; empty: none are
#   known.

proc ::view::hits::columns {} {
    set hits [state get hits]
    return [expr {[dict exists $hits columns] ? [dict get $hits columns] : {}}]
}

# ---- words

# words --
#
#   Returns the search for operations like those that are selected.

proc ::view::hits::words {} {
    set event [state get event]
    if {[dict size $event]} {
        set fields [[run main] event describe $event]
        return "op=[Word [dict get $fields operation]]"
    }
    lassign [state get thing] kind id
    switch -- $kind {
        thread - host - element {
            return "$kind=[Word [run name $kind $id]]"
        }
        step - site { return "$kind=$id" }
    }
    return {}
}

# Returns a name as a pattern without spaces that matches it.
proc ::view::hits::Word {name} {
    return [string map {* \\* ? \\? \[ \\\[ \\ \\\\ { } ? \t ? \n ?} $name]
}

# with_bin --
#
#   Returns a search for operations whose duration is also in a bin of the
#   histogram.

proc ::view::hits::with_bin {words bin} {
    set kept [lmap word [split $words] {
        if {$word eq "" || [string match {dur[<>]*} $word]} continue
        set word
    }]
    if {$bin > 0} {
        lappend kept "dur>[expr {(1 << ($bin - 1)) - 1}]ns"
    }
    lappend kept "dur<[expr {1 << $bin}]ns"
    return [join $kept]
}

# ---- what is shown

proc ::view::hits::Show {args} {
    variable Frame

    set hits [state get hits]
    $Frame.ask.count configure -text [text]
    if {![dict size $hits]} {
        return
    }
    if {[focus] ne "$Frame.ask.words"} {
        $Frame.ask.words delete 0 end
        $Frame.ask.words insert 0 [dict get $hits words]
    }
    Fill
    Bars
}

# text --
#
#   Returns "12 operations match in the whole run, ...".

proc ::view::hits::text {} {
    set hits [state get hits]
    if {![dict size $hits]} {
        return "Enter a search, or press H to search for operations like the\
            selected one."
    }
    dict with hits {
        set text "[ns number $count] operation[expr {$count == 1 ? "" : "s"}]\
            [expr {$count == 1 ? "matches" : "match"}]"
        if {$done < 1} {
            return "$text so far ([ns percent $done] is read)"
        }
        append text [expr {$from == 0 && $to > [state get whole]
            ? " in the whole run" : " of those that start in the selection"}]
        if {$unreturned} {
            append text ", [ns number $unreturned] of them without an end"
        }
        if {$count > $unreturned} {
            append text "; sum [ns text $sum], mean\
                [ns text [ns share $sum [expr {$count - $unreturned}]]]"
        }
        if {$count > [llength $events]} {
            append text "; the [expr {$order eq "time" ? "first"
                : "longest"}] [ns number [llength $events]] are listed"
        }
    }
    return $text
}

proc ::view::hits::Fill {} {
    variable Frame
    variable Listed {}

    set list $Frame.panes.list.rows
    $list delete [$list children {}]
    set hits [state get hits]
    foreach {column heading order} {
        start start time duration duration longest
    } {
        $list heading $column -text "$heading[expr {
            $order ne [dict get $hits order] ? {}
            : $order eq "time" ? " \u25b4" : " \u25be"}]"
    }
    if {![dict exists $hits events]} {
        return
    }
    foreach event [dict get $hits events] {
        set start [dict get $event start]
        set stop [dict get $event stop]
        set item [$list insert {} end -values [list \
            [ns text $start 1] [expr {$stop < $start ? "has not returned"
                : [ns text [expr {$stop - $start}]]}] \
            [dict get [rows get [dict get $event row]] name] \
            [dict get $event name]]]
        dict set Listed $item [dict remove $event name]
    }
}

# Selects the operation of the picked row.
proc ::view::hits::Picked {list} {
    variable Listed
    set item [lindex [$list selection] 0]
    if {$item ne "" && [dict exists $Listed $item]} {
        ::action::select_event [dict get $Listed $item]
    }
}

proc ::view::hits::Zoom {list} {
    variable Listed
    set item [lindex [$list selection] 0]
    if {$item ne "" && [dict exists $Listed $item]} {
        ::action::zoom_event [dict get $Listed $item]
    }
}

# Returns {first last} of the bins that have operations; empty: none has.
proc ::view::hits::Bins {} {
    set hits [state get hits]
    if {![dict size $hits]} {
        return {}
    }
    set filled [lmap count [dict get $hits bins] { expr {$count > 0} }]
    set first [lsearch $filled 1]
    if {$first < 0} {
        return {}
    }
    return [list $first [lindex [lsearch -all $filled 1] end]]
}

# Draws a bar for each bin.  Its length grows with the logarithm of the number,
# so that rare long operations are visible.
proc ::view::hits::Bars {args} {
    variable Frame
    variable Pitch

    set canvas $Frame.panes.bars.canvas
    $canvas delete all
    set bins [Bins]
    if {![llength $bins]} {
        return
    }
    lassign $bins first last
    set counts [lrange [dict get [state get hits] bins] $first $last]
    set most [::tcl::mathfunc::max {*}$counts]
    set pitch [expr {min(double([theme px $Pitch]),
        double([winfo height $canvas]) / [llength $counts])}]
    set n -1
    foreach count $counts {
        incr n
        Bar $canvas [expr {$first + $n}] $count \
            [expr {log(1.0 + $count) / log(1.0 + $most)}] \
            [list [expr {$n * $pitch}] $pitch]
    }
}

proc ::view::hits::Bar {canvas bin count length place} {
    variable Left
    variable Right

    lassign $place y pitch
    set left [theme px $Left]
    set room [expr {max(1, [winfo width $canvas] - $left - [theme px $Right])}]
    set middle [expr {$y + $pitch / 2.0}]
    set right [expr {$left + ($count ? max(1.0, $room * $length) : 0)}]
    if {$count} {
        $canvas create rectangle $left [expr {$y + 1}] $right \
            [expr {$y + max(2.0, $pitch - [theme px 2])}] -outline {} \
            -fill [theme colour communication] -tags [list bar bin$bin]
    }
    if {$pitch < [theme px 11]} {
        return
    }
    $canvas create text [expr {$left - [theme px 4]}] $middle -anchor e \
        -font ViewSmall -fill [theme colour text] \
        -text "from [ns text [expr {$bin ? 1 << ($bin - 1) : 0}]]"
    $canvas create text [expr {$right + [theme px 4]}] $middle -anchor w \
        -font ViewSmall -fill [theme colour dim] -text [ns number $count]
}

# Searches for the operations of the bar at a place.
proc ::view::hits::Click {canvas x y} {
    variable Pitch

    set bins [Bins]
    if {![llength $bins]} {
        return
    }
    lassign $bins first last
    set pitch [expr {min(double([theme px $Pitch]),
        double([winfo height $canvas]) / ($last - $first + 1))}]
    set bin [expr {$first + int([$canvas canvasy $y] / $pitch)}]
    if {$bin <= $last} {
        ::action::hits [with_bin [dict get [state get hits] words] $bin]
    }
}

namespace eval ::view {
    action define hits "List all operations that match a search" {} \
        {{words {}}} {
        hits find $words
        state put search $words
        frame page hits
    }
    action define durations "Durations of operations like the selected ones" \
        {H} {} {
        ::action::hits [hits words]
    }
}
