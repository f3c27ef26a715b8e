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
