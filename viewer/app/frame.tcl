# frame.tcl --
#
#   The layout of the main window: panes, toolbar, banner of warnings, status
#   bar, and the pages of tables and bookmarks.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::classes
package require view::ns
package require view::run
package require view::state
package require view::theme

namespace eval ::view::frame {
    namespace path ::view
    namespace export create page pages placesash table
    namespace ensemble create

    # Dictionary from the name of a page to the title of its tab.
    variable Pages {
        charts Charts selection Selection hits Search waits Waits tables Tables console SQL
        bookmarks Bookmarks diff Difference
    }
    # Share of the panes' height that the timeline has, and that height.
    variable Share 0.5
    variable Height 0
}
package provide view::frame 0.1

# create --
#
#   Creates all widgets of the main window.

proc ::view::frame::create {} {
    wm title . "[run title [run main]] - eventspace"
    wm minsize . [theme px 640] [theme px 400]
    wm protocol . WM_DELETE_WINDOW ::action::quit
    Banner .banner
    Toolbar .tools
    findings create .findings
    filters create .filters
    overview create .overview
    classes create .classes
    ttk::panedwindow .panes -orient vertical
    timeline create .panes.timeline
    ttk::notebook .panes.pages
    .panes add .panes.timeline -weight 1
    .panes add .panes.pages -weight 1
    FillPages .panes.pages
    Status .status
    set row -1
    foreach pane {
        .banner .tools .findings .filters .overview .classes .panes .status
    } {
        grid $pane -row [incr row] -column 0 -sticky nsew
    }
    grid columnconfigure . 0 -weight 1
    grid rowconfigure . 6 -weight 1
    if {![llength [run diagnostics 1]]} {
        grid remove .banner
    }
    grid remove .filters
}

proc ::view::frame::FillPages {book} {
    variable Pages

    dict for {name title} $Pages {
        if {$name eq "diff"} {
            if {[run other] eq ""} continue
            diffpane create $book.diff
        } elseif {$name eq "tables"} {
            Tables $book.tables
        } elseif {$name eq "bookmarks"} {
            Bookmarks $book.bookmarks
        } else {
            $name create $book.$name
        }
        $book add $book.$name -text $title -padding [theme px 4]
    }
}

# placesash --
#
#   Gives the timeline the height that it needs, at most half of the panes.

proc ::view::frame::placesash {} {
    set title [expr {[winfo exists .panes.timeline.title]
        ? [winfo reqheight .panes.timeline.title] : 0}]
    .panes sashpos 0 [expr {min([winfo height .panes] / 2,
        [lanes needs [timeline surface]] + $title + [theme px 8])}]
    KeepShare
    bind .panes <ButtonRelease-1> [namespace code KeepShare]
    bind .panes <Configure> [namespace code {RestoreShare %h}]
}

# Notes the share of the height that the timeline has.
proc ::view::frame::KeepShare {} {
    variable Share
    set Share [expr {[.panes sashpos 0] / double([winfo height .panes])}]
}

# Gives the timeline its share of a new height: the panes would divide the
# difference equally, which may leave it no room.
proc ::view::frame::RestoreShare {height} {
    variable Share
    variable Height

    if {$height != $Height} {
        set Height $height
        .panes sashpos 0 [expr {round($Share * $height)}]
    }
}

# page --
#
#   Shows a page below the timeline.

proc ::view::frame::page {name} {
    if {[winfo exists .panes.pages.$name]} {
        .panes.pages select .panes.pages.$name
    }
}

proc ::view::frame::pages {} {
    return [lmap tab [.panes.pages tabs] { lindex [split $tab .] end }]
}

# table --
#
#   Returns the table of the page that is shown, for export; if that page has
#   no table that can be exported, the table of the page Tables.

proc ::view::frame::table {} {
    switch -- [lindex [split [.panes.pages select] .] end] {
        console { return .panes.pages.console.rows }
        charts { return .panes.pages.charts.table }
    }
    return .panes.pages.tables.rows
}

# ---- warnings

# Creates the banner with the first diagnostic.  It has the colour of warnings
# unless there are only notes.  Notes on views are left to the list of all.
proc ::view::frame::Banner {frame} {
    set found [run diagnostics 1]
    lassign [lindex $found 0] severity subject text
    set count [llength $found]
    # Only an error is loud: what follows from a warning is in the findings.
    set style [expr {$severity eq "error" ? "Warning." : ""}]
    ttk::frame $frame -style ${style}TFrame \
        -padding [list [theme px 6] [theme px 2]]
    set line "$severity: $subject: $text"
    if {$count > 1} {
        append line "  (and [expr {$count - 1}] more)"
    }
    pack [ttk::button $frame.all -text "Show all" -takefocus 0 \
        -command ::action::diagnostics] -side right
    pack [ttk::label $frame.text -text $line -style [expr {$style eq ""
        ? "Dim.TLabel" : "Warning.TLabel"}]] -side left -fill x
}

