# tables.tcl --
#
#   A treeview that shows a table or a query of the database: values with
#   units, names instead of ids, sorted by SQLite, one page at a time.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::ns
package require view::part
package require view::run
package require view::state
package require view::theme

namespace eval ::view::tables {
    namespace path ::view
    namespace export create renew show query names text csv things plain
    namespace ensemble create

    # Number of rows of a page.
    variable Page 1000
    # Dictionary from widget to its sql, names (of columns), order, descending,
    # first (row of the page), run, binds, rows, and, of a table of the run,
    # table and part (the interval that it is of; empty: the whole run).
    variable Widgets {}
    # Timers of [PartLater], by widget.
    variable Timers {}
    # Columns that hold ids, and the kind of thing.
    variable Ids {
        thread thread waiter thread culprit thread host host pair_from host
        pair_to host process process element element stage stage path path
        above stage collector collector step step site site
        rank rank source end target end
    }
}
package provide view::tables 0.1

# names --
#
#   Returns the tables and views of a run that have rows, except those of the
#   drawing pyramid.

proc ::view::tables::names {} {
    return [lmap row [run query "SELECT name FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'
        AND name NOT LIKE 'timeline%' ORDER BY name"] {
        set name [lindex $row 0]
        if {[catch {run has $name} found] || !$found} continue
        set name
    }]
}

# create --
#
#   Creates the widget.
#
# Arguments:
#   frame   path of the widget

proc ::view::tables::create {frame} {
    variable Widgets

    # Without grid propagate, wide columns would take room from other panes.
    ttk::frame $frame -width [theme px 360] -height [theme px 120]
    grid propagate $frame 0
    ttk::treeview $frame.rows -show headings -selectmode browse -height 4 \
        -yscrollcommand [list $frame.y set] -xscrollcommand [list $frame.x set]
    ttk::scrollbar $frame.y -orient vertical -command [list $frame.rows yview]
    ttk::scrollbar $frame.x -orient horizontal \
        -command [list $frame.rows xview]
    ttk::frame $frame.page
    ttk::button $frame.page.back -text "\u25c2" -takefocus 0 \
        -command [namespace code [list ChangePage $frame -1]]
    ttk::button $frame.page.on -text "\u25b8" -takefocus 0 \
        -command [namespace code [list ChangePage $frame 1]]
    ttk::label $frame.page.what -style Dim.TLabel
    pack $frame.page.back $frame.page.on $frame.page.what -side left
    ttk::label $frame.part -style Dim.TLabel
    grid $frame.part - -row 0 -sticky ew
    grid remove $frame.part
    grid $frame.rows $frame.y -row 1 -sticky nsew
    grid $frame.x -row 2 -sticky ew
    grid $frame.page -row 3 -sticky ew
    grid remove $frame.page
    grid columnconfigure $frame 0 -weight 1
    grid rowconfigure $frame 1 -weight 1
    dict set Widgets $frame {sql {} names {} order {} descending 0 first 0
        run {} binds {} rows {} table {} part {}}
    bind $frame.rows <<TreeviewSelect>> [namespace code [list Picked $frame]]
    bind $frame <Destroy> [namespace code [list Forget $frame %W]]
    state watch {thing theme} [namespace code [list Highlight $frame]] $frame
    state watch {t0 span selection part dragging} \
        [namespace code [list PartLater $frame]] $frame
    return $frame
}

proc ::view::tables::Forget {frame widget} {
    variable Widgets
    if {$widget eq $frame} {
        dict unset Widgets $frame
    }
}

# show, query --
#
#   [show] shows a table of the run, [query] the rows of a query.
#
# Arguments:
#   frame       the widget
#   table, sql  name of the table, or text of the query
#   binds       {name value ...}: parameters of the query

proc ::view::tables::show {frame table} {
    variable Widgets

    query $frame "SELECT * FROM \"$table\""
    dict set Widgets $frame table $table
    Part $frame
}

# renew --
#
#   Reads the rows of all tables again, because the run was opened again.

proc ::view::tables::renew {} {
    variable Widgets

    dict for {frame widget} $Widgets {
        if {[dict get $widget run] eq ""} continue
        dict set Widgets $frame run [run main]
        # The sums of a part are computed again.
        dict set Widgets $frame part {}
        if {[catch {Fill $frame} why]} {
            state put message $why
        }
        Part $frame
    }
}

