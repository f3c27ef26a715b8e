# console.tcl --
#
#   The page with the SQL console: a query, its rows, and saved queries.
#
#   :sel0 and :sel1 are the start and the end of the selection in ns, or of
#   the window when nothing is selected.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::ns
package require view::run
package require view::state
package require view::tables
package require view::theme

namespace eval ::view::console {
    namespace path ::view
    namespace export create run_sql binds saved
    namespace ensemble create

    variable Frame {}
    # Dictionary from name to SQL of the built-in queries.
    variable BuiltIn {
        "operations in the selection" "SELECT c.thread, e.op,
  count(*) AS operations, sum(e.duration_ns) AS sum_ns,
  median(e.duration_ns) AS median_ns
FROM event e JOIN collector c USING (collector)
WHERE c.head AND e.start_ns BETWEEN :sel0 AND :sel1
GROUP BY c.thread, e.op ORDER BY sum_ns DESC"
        "longest operations in the selection" "SELECT c.thread, e.op, e.seq,
  e.step, e.start_ns, e.duration_ns
FROM event e JOIN collector c USING (collector)
WHERE c.head AND e.start_ns BETWEEN :sel0 AND :sel1
ORDER BY e.duration_ns DESC LIMIT 100"
        "cost of each stage" "SELECT stage, sum(operations) AS operations,
  sum(own_ns) AS own_ns, sum(wait_ns) AS wait_ns
FROM breakdown GROUP BY stage ORDER BY sum(own_ns) DESC"
        "waiting by culprit" "SELECT culprit, sum(operations) AS operations,
  sum(wait_ns) AS wait_ns
FROM waits_for GROUP BY culprit ORDER BY sum(wait_ns) DESC"
    }
}
package provide view::console 0.1

# create --
#
#   Creates the pane.

proc ::view::console::create {frame} {
    variable Frame $frame

    ttk::panedwindow $frame -orient horizontal
    ttk::frame $frame.ask
    text $frame.ask.sql -width 52 -height 6 -wrap word -undo 1 \
        -font TkFixedFont
    ttk::frame $frame.ask.bar
    ttk::combobox $frame.ask.bar.saved -state readonly -width 28
    ttk::button $frame.ask.bar.run -text "Run (Ctrl-Return)" \
        -command ::action::sql
    ttk::button $frame.ask.bar.save -text "Save" -command ::action::save_query
    ttk::button $frame.ask.bar.delete -text "Delete" \
        -command ::action::delete_query
    pack {*}[winfo children $frame.ask.bar] -side left -padx [theme px 2]
    ttk::label $frame.ask.error -style Dim.TLabel -wraplength [theme px 420]
    pack $frame.ask.bar -fill x -pady [theme px 2]
    pack $frame.ask.error -side bottom -fill x
    pack $frame.ask.sql -fill both -expand 1
    tables create $frame.rows
    $frame add $frame.ask -weight 1
    $frame add $frame.rows -weight 2
    bind $frame.ask.sql <Control-Return> "::action::sql; break"
    bind $frame.ask.bar.saved <<ComboboxSelected>> [namespace code Recall]
    state watch queries [namespace code Fill] $frame
    Fill
    $frame.ask.bar.saved current 0
    Recall
    return $frame
}

# saved --
#
#   Returns the saved and the built-in queries: a dictionary from name to SQL.

proc ::view::console::saved {} {
    variable BuiltIn
    return [dict merge $BuiltIn [state get queries]]
}

proc ::view::console::Fill {args} {
    variable Frame
    $Frame.ask.bar.saved configure -values [dict keys [saved]]
}

proc ::view::console::Recall {} {
    variable Frame
    set name [$Frame.ask.bar.saved get]
    if {[dict exists [saved] $name]} {
        $Frame.ask.sql replace 1.0 end [dict get [saved] $name]
    }
}

proc ::view::console::Name {} {
    variable Frame
    return [$Frame.ask.bar.saved get]
}

# Returns the query in the text widget, after replacing it by sql if given.
proc ::view::console::Sql {{sql {}}} {
    variable Frame
    if {$sql ne ""} {
        $Frame.ask.sql replace 1.0 end $sql
    }
    return [string trim [$Frame.ask.sql get 1.0 end]]
}

# binds --
#
#   Returns the parameters of a query and their values.

proc ::view::console::binds {} {
    set selection [state get selection]
    if {![llength $selection]} {
        set selection [list [state get t0] \
            [ns at [state get t0] [state get span] 1 1]]
    }
    lassign $selection begin end
    return [list sel0 $begin sel1 $end]
}

# run_sql --
#
#   Runs the query and shows its rows, or its error.
#
# Arguments:
#   sql     the query; empty: the query in the text widget

proc ::view::console::run_sql {{sql {}}} {
    variable Frame

    set sql [Sql $sql]
    state put query $sql
    if {$sql eq ""} {
        return
    }
    if {[catch {tables query $Frame.rows $sql [binds]} why]} {
        $Frame.ask.error configure -text $why \
            -foreground [theme colour warning]
    } else {
        $Frame.ask.error configure -text "" -foreground [theme colour dim]
    }
}

namespace eval ::view {
    action define sql "Run SQL" {} {{sql {}}} {
        frame page console
        console run_sql $sql
    }
    action define save_query "Save the SQL query" {} {{name {}}} {
        if {$name eq ""} {
            palette ask "Name of the saved query" {} ::action::save_query
            return
        }
        state put queries [dict replace [state get queries] $name \
            [console::Sql]]
        state put message "query \"$name\" is saved"
    }
    action define delete_query "Delete the saved SQL query" {} {{name {}}} {
        if {$name eq ""} {
            set name [console::Name]
        }
        state put queries [dict remove [state get queries] $name]
    }
}
