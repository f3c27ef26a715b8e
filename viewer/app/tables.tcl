# tables.tcl --
#
#   A table of the database in a treeview: columns named with their units, ids
#   as names, sorted by SQLite, a page at a time.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::ns
package require view::run
package require view::state
package require view::theme

namespace eval ::view::tables {
    namespace path ::view
    namespace export create show query names text csv things
    namespace ensemble create

    # Rows of a page.
    variable Page 1000
    # Of each widget: sql names order descending first total run.
    variable Of {}
    # Columns that are ids, and of what.
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
#   The tables of a run that have rows, without those that only drawing needs.

proc ::view::tables::names {} {
    return [lmap row [run query "SELECT name FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'
        AND name NOT LIKE 'timeline%' ORDER BY name"] {
        set name [lindex $row 0]
        if {[catch {run has $name} there] || !$there} continue
        set name
    }]
}

# create --
#
#   Make the widget.
#
# Arguments:
#   frame   its path

proc ::view::tables::create {frame} {
    variable Of

    # Columns do not decide how much room there is for what is beside them.
    ttk::frame $frame -width [theme px 360] -height [theme px 120]
    grid propagate $frame 0
    ttk::treeview $frame.rows -show headings -selectmode browse -height 4 \
        -yscrollcommand [list $frame.y set] -xscrollcommand [list $frame.x set]
    ttk::scrollbar $frame.y -orient vertical -command [list $frame.rows yview]
    ttk::scrollbar $frame.x -orient horizontal \
        -command [list $frame.rows xview]
    ttk::frame $frame.page
    ttk::button $frame.page.back -text "\u25c2" -takefocus 0 \
        -command [namespace code [list Turn $frame -1]]
    ttk::button $frame.page.on -text "\u25b8" -takefocus 0 \
        -command [namespace code [list Turn $frame 1]]
    ttk::label $frame.page.what -style Dim.TLabel
    pack $frame.page.back $frame.page.on $frame.page.what -side left
    grid $frame.rows $frame.y -sticky nsew
    grid $frame.x -sticky ew
    grid $frame.page -sticky ew
    grid columnconfigure $frame 0 -weight 1
    grid rowconfigure $frame 0 -weight 1
    dict set Of $frame {sql {} names {} order {} descending 0 first 0 total 0
        run {} binds {}}
    bind $frame.rows <<TreeviewSelect>> [namespace code [list Picked $frame]]
    bind $frame <Destroy> [namespace code [list Forget $frame %W]]
    state watch {thing theme} [namespace code [list Light $frame]] $frame
    return $frame
}

proc ::view::tables::Forget {frame widget} {
    variable Of
    if {$widget eq $frame} {
        dict unset Of $frame
    }
}

# show, query --
#
#   Show a table of the run; the rows of any query.
#
# Arguments:
#   frame       of create
#   table, sql  which
#   binds       {name value ...} of the query's parameters

proc ::view::tables::show {frame table} {
    # A view over raw events is long: as it is, without a count.
    query $frame "SELECT * FROM \"$table\""
}

proc ::view::tables::query {frame sql {binds {}}} {
    variable Of

    set sql [string trimright $sql "; \n\t"]
    set names {}
    [run main] query "SELECT * FROM ($sql)" -names names -limit 1 -bind $binds
    dict set Of $frame [dict create sql $sql names $names order {} \
        descending 0 first 0 run [run main] binds $binds total {}]
    Columns $frame
    Fill $frame
}

proc ::view::tables::Columns {frame} {
    variable Of

    set names [dict get $Of $frame names]
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

# A column's name as a heading: without what its values say themselves.
proc ::view::tables::Heading {name} {
    return [string map {_ " "} [regsub {_ns(_|$)} $name {\1}]]
}

proc ::view::tables::Textual {name} {
    variable Ids
    return [expr {[dict exists $Ids $name]
        || ![regexp {_ns|_ppb|share|operations|first|last|messages|bytes|calls|count|tuples|instances} \
            $name]}]
}

# What a column holds ids of; empty: none.
proc ::view::tables::Kind {name} {
    variable Ids

    if {![dict exists $Ids $name]} {
        return {}
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
#   A value as it is read, by the name of its column.

proc ::view::tables::text {name value} {
    if {$value eq ""} {
        return ""
    }
    if {[Kind $name] ni {"" step} && [string is entier -strict $value]} {
        return [run name [Kind $name] $value]
    }
    if {![string is double -strict $value]} {
        return $value
    }
    switch -regexp -- $name {
        _ns(_|$) { return [ns text $value] }
        share$ { return "[format %.1f [expr {100.0 * $value}]] %" }
        _ppb$ { return "$value ppb" }
        bytes$ { return "[ns number $value] B" }
    }
    return [ns number $value]
}

proc ::view::tables::Order {frame} {
    variable Of

    set order [dict get $Of $frame order]
    if {$order eq ""} {
        return ""
    }
    return " ORDER BY \"$order\"[expr {[dict get $Of $frame descending]
        ? { DESC} : {}}]"
}

# A page of the query.
proc ::view::tables::Fill {frame} {
    variable Of
    variable Page

    set first [dict get $Of $frame first]
    set rows [[dict get $Of $frame run] query \
        "SELECT * FROM ([dict get $Of $frame sql])[Order $frame]
        LIMIT [expr {$Page + 1}] OFFSET $first" \
        -limit [expr {$Page + 1}] -bind [dict get $Of $frame binds]]
    dict set Of $frame rows $rows
    $frame.rows delete [$frame.rows children {}]
    set names [dict get $Of $frame names]
    set n -1
    foreach row [lrange $rows 0 $Page-1] {
        $frame.rows insert {} end -id [incr n] -values \
            [lmap name $names value $row { text $name $value }]
    }
    Foot $frame [llength $rows]
    Arrows $frame
    Widths $frame
    Light $frame
}

# Columns as wide as what stands in them, by the first rows.
proc ::view::tables::Widths {frame} {
    variable Of

    set n -1
    foreach name [dict get $Of $frame names] {
        incr n
        set wide [font measure ViewBold "[Heading $name] \u25be"]
        foreach item [lrange [$frame.rows children {}] 0 49] {
            set wide [expr {max($wide, [font measure TkDefaultFont \
                [lindex [$frame.rows item $item -values] $n]])}]
        }
        $frame.rows column c$n \
            -width [expr {min($wide, [theme px 320]) + [theme px 16]}]
    }
}

proc ::view::tables::Foot {frame count} {
    variable Of
    variable Page

    set first [dict get $Of $frame first]
    set last [expr {$first + min($count, $Page)}]
    $frame.page.back state [expr {$first > 0 ? "!disabled" : "disabled"}]
    $frame.page.on state [expr {$count > $Page ? "!disabled" : "disabled"}]
    $frame.page.what configure -text [expr {$count == 0 ? "no rows"
        : "rows [expr {$first + 1}] to $last[expr {$count > $Page
            ? { of more} : {}}]"}]
    # Turning pages is only there when there are more.
    if {$first > 0 || $count > $Page} {
        grid $frame.page
    } else {
        grid remove $frame.page
    }
}

proc ::view::tables::Turn {frame by} {
    variable Of
    variable Page

    dict set Of $frame first \
        [expr {max(0, [dict get $Of $frame first] + $by * $Page)}]
    Fill $frame
}

# By a column: the most first, then the other way round.
proc ::view::tables::Sort {frame name} {
    variable Of

    if {[dict get $Of $frame order] eq $name} {
        dict set Of $frame descending \
            [expr {![dict get $Of $frame descending]}]
    } else {
        dict set Of $frame order $name
        dict set Of $frame descending [expr {![Textual $name]}]
    }
    dict set Of $frame first 0
    Fill $frame
}

proc ::view::tables::Arrows {frame} {
    variable Of

    set n -1
    foreach name [dict get $Of $frame names] {
        set arrow ""
        if {$name eq [dict get $Of $frame order]} {
            set arrow [expr {[dict get $Of $frame descending] ? " \u25be"
                : " \u25b4"}]
        }
        $frame.rows heading c[incr n] -text [Heading $name]$arrow
    }
}

# things --
#
#   The things that a row of a table tells of.
#
# Arguments:
#   names, row  columns and values
#
# Results:
#   A list of {kind id}.

proc ::view::tables::things {names row} {
    set things {}
    foreach name $names value $row {
        set kind [Kind $name]
        if {$kind eq "" || ![string is entier -strict $value]} continue
        if {$kind eq "rank"} {
            # Nobody but tables knows ranks: their processes are selected.
            set kind process
            set value [run scalar "SELECT process FROM mpi_rank
                WHERE rank = :rank" -bind [list rank $value]]
            if {$value eq ""} continue
        }
        lappend things [list $kind $value]
    }
    return $things
}

# A row that is picked selects what it tells of, everywhere.
proc ::view::tables::Picked {frame} {
    variable Of

    set at [lindex [$frame.rows selection] 0]
    if {$at eq ""} {
        return
    }
    set names [dict get $Of $frame names]
    set row [lindex [dict get $Of $frame rows] $at]
    set things [things $names $row]
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

# A row that has a time takes the cursor there.
proc ::view::tables::GoTo {names row} {
    set at [lsearch -exact $names start_ns]
    if {$at >= 0 && [string is double -strict [lindex $row $at]]} {
        ::action::goto "[lindex $row $at] ns"
    }
}

# Light the rows of the thing that is selected elsewhere.
proc ::view::tables::Light {frame args} {
    variable Of

    $frame.rows tag configure lit -background [theme colour selection] \
        -font ViewBold
    set names [dict get $Of $frame names]
    set wanted [Wanted]
    set seen 0
    foreach item [$frame.rows children {}] {
        set lit 0
        if {[llength $wanted]} {
            set row [lindex [dict get $Of $frame rows] $item]
            set lit [expr {[llength [lmap thing $wanted {
                if {$thing ni [things $names $row]} continue
                set thing
            }]] == [llength $wanted]}]
        }
        $frame.rows item $item -tags [expr {$lit ? "lit" : {}}]
        if {$lit && !$seen} {
            set seen 1
            $frame.rows see $item
        }
    }
}

proc ::view::tables::Wanted {} {
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
#   What the table shows, as comma-separated values: raw numbers, all rows of
#   the query up to a limit.
#
# Arguments:
#   frame, most

proc ::view::tables::csv {frame {most 1000000}} {
    variable Of

    set lines [list [CsvLine [dict get $Of $frame names]]]
    foreach row [[dict get $Of $frame run] query \
        "SELECT * FROM ([dict get $Of $frame sql])[Order $frame]" \
        -limit $most -bind [dict get $Of $frame binds]] {
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