proc ::view::frame::Diagnostics {} {
    set frame .diagnostics
    destroy $frame
    toplevel $frame -class View
    wm title $frame "Warnings and notes"
    wm transient $frame .
    text $frame.text -width 90 -height 20 -wrap word -font TkDefaultFont \
        -padx [theme px 8] -pady [theme px 8]
    foreach entry [run diagnostics] {
        lassign $entry severity subject text
        $frame.text insert end "$severity: $subject: $text\n"
    }
    $frame.text configure -state disabled
    pack $frame.text -fill both -expand 1
    bind $frame <Escape> [list destroy $frame]
    theme paint $frame
}

# ---- toolbar

proc ::view::frame::Toolbar {frame} {
    ttk::frame $frame -padding [list [theme px 4] [theme px 2]]
    foreach {name text} {
        fit "Fit" colour "Colours" zoom_in "Zoom in" zoom_out "Zoom out"
        zoom_back "Back" zoom_forward "Forward"
        zoom_selection "Zoom to selection" highlight "Highlight step"
        part "Part" search "Search" filter "Filter" sort "Sort" arrows "Arrows"
        theme "Theme" export "Export" palette "Actions" keys "Keys"
    } {
        set button [ttk::button $frame.$name -text $text -takefocus 0 \
            -style Toolbutton -command ::action::$name]
        bind $button <Enter> [namespace code [list Hint $name]]
        bind $button <Leave> {::view::state put message {}}
    }
    ttk::menubutton $frame.more -text "More" -takefocus 0 -style Toolbutton \
        -menu $frame.more.menu
    menu $frame.more.menu -tearoff 0
    bind $frame <Configure> [namespace code [list FitTools $frame]]
}

# Packs the buttons that fit; a menu has the others.
proc ::view::frame::FitTools {frame} {
    set buttons [lsearch -all -inline -not [winfo children $frame] $frame.more]
    set room [expr {[winfo width $frame] - [theme px 8]}]
    set all [::tcl::mathop::+ {*}[lmap button $buttons {
        winfo reqwidth $button
    }]]
    if {$all > $room} {
        incr room -[winfo reqwidth $frame.more]
    }
    $frame.more.menu delete 0 end
    foreach button [list {*}$buttons $frame.more] {
        pack forget $button
    }
    foreach button $buttons {
        incr room -[winfo reqwidth $button]
        if {$room >= 0} {
            pack $button -side left
        } else {
            $frame.more.menu add command -label [$button cget -text] \
                -command [$button cget -command]
        }
    }
    if {$room < 0} {
        pack $frame.more -side left
    }
}

proc ::view::frame::Hint {name} {
    set keys [action label $name]
    state put message \
        "[action title $name][expr {$keys eq {} ? {} : " ($keys)"}]"
}

# ---- status bar

proc ::view::frame::Status {frame} {
    ttk::frame $frame -padding [list [theme px 6] [theme px 1]]
    pack [ttk::label $frame.cursor -width 18] -side right
    pack [ttk::label $frame.window -style Dim.TLabel] -side right \
        -padx [theme px 12]
    pack [ttk::label $frame.message] -side left -fill x
    bind $frame.message <Button-1> [list ::view::state put failed ""]
    state watch {t0 span selection} [namespace code Window] $frame
    state watch cursor [namespace code Cursor] $frame
    state watch {message failed} [namespace code Message] $frame
    state watch theme [namespace code MessageColour] $frame
    Window
}

proc ::view::frame::Window {args} {
    set span [state get span]
    set text "window: [ns text $span] from\
        [ns text [state get t0] [expr {$span / 1000.0}] $span]"
    if {[llength [state get selection]]} {
        lassign [state get selection] begin end
        append text "    selection: [ns text [expr {$end - $begin}]]"
    }
    .status.window configure -text $text
}

proc ::view::frame::Cursor {args} {
    set cursor [state get cursor]
    .status.cursor configure -text [expr {$cursor eq "" ? ""
        : "cursor: [ns text $cursor [ns scale [state get span] 1000 1]]"}]
}

# Shows the last error of the program, until the next message or a click, or
# else the message.
proc ::view::frame::Message {changed} {
    if {"failed" ni $changed} {
        state put failed ""
    }
    set failed [state get failed]
    if {$failed ne ""} {
        .status.message configure -text "\u26a0 $failed"
    } else {
        .status.message configure -text [state get message]
    }
    MessageColour
}

proc ::view::frame::MessageColour {args} {
    .status.message configure -foreground [theme colour \
        [expr {[state get failed] ne "" ? "warning" : "text"}]]
}

# ---- tables and bookmarks

