# console.tcl --
#
#   The SQL console: a query, its rows, and queries that are kept.
#
#   :sel0 and :sel1 are the selection's ends, or the window's when nothing is
#   selected.
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
    namespace export create run_sql binds kept
    namespace ensemble create

    variable Frame {}
    # Queries that are always there.
    variable Given {
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
        "what each stage costs" "SELECT stage, sum(operations) AS operations,
  sum(own_ns) AS own_ns, sum(wait_ns) AS wait_ns
FROM breakdown GROUP BY stage ORDER BY sum(own_ns) DESC"
        "who is waited for" "SELECT culprit, sum(operations) AS operations,
  sum(wait_ns) AS wait_ns
FROM waits_for GROUP BY culprit ORDER BY sum(wait_ns) DESC"
    }
}
package provide view::console 0.1

# create --
#
#   Make the pane.

proc ::view::console::create {frame} {
    variable Frame $frame

    ttk::panedwindow $frame -orient horizontal
    ttk::frame $frame.ask
    text $frame.ask.sql -width 52 -height 6 -wrap word -undo 1 \
        -font TkFixedFont
    ttk::frame $frame.ask.bar
    ttk::combobox $frame.ask.bar.kept -state readonly -width 28
    ttk::button $frame.ask.bar.run -text "Run (Ctrl-Return)" \
        -command ::action::sql
    ttk::button $frame.ask.bar.keep -text "Keep" -command ::action::keep_query
    ttk::button $frame.ask.bar.drop -text "Forget" \
        -command ::action::forget_query
    pack {*}[winfo children $frame.ask.bar] -side left -padx [theme px 2]
    ttk::label $frame.ask.said -style Dim.TLabel -wraplength [theme px 420]
    pack $frame.ask.bar -fill x -pady [theme px 2]
    pack $frame.ask.said -side bottom -fill x
    pack $frame.ask.sql -fill both -expand 1
    tables create $frame.rows
    $frame add $frame.ask -weight 1
    $frame add $frame.rows -weight 2
    bind $frame.ask.sql <Control-Return> "::action::sql; break"
    bind $frame.ask.bar.kept <<ComboboxSelected>> [namespace code Recall]
    state watch queries [namespace code Fill] $frame
    Fill
    $frame.ask.bar.kept current 0
    Recall
    return $frame
}

# kept --
#
#   Kept queries with those that are always there: NAME to SQL.

proc ::view::console::kept {} {
    variable Given
    return [dict merge $Given [state get queries]]
}

proc ::view::console::Fill {args} {
    variable Frame
    $Frame.ask.bar.kept configure -values [dict keys [kept]]
}

proc ::view::console::Recall {} {
    variable Frame
    set name [$Frame.ask.bar.kept get]
    if {[dict exists [kept] $name]} {
        $Frame.ask.sql replace 1.0 end [dict get [kept] $name]
    }
}

proc ::view::console::Name {} {
    variable Frame
    return [$Frame.ask.bar.kept get]
}

proc ::view::console::Sql {{sql {}}} {
    variable Frame
    if {$sql ne ""} {
        $Frame.ask.sql replace 1.0 end $sql
    }
    return [string trim [$Frame.ask.sql get 1.0 end]]
}

# binds --
#
#   The parameters of a query, with their values.

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
#   Run the query, and show its rows or why there are none.
#
# Arguments:
#   sql     put there first; empty: what stands there

proc ::view::console::run_sql {{sql {}}} {
    variable Frame

    set sql [Sql $sql]
    state put query $sql
    if {$sql eq ""} {
        return
    }
    if {[catch {tables query $Frame.rows $sql [binds]} why]} {
        $Frame.ask.said configure -text $why \
            -foreground [theme colour warning]
    } else {
        $Frame.ask.said configure -text "" -foreground [theme colour dim]
    }
}

namespace eval ::view {
    action define sql "Run SQL" {} {{sql {}}} {
        frame page console
        console run_sql $sql
    }
    action define keep_query "Keep the SQL query" {} {{name {}}} {
        if {$name eq ""} {
            palette ask "Keep the query as" {} ::action::keep_query
            return
        }
        state put queries [dict replace [state get queries] $name \
            [console::Sql]]
        state put message "query \"$name\" is kept"
    }
    action define forget_query "Forget an SQL query" {} {{name {}}} {
        if {$name eq ""} {
            set name [console::Name]
        }
        state put queries [dict remove [state get queries] $name]
    }
}
