# findings.tcl --
#
#   What stands out in a run, in sentences; each is a way to what it tells of.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::ns
package require view::run
package require view::state
package require view::theme

namespace eval ::view::findings {
    namespace path ::view
    namespace export create all
    namespace ensemble create

    # Each: the table it needs, a query, and a format.  The query gives one
    # row: kind and id of the thing, the chart that shows it, and the values
    # of the format; text of ns is made of those that begin with "ns ".
    variable Questions {
        waits_for {
            SELECT 'thread', w.culprit, 'waits_for', ifnull(t.name, '?'),
                'ns ' || sum(w.wait_ns), 100.0 * sum(w.wait_ns)
                    / (SELECT sum(wait_ns) FROM waits_for)
            FROM waits_for w JOIN thread t ON t.thread = w.culprit
            GROUP BY w.culprit HAVING sum(w.wait_ns) > 0
            ORDER BY sum(w.wait_ns) DESC LIMIT 1
        } "%s is waited for most: %s, %.0f %% of all waiting of all threads."
        load_balance {
            SELECT 'thread', (SELECT thread FROM load_balance
                    ORDER BY communication_share LIMIT 1), 'load_balance',
                (SELECT name FROM load_balance JOIN thread USING (thread)
                    ORDER BY communication_share LIMIT 1),
                100.0 * min(communication_share),
                (SELECT name FROM load_balance JOIN thread USING (thread)
                    ORDER BY communication_share DESC LIMIT 1),
                100.0 * max(communication_share)
            FROM load_balance HAVING count(*) > 1
                AND max(communication_share) > min(communication_share)
        } "%s computes most and communicates or waits least, %.0f %% of its\
            time; %s does so most, %.0f %%."
        breakdown {
            SELECT 'stage', stage, 'breakdown', s.name,
                100.0 * sum(own_ns)
                    / (SELECT sum(own_ns + wait_ns) FROM breakdown),
                'ns ' || (1.0 * sum(own_ns) / sum(operations))
            FROM breakdown JOIN stage s USING (stage)
            GROUP BY stage HAVING sum(operations) > 0
            ORDER BY sum(own_ns) DESC LIMIT 1
        } "Stage %s costs most: %.0f %% of the time of all operations is its\
            own, %s an operation."
        wait_state {
            SELECT 'site', w.site, 'wait_state', w.pattern,
                'ns ' || sum(w.wait_ns),
                ifnull(m.function || ' (' || m.file || ':' || m.line || ')',
                    'unknown places')
            FROM wait_state w LEFT JOIN mpi_site m USING (site)
            GROUP BY w.pattern, w.site HAVING sum(w.wait_ns) > 0
            ORDER BY sum(w.wait_ns) DESC LIMIT 1
        } "Most waiting in MPI is %s: %s, called from %s."
    }
}
package provide view::findings 0.1

# all --
#
#   What is found.
#
# Results:
#   A list of {text kind id chart}.

proc ::view::findings::all {} {
    variable Questions

    set found {}
    foreach {table sql format} $Questions {
        if {[catch {run has $table} there] || !$there} continue
        set row [lindex [run query $sql] 0]
        if {[llength $row] < 4} continue
        set values [lassign $row kind id chart]
        set values [lmap value $values {
            expr {[regexp {^ns (.*)} $value - ns] ? [ns text $ns] : $value}
        }]
        lappend found [list [format $format {*}$values] $kind $id $chart]
    }
    return $found
}

# create --
#
#   Make the line of findings below the toolbar.

proc ::view::findings::create {frame} {
    ttk::frame $frame -padding [list [theme px 6] 0]
    set n 0
    foreach finding [all] {
        lassign $finding text kind id chart
        set label [ttk::label $frame.f[incr n] -text "\u25b8 $text" \
            -style Link.TLabel -cursor hand2 -takefocus 1]
        set command [list [namespace current]::Show $kind $id $chart]
        bind $label <ButtonPress-1> $command
        bind $label <Return> "$command; break"
        bind $label <Enter> {%W state active}
        bind $label <Leave> {%W state !active}
        pack $label -anchor w
    }
    return $frame
}

proc ::view::findings::Show {kind id chart} {
    ::action::select_thing $kind $id
    if {$chart in [charts names]} {
        ::action::chart $chart
    }
}