proc ::view::frame::Tables {frame} {
    ttk::panedwindow $frame -orient horizontal
    ttk::frame $frame.names
    ttk::treeview $frame.names.list -show tree -selectmode browse -height 4 \
        -yscrollcommand [list $frame.names.y set]
    ttk::scrollbar $frame.names.y -command [list $frame.names.list yview]
    pack $frame.names.y -side right -fill y
    pack $frame.names.list -fill both -expand 1
    foreach name [tables names] {
        $frame.names.list insert {} end -id $name -text $name
    }
    tables create $frame.rows
    $frame add $frame.names -weight 0
    $frame add $frame.rows -weight 1
    bind $frame.names.list <<TreeviewSelect>> \
        [namespace code {TablePicked %W}]
    state watch table [namespace code [list TableChanged $frame]] $frame
    bind $frame.rows <Map> [namespace code [list FirstTable $frame]]
}

# Shows a table when the page is shown for the first time.
proc ::view::frame::FirstTable {frame} {
    if {[state get table] eq ""
        && "load_balance" in [$frame.names.list children {}]} {
        state put table load_balance
    }
}

proc ::view::frame::TablePicked {list} {
    set name [lindex [$list selection] 0]
    if {$name ne ""} {
        state put table $name
    }
}

proc ::view::frame::TableChanged {frame args} {
    set name [state get table]
    if {$name ni [$frame.names.list children {}]} {
        state put message "this run has no table \"$name\""
        return
    }
    if {[$frame.names.list selection] ne [list $name]} {
        $frame.names.list selection set [list $name]
    }
    $frame.names.list see $name
    tables show $frame.rows $name
}

proc ::view::frame::Bookmarks {frame} {
    ttk::frame $frame
    ttk::treeview $frame.list -show headings \
        -columns {name position length} -selectmode browse -height 4
    foreach {column title} {
        name "mark or bookmark" position "position" length "length of time"
    } {
        $frame.list heading $column -text $title
    }
    pack [ttk::label $frame.about -style Dim.TLabel -text "Press m to mark the\
        selected range of time, or b to bookmark the window.  Double-click a\
        line to show it; press Delete to remove it.  All are saved with the\
        session of this run."] -fill x
    theme wrap $frame.about
    pack $frame.list -fill both -expand 1
    bind $frame.list <Double-ButtonPress-1> [namespace code {GoToSaved %W}]
    bind $frame.list <Return> "[namespace code {GoToSaved %W}]; break"
    bind $frame.list <Delete> "[namespace code {DeleteSaved %W}]; break"
    state watch {marks bookmarks} \
        [namespace code [list FillSaved $frame.list]] $frame
}

proc ::view::frame::FillSaved {list args} {
    $list delete [$list children {}]
    set n -1
    foreach mark [state get marks] {
        lassign $mark begin end label
        $list insert {} end -id [list go_mark unmark [incr n]] -values \
            [list $label [ns text $begin] [ns text [expr {$end - $begin}]]]
    }
    set n -1
    foreach bookmark [state get bookmarks] {
        lassign $bookmark ns span label
        $list insert {} end -id [list go_bookmark unbookmark [incr n]] \
            -values [list $label [ns text $ns] [ns text $span]]
    }
}

proc ::view::frame::GoToSaved {list} {
    set item [lindex [$list selection] 0]
    if {$item ne ""} {
        ::action::[lindex $item 0] [lindex $item 2]
    }
}

proc ::view::frame::DeleteSaved {list} {
    set item [lindex [$list selection] 0]
    if {$item ne ""} {
        ::action::[lindex $item 1] [lindex $item 2]
    }
}

namespace eval ::view {
    action define diagnostics "Show all warnings and notes" {} {} {
        frame::Diagnostics
    }
    action define page "Show a page" {} {{name charts}} {
        frame page $name
    }
    action define next_page "Next page" {Control-Tab} {} {
        set pages [frame pages]
        set at [lsearch $pages [lindex [split [.panes.pages select] .] end]]
        frame page [lindex $pages [expr {($at + 1) % [llength $pages]}]]
    }
    action define table "Show a table" {t} {{name {}}} {
        frame page tables
        if {$name ne ""} {
            state put table $name
        }
    }
    action define theme "Switch between light and dark" {T} {{name {}}} {
        set names [theme names]
        if {$name eq ""} {
            set name [lindex $names [expr {([lsearch $names \
                [state get theme]] + 1) % [llength $names]}]]
        }
        if {$name ni $names} {
            state put message "no theme \"$name\"; expected one of\
                [join $names {, }]"
            return
        }
        state put theme $name
    }
    action define arrows "Show or hide arrows" {A} {} {
        state put arrows [expr {![state get arrows]}]
    }
    action define critical "Show or hide the critical path" {P} {} {
        state put critical [expr {![state get critical]}]
    }
    action define delays "Show or hide delays and the waits that they caused" \
        {R} {} {
        state put delays [expr {![state get delays]}]
        if {[state get delays] && ![run has idle_wave]} {
            state put message "no delays are known: the view idle_wave has\
                those of traced runs"
        }
    }
    action define rows_up "Scroll rows up" {Up Prior} {} {
        timeline::WheelRows -1
    }
    action define rows_down "Scroll rows down" {Down Next} {} {
        timeline::WheelRows 1
    }
    action define quit "Quit" {Control-q} {} {
        session save
        destroy .
    }
}