# Shows a table of the part of the run when the part has not changed for a
# while.
proc ::view::tables::PartLater {frame args} {
    variable Timers
    if {[dict exists $Timers $frame]} {
        after cancel [dict get $Timers $frame]
    }
    dict set Timers $frame [after 200 [namespace code [list Part $frame]]]
}

# Shows the rows of the part of the run, if the table can be computed for it,
# and says above the rows of what they are.
proc ::view::tables::Part {frame} {
    variable Widgets

    if {![winfo exists $frame] || [state get dragging]
        || [set table [dict get $Widgets $frame table]] eq ""} {
        return
    }
    set part [part interval]
    if {$part ne [dict get $Widgets $frame part]} {
        lassign [PartQuery $frame $table] sql binds part
        if {$sql eq ""} {
            # The sums are not complete; this is called again.
            return
        }
        set order [dict get $Widgets $frame order]
        set descending [dict get $Widgets $frame descending]
        query $frame $sql $binds
        dict set Widgets $frame table $table
        dict set Widgets $frame part $part
        if {$order in [dict get $Widgets $frame names] && $order ne ""} {
            dict set Widgets $frame order $order
            dict set Widgets $frame descending $descending
            Fill $frame
        }
    }
    ShowPart $frame
}

# Returns {sql binds part}: the query for a table of the part of the run, and
# the part that it is really of.  sql is empty while sums are computed.
proc ::view::tables::PartQuery {frame table} {
    set whole [list "SELECT * FROM \"$table\"" {} {}]
    set part [part interval]
    if {![llength $part]} {
        return $whole
    }
    lassign $part from to
    if {[HasTimes $table]} {
        return [list "SELECT * FROM \"$table\" WHERE stop_ns > :from\
            AND start_ns < :to" [list from $from to $to] $part]
    }
    if {![part can $table]
        || [catch {part sums [namespace code [list Part $frame]]} sums]} {
        return $whole
    }
    if {[dict get $sums done] < 1} {
        return {}
    }
    return [list {*}[part rows $table $sums] $part]
}

