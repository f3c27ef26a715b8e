# findings.tcl --
#
#   What stands out in a run, in sentences; each is a way to what it tells of.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::run
package require view::state
package require view::theme

namespace eval ::view::findings {
    namespace path ::view
    namespace export create all
    namespace ensemble create

    # Each: the table that it needs, and a query for one row: kind and id of
    # the thing, the chart that shows it, and the sentence.
    variable Questions {
        waits_for {
            SELECT 'thread', culprit, 'waits_for', printf('%s is waited for'
                || ' most: %s, %.0f %% of all waiting of all threads.',
                t.name, readable_ns(sum(wait_ns)), 100.0 * sum(wait_ns)
                / (SELECT sum(wait_ns) FROM waits_for))
            FROM waits_for w JOIN thread t ON t.thread = w.culprit
            GROUP BY culprit HAVING sum(wait_ns) > 0
            ORDER BY sum(wait_ns) DESC LIMIT 1
        }
        waits_for {
            WITH late AS (SELECT culprit AS thread FROM waits_for
                WHERE culprit IS NOT NULL GROUP BY culprit
                ORDER BY sum(wait_ns) DESC LIMIT 1),
            reason AS (
            SELECT 'stage' AS kind, stage AS id, 'breakdown' AS chart,
                own_ns - ifnull((SELECT avg(own_ns) FROM breakdown o
                    WHERE o.stage = b.stage AND o.thread <> b.thread), 0)
                    AS more_ns,
                printf('%s spends %s, %s an operation, in stage %s.',
                    t.name, readable_ns(own_ns),
                    readable_ns(1.0 * own_ns / operations), s.name) AS text
            FROM breakdown b JOIN late USING (thread)
            JOIN stage s USING (stage) JOIN thread t USING (thread)
            WHERE operations > 0
            UNION ALL
            SELECT 'thread', thread, 'load_balance', computation_ns - (SELECT
                avg(computation_ns) FROM load_balance o
                WHERE o.thread <> l.thread),
                printf('%s computes %s, the others %s on average.', t.name,
                    readable_ns(computation_ns), readable_ns((SELECT
                    avg(computation_ns) FROM load_balance o
                    WHERE o.thread <> l.thread)))
            FROM load_balance l JOIN late USING (thread)
            JOIN thread t USING (thread))
            SELECT kind, id, chart, text FROM reason WHERE more_ns > 0
            ORDER BY more_ns DESC LIMIT 1
        }
        load_balance {
            SELECT 'thread', (SELECT thread FROM load_balance
                    ORDER BY communication_share DESC LIMIT 1),
                'load_balance', printf('%s communicates or waits %.0f %% of'
                || ' its time, %s %.0f %%.', (SELECT name FROM load_balance
                    JOIN thread USING (thread)
                    ORDER BY communication_share DESC LIMIT 1),
                100.0 * max(communication_share),
                (SELECT name FROM load_balance JOIN thread USING (thread)
                    ORDER BY communication_share LIMIT 1),
                100.0 * min(communication_share))
            FROM load_balance HAVING count(*) > 1
                AND max(communication_share) > min(communication_share)
        }
        wait_state {
            SELECT 'site', site, 'wait_state', printf('Most waiting in MPI is'
                || ' %s: %s, in %s.', pattern, readable_ns(sum(wait_ns)),
                ifnull(m.function || ' at ' || replace(m.file, rtrim(m.file,
                    replace(m.file, '/', '')), '') || ':' || m.line,
                    'calls whose place is not known'))
            FROM wait_state w LEFT JOIN mpi_site m USING (site)
            GROUP BY pattern, site HAVING sum(wait_ns) > 0
            ORDER BY sum(wait_ns) DESC LIMIT 1
        }
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
    foreach {table sql} $Questions {
        if {![run has $table]} continue
        foreach row [run query $sql] {
            lassign $row kind id chart text
            lappend found [list $text $kind $id $chart]
        }
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
