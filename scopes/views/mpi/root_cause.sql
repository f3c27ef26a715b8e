-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/root_cause.sql - queries of the view root_cause

-- name: root_cause_reading
WITH activity AS MATERIALIZED (
.read activity.sql
)
SELECT printf('%s of all waiting, %s, follows from %s, in rank %d.',
              readable_share(1.0 * max(c.short_term_ns + c.long_term_ns)
                             / (SELECT sum(short_term_ns + long_term_ns)
                                FROM root_cause)),
              readable_ns(c.short_term_ns + c.long_term_ns), a.name, c.rank)
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM root_cause c
     JOIN activity a ON a.from_site IS c.from_site AND a.site IS c.site
                        AND a.function IS c.function
HAVING max(c.short_term_ns + c.long_term_ns) > 0;

-- name: wait_chain_reading
SELECT printf('%s of all waiting is for ranks that waited themselves.',
              readable_share(1.0 * sum(indirect_ns)
                             / sum(direct_ns + indirect_ns)))
FROM wait_chain
HAVING sum(direct_ns + indirect_ns) > 0;
