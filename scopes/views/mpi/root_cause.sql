-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/root_cause.sql - queries of the view root_cause

-- name: root_cause_reading
WITH activity AS MATERIALIZED (
.read activity.sql
)
SELECT printf('%s of all waiting, %s, follows from %s, in %s.',
              readable_share(1.0 * max(c.short_term_ns + c.long_term_ns)
                             / (SELECT sum(short_term_ns + long_term_ns)
                                FROM root_cause)),
              readable_ns(c.short_term_ns + c.long_term_ns), a.name, a.who)
       ||
.read ../run/graph_coverage.sql
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM root_cause c
     JOIN activity a ON a.thread IS c.thread AND a.from_site IS c.from_site
                        AND a.site IS c.site AND a.from_path IS c.from_path
                        AND a.path IS c.path AND a.stage IS c.stage
                        AND a.function IS c.function
HAVING max(c.short_term_ns + c.long_term_ns) > 0;

-- name: wait_chain_reading
SELECT printf('%s of all waiting is for %s that waited themselves.',
              readable_share(1.0 * sum(indirect_ns)
                             / sum(direct_ns + indirect_ns)),
              iif(max(rank) IS NULL, 'threads', 'ranks'))
       ||
.read ../run/graph_coverage.sql
FROM wait_chain
HAVING sum(direct_ns + indirect_ns) > 0;
