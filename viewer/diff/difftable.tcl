# difftable.tcl --
#
#   The sentence that tells why the second run takes longer, and a table of the
#   differences by thread, activity, function, call site, loop or step.  Both
#   are those of `eventspace diff`.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::ns
package require view::run
package require view::theme

namespace eval ::view::difftable {
    namespace path ::view
    namespace export create sentence by text rows total
    namespace ensemble create

    variable Frame {}
    variable Sentence {}
    # Kind of table, and the result of [eventspace::compare].
    variable By thread
    variable Kinds {thread activity function site phase step}
    variable Result {}
    variable Columns {
        name first second difference computing operations waiting outside
    }
}
package provide view::difftable 0.1

# sentence --
#
#   Creates the label of the sentence, before [create].

proc ::view::difftable::sentence {label} {
    variable Sentence $label

    # The width is that of the page, not that of the sentence.
    ttk::label $label -justify left -width 20
    bind $label <Configure> {%W configure -wraplength %w}
    return $label
}

# create --
#
#   Creates the table.  Two runs must be open.

proc ::view::difftable::create {frame} {
    variable Frame $frame
    variable By
    variable Kinds
    variable Columns

    ttk::frame $frame
    pack [ttk::frame $frame.head] -fill x
    pack [ttk::label $frame.head.label -text "Differences by"] -side left
    pack [ttk::combobox $frame.head.by -state readonly -width 10 \
        -values $Kinds -textvariable ::view::difftable::By] \
        -side left -padx [theme px 4]
    ttk::treeview $frame.rows -show headings -columns $Columns -height 4 \
        -selectmode browse -yscrollcommand [list $frame.y set]
    ttk::scrollbar $frame.y -command [list $frame.rows yview]
    set titles [dict create first [run title [run main]] \
        second [run title [run other]]]
    foreach column $Columns {
        set title [expr {[dict exists $titles $column]
            ? [dict get $titles $column] : $column}]
        $frame.rows heading $column -text $title \
            -command [namespace code [list Sort $column]]
        $frame.rows column $column -anchor e -stretch 0 -width [expr {
            max([theme px 78], min([theme px 160],
            [font measure ViewBold $title] + [theme px 14]))}]
    }
    $frame.rows column name -width [theme px 200] -minwidth [theme px 130] \
        -anchor w -stretch 1
    pack $frame.y -side right -fill y
    pack $frame.rows -fill both -expand 1
    bind $frame.rows <<TreeviewSelect>> [namespace code {Picked %W}]
    bind $frame.head.by <<ComboboxSelected>> [namespace code {by [%W get]}]
    by $By
    return $frame
}

# by --
#
#   Shows the table of that kind.
#
# Arguments:
#   kind    thread, activity, function, site, phase or step

proc ::view::difftable::by {kind} {
    variable Frame
    variable Sentence
    variable By $kind
    variable Result

    if {[catch {::eventspace::compare [run main] [run other] $kind \
        [run title [run main]] [run title [run other]]} Result options]} {
        if {[lindex [dict get $options -errorcode] 0] ne "EVENTSPACE"} {
            return -options $options $Result
        }
        set Result [dict create text $Result notes {} total {} rows {}]
    }
    $Sentence configure -text "[dict get $Result text]\
        [join [dict get $Result notes]]"
    $Frame.rows heading name -text $kind
    Fill
}

# text --
#
#   Returns the sentence.

proc ::view::difftable::text {} {
    variable Result
    return [dict get $Result text]
}

# rows --
#
#   Returns the rows of the table, as [eventspace::compare] does.

proc ::view::difftable::rows {} {
    variable Result
    return [dict get $Result rows]
}

# total --
#
#   Returns the sum of all rows.

proc ::view::difftable::total {} {
    variable Result
    return [dict get $Result total]
}

# Returns a difference with its sign.
proc ::view::difftable::Signed {ns} {
    return [expr {$ns >= 0.5 ? "+" : ""}][ns text $ns]
}

proc ::view::difftable::Values {row} {
    lassign $row name first second
    return [list $name [ns text $first] [ns text $second] \
        [Signed [expr {$second - $first}]] \
        {*}[lmap ns [lrange $row 3 end] { Signed $ns }]]
}

proc ::view::difftable::Fill {} {
    variable Frame

    set table $Frame.rows
    $table delete [$table children {}]
    set n -1
    foreach row [rows] {
        $table insert {} end -id [incr n] -values [Values $row]
    }
    if {[llength [total]]} {
        $table insert {} end -id total -values [Values [total]]
    }
}

# Returns the value by which a column sorts a row.
proc ::view::difftable::Key {row column} {
    variable Columns

    lassign $row name first second
    if {$column eq "difference"} {
        return [expr {$second - $first}]
    }
    set at [lsearch -exact $Columns $column]
    return [lindex $row [expr {$at < 3 ? $at : $at - 1}]]
}

proc ::view::difftable::Sort {column} {
    variable Result

    set type [expr {$column eq "name" ? "-dictionary" : "-real"}]
    set sorted [lmap entry [lsort -decreasing $type -index 0 \
        [lmap row [rows] { list [Key $row $column] $row }]] {
        lindex $entry 1
    }]
    if {$sorted eq [rows]} {
        set sorted [lreverse $sorted]
    }
    dict set Result rows $sorted
    Fill
}

# Selects the thread of a row.
proc ::view::difftable::Picked {table} {
    variable By

    set at [lindex [$table selection] 0]
    if {$at in {{} total} || $By ne "thread"} {
        return
    }
    set id [[run main] query {SELECT thread FROM thread WHERE name = :name} \
        -limit 1 -bind [list name [lindex [rows] $at 0]]]
    if {[llength $id]} {
        ::action::select_thing thread [lindex $id 0 0]
    }
}