# Returns true if the rows of a table are intervals of time.
proc ::view::tables::HasTimes {table} {
    return [expr {[run scalar "SELECT count(*) FROM pragma_table_info(:table)
        WHERE name IN ('start_ns', 'stop_ns')" -bind [list table $table]] == 2}]
}

# Says above the rows of which part of the run they are.
proc ::view::tables::ShowPart {frame} {
    variable Widgets

    if {![part is]} {
        grid remove $frame.part
        return
    }
    set part [dict get $Widgets $frame part]
    $frame.part configure -text [expr {[llength $part]
        ? "of the [part text]"
        : "of the whole run, not of the [part text]"}]
    grid $frame.part
}

proc ::view::tables::query {frame sql {binds {}}} {
    variable Widgets

    set sql [string trimright $sql "; \n\t"]
    set names {}
    [run main] query "SELECT * FROM ($sql)" -names names -limit 1 -bind $binds
    dict set Widgets $frame [dict create sql $sql names $names order {} \
        descending 0 first 0 run [run main] binds $binds rows {} table {} \
        part {}]
    grid remove $frame.part
    Columns $frame
    Fill $frame
}

proc ::view::tables::Columns {frame} {
    variable Widgets

    set names [dict get $Widgets $frame names]
    set columns {}
    for {set n 0} {$n < [llength $names]} {incr n} {
        lappend columns c$n
    }
    $frame.rows configure -columns {} -displaycolumns #all
    $frame.rows configure -columns $columns
    foreach column $columns name $names {
        $frame.rows column $column -width [theme px 110] \
            -minwidth [theme px 40] -stretch 0 \
            -anchor [expr {[Textual $name] ? "w" : "e"}]
        $frame.rows heading $column -text [Heading $name] \
            -command [namespace code [list Sort $frame $name]]
    }
}

# Returns the heading of a column: its name without the unit ns, because
# values are shown with their own units.
proc ::view::tables::Heading {name} {
    return [string map {_ " "} [regsub {_ns(_|$)} $name {\1}]]
}

# Returns true if a column holds names rather than numbers.
proc ::view::tables::Textual {name} {
    variable Ids
    return [expr {[dict exists $Ids $name]
        || ![regexp {_ns|_ppb|share|operations|first|last|messages|bytes|calls|count|tuples|instances} \
            $name]}]
}

# Returns the kind of thing whose ids a column of a query holds; empty when it
# holds none.
proc ::view::tables::Kind {name {sql {}}} {
    variable Ids

    if {![dict exists $Ids $name]} {
        return {}
    }
    # These tables have the columns of waits_for, which holds threads.
    if {$name in {waiter culprit}
        && [regexp {\mwaits_for_(process|host)\M} $sql - level]} {
        return $level
    }
    set kind [dict get $Ids $name]
    # The ends of a message are ranks of MPI, else processes.
    if {$kind eq "end"} {
        return [expr {[[run main] get mpi] ? "rank" : "process"}]
    }
    return $kind
}

# text --
#
#   Formats a value by the name of its column in a query.

proc ::view::tables::text {name value {sql {}}} {
    if {$value eq ""} {
        return ""
    }
    set kind [Kind $name $sql]
    if {$kind ni {"" step} && [string is entier -strict $value]} {
        return [run name $kind $value]
    }
    if {![string is double -strict $value]} {
        return [plain $value]
    }
    switch -regexp -- $name {
        _ns(_|$) { return [ns text $value] }
        share$ { return [ns percent $value] }
        _ppb$ { return "$value ppb" }
        bytes$ { return [::eventspace::unit text bytes $value] }
    }
    return [ns number $value]
}

# plain --
#
#   Returns a text without control characters and overrides of the direction of
#   text, as `eventspace show` prints it.

proc ::view::tables::plain {text} {
    regsub -all {[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]} \
        $text ? text
    return $text
}

# Returns the ORDER BY clause of a widget.
proc ::view::tables::Order {frame} {
    variable Widgets

    set order [dict get $Widgets $frame order]
    if {$order eq ""} {
        return ""
    }
    return " ORDER BY \"$order\"[expr {[dict get $Widgets $frame descending]
        ? { DESC} : {}}]"
}

# Fills the widget with a page of the query.  One row more than the page shows
# is read, to know whether another page follows.
proc ::view::tables::Fill {frame} {
    variable Widgets
    variable Page

    set first [dict get $Widgets $frame first]
    set sql [dict get $Widgets $frame sql]
    set rows [[dict get $Widgets $frame run] query \
        "SELECT * FROM ($sql)[Order $frame]
        LIMIT [expr {$Page + 1}] OFFSET $first" \
        -limit [expr {$Page + 1}] -bind [dict get $Widgets $frame binds]]
    dict set Widgets $frame rows $rows
    $frame.rows delete [$frame.rows children {}]
    set names [dict get $Widgets $frame names]
    set n -1
    foreach row [lrange $rows 0 $Page-1] {
        $frame.rows insert {} end -id [incr n] -values \
            [lmap name $names value $row { text $name $value $sql }]
    }
    Foot $frame [llength $rows]
    Arrows $frame
    Widths $frame
    Highlight $frame
}

# Makes columns as wide as their heading and the values of the first 50 rows.
proc ::view::tables::Widths {frame} {
    variable Widgets

    set n -1
    foreach name [dict get $Widgets $frame names] {
        incr n
        set width [font measure ViewBold "[Heading $name] \u25be"]
        foreach item [lrange [$frame.rows children {}] 0 49] {
            set width [expr {max($width, [font measure TkDefaultFont \
                [lindex [$frame.rows item $item -values] $n]])}]
        }
        $frame.rows column c$n \
            -width [expr {min($width, [theme px 320]) + [theme px 16]}]
    }
}

# Shows the buttons for other pages, if there are any.  count is the number of
# rows that were read for this page.
proc ::view::tables::Foot {frame count} {
    variable Widgets
    variable Page

    set first [dict get $Widgets $frame first]
    set last [expr {$first + min($count, $Page)}]
    $frame.page.back state [expr {$first > 0 ? "!disabled" : "disabled"}]
    $frame.page.on state [expr {$count > $Page ? "!disabled" : "disabled"}]
    $frame.page.what configure -text [expr {$count == 0 ? "no rows"
        : "rows [expr {$first + 1}] to $last[expr {$count > $Page
            ? {, more follow} : {}}]"}]
    if {$first > 0 || $count > $Page} {
        grid $frame.page
    } else {
        grid remove $frame.page
    }
}

proc ::view::tables::ChangePage {frame by} {
    variable Widgets
    variable Page

    dict set Widgets $frame first \
        [expr {max(0, [dict get $Widgets $frame first] + $by * $Page)}]
    Fill $frame
}

# Sorts by a column: numbers descending, names ascending; a second call
# reverses the order.
proc ::view::tables::Sort {frame name} {
    variable Widgets

    if {[dict get $Widgets $frame order] eq $name} {
        dict set Widgets $frame descending \
            [expr {![dict get $Widgets $frame descending]}]
    } else {
        dict set Widgets $frame order $name
        dict set Widgets $frame descending [expr {![Textual $name]}]
    }
    dict set Widgets $frame first 0
    Fill $frame
}

# Marks the heading of the column by which rows are sorted.
proc ::view::tables::Arrows {frame} {
    variable Widgets

    set n -1
    foreach name [dict get $Widgets $frame names] {
        set arrow ""
        if {$name eq [dict get $Widgets $frame order]} {
            set arrow [expr {[dict get $Widgets $frame descending] ? " \u25be"
                : " \u25b4"}]
        }
        $frame.rows heading c[incr n] -text [Heading $name]$arrow
    }
}

# things --
#
#   Returns the things whose ids a row of a table holds.
#
# Arguments:
#   names, row  names of the columns, and their values
#   sql         the query
#
# Results:
#   A list of {kind id}.

proc ::view::tables::things {names row {sql {}}} {
    set things {}
    foreach name $names value $row {
        set kind [Kind $name $sql]
        if {$kind eq "" || ![string is entier -strict $value]} continue
        if {$kind eq "rank"} {
            # Other panes show no ranks: the process of the rank is selected.
            set kind process
            set value [run scalar "SELECT process FROM mpi_rank
                WHERE rank = :rank" -bind [list rank $value]]
            if {$value eq ""} continue
        }
        lappend things [list $kind $value]
    }
    return $things
}

# Selects the things of a picked row in all panes.
proc ::view::tables::Picked {frame} {
    variable Widgets

    set at [lindex [$frame.rows selection] 0]
    if {$at eq ""} {
        return
    }
    set names [dict get $Widgets $frame names]
    set row [lindex [dict get $Widgets $frame rows] $at]
    set things [things $names $row [dict get $Widgets $frame sql]]
    if {![llength $things]} {
        return
    }
    lassign $things one two
    if {[lindex $one 0] eq "thread" && [lindex $two 0] eq "thread"} {
        ::action::select_thing pair [lindex $one 1] [lindex $two 1]
    } else {
        ::action::select_thing {*}$one
    }
    GoTo $names $row
}

# Moves the cursor to the start time of a row, if it has one.
proc ::view::tables::GoTo {names row} {
    set at [lsearch -exact $names start_ns]
    if {$at >= 0 && [string is double -strict [lindex $row $at]]} {
        ::action::goto "[lindex $row $at] ns"
    }
}

# Highlights the rows of the thing in the state.
proc ::view::tables::Highlight {frame args} {
    variable Widgets

    $frame.rows tag configure highlighted -background [theme colour selection] \
        -font ViewBold
    set names [dict get $Widgets $frame names]
    set sql [dict get $Widgets $frame sql]
    set selected [SelectedThings]
    set seen 0
    foreach item [$frame.rows children {}] {
        set highlighted 0
        if {[llength $selected]} {
            set row [lindex [dict get $Widgets $frame rows] $item]
            set highlighted [expr {[llength [lmap thing $selected {
                if {$thing ni [things $names $row $sql]} continue
                set thing
            }]] == [llength $selected]}]
        }
        $frame.rows item $item \
            -tags [expr {$highlighted ? "highlighted" : {}}]
        if {$highlighted && !$seen} {
            set seen 1
            $frame.rows see $item
        }
    }
}

# Returns the thing in the state as a list of {kind id}; a pair is two threads.
proc ::view::tables::SelectedThings {} {
    lassign [state get thing] kind id other
    if {$kind eq ""} {
        return {}
    }
    if {$kind eq "pair"} {
        return [list [list thread $id] [list thread $other]]
    }
    return [list [list $kind $id]]
}

# csv --
#
#   Returns the rows of the query as comma-separated values, with raw numbers
#   instead of names and units.
#
# Arguments:
#   frame   the widget
#   most    most rows

proc ::view::tables::csv {frame {most 1000000}} {
    variable Widgets

    set lines [list [CsvLine [dict get $Widgets $frame names]]]
    foreach row [[dict get $Widgets $frame run] query \
        "SELECT * FROM ([dict get $Widgets $frame sql])[Order $frame]" \
        -limit $most -bind [dict get $Widgets $frame binds]] {
        lappend lines [CsvLine $row]
    }
    return [join $lines \n]\n
}

proc ::view::tables::CsvLine {values} {
    return [join [lmap value $values {
        if {[regexp {[",\n]} $value]} {
            set value "\"[string map {\" \"\"} $value]\""
        }
        set value
    }] ,]
}
