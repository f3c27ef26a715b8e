-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/critical_path.sql - queries of the view critical_path

-- name: critical_path_reading
WITH activity AS MATERIALIZED (
.read activity.sql
)
SELECT printf('%s of the critical path is %s, in %s.',
              readable_share(1.0 * max(c.path_ns)
                             / (SELECT sum(path_ns) FROM critical_path)),
              a.name, a.who)
       ||
.read ../run/graph_coverage.sql
       ||
.read choices.sql
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM critical_path c
     JOIN activity a ON a.thread IS c.thread AND a.from_site IS c.from_site
                        AND a.site IS c.site AND a.from_path IS c.from_path
                        AND a.path IS c.path AND a.stage IS c.stage
                        AND a.function IS c.function
HAVING max(c.path_ns) > 0;

-- Parts that are left out have numbers, but no rows.
-- name: critical_hop_reading
WITH share AS MATERIALIZED (
    SELECT t.name, sum(path_ns) AS ns
    FROM critical_path JOIN thread t USING (thread)
    WHERE path_ns > 0 AND EXISTS (SELECT 1 FROM critical_hop)
    GROUP BY thread
)
SELECT printf('The critical path is on %d of %d threads, most of all on %s'
              || ' (%s), and goes from one thread to another %d time%s.',
              count(*), (SELECT count(*) FROM thread),
              (SELECT name FROM share ORDER BY ns DESC, name LIMIT 1),
              readable_share(1.0 * max(ns) / sum(ns)),
              (SELECT max(hop) - 1 FROM critical_hop),
              (SELECT iif(max(hop) = 2, '', 's') FROM critical_hop))
       || (SELECT iif(max(hop) > count(*),
                      printf(' %d of the shorter parts are not shown.',
                             max(hop) - count(*)), '')
           FROM critical_hop)
FROM share
HAVING count(*) > 0;
