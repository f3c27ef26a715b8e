-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/root_cause.sql - queries of the view root_cause

-- name: root_cause_reading
WITH activity AS MATERIALIZED (
.read activity.sql
)
SELECT printf('%s of %s, %s, follows from %s, in %s.',
              readable_share(1.0 * max(c.short_term_ns + c.long_term_ns)
                             / (SELECT sum(short_term_ns + long_term_ns)
                                FROM root_cause)),
.read graph_waiting_name.sql
              , readable_ns(c.short_term_ns + c.long_term_ns), a.name, a.who)
       ||
.read ../run/graph_coverage.sql
       ||
.read choices.sql
       || iif(
.read ../run/overloaded_waits.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM root_cause c
     JOIN activity a ON a.thread IS c.thread AND a.from_site IS c.from_site
                        AND a.site IS c.site AND a.from_path IS c.from_path
                        AND a.path IS c.path AND a.stage IS c.stage
                        AND a.function IS c.function
HAVING max(c.short_term_ns + c.long_term_ns) > 0;

-- name: wait_chain_reading
SELECT printf('%s of %s is for %s that waited themselves.',
              readable_share(1.0 * sum(indirect_ns)
                             / sum(direct_ns + indirect_ns)),
.read graph_waiting_name.sql
              , iif(max(rank) IS NULL, 'threads', 'ranks'))
       ||
.read ../run/graph_coverage.sql
FROM wait_chain
HAVING sum(direct_ns + indirect_ns) > 0;

-- name: root_cause_finding
-- Told of a cause of at least 1 % of the time of all threads, in a thread of 20
-- operations or more, and with 1.25 times the waiting of the next cause: less
-- may be noise.  At most half of the waiting for that thread may follow from
-- lost cores, and at least half of the waiting must be in the activity graph.
-- Advice is promised only if it has a gain.  Told of MPI programs only: of equal
-- workers on paths, the one that happens to end the waits of others has most of the
-- cost.
WITH activity AS MATERIALIZED (
.read activity.sql
), cost AS (
    SELECT *, short_term_ns + long_term_ns AS ns,
           row_number() OVER (ORDER BY short_term_ns + long_term_ns DESC)
               AS place
    FROM root_cause
)
SELECT 'thread', c.thread,
       printf('%s of %s follows from %s, in %s',
              readable_share(1.0 * c.ns / (SELECT sum(ns) FROM cost)),
.read graph_waiting_name.sql
              , a.name, a.who)
       || ifnull((SELECT printf('; %sevened out over all %s, the run would'
                                || ' take %.2f of its time%s; eventspace advise'
                                || ' tells what would help.',
                                iif(g.function IS NOT NULL,
                                    'with all computations ', ''),
                                iif(c.rank IS NULL, 'threads', 'ranks'),
                                1.0 * g.after_ns / g.before_ns,
                                CASE leaves_out
                                    WHEN 0 THEN ''
                                    WHEN 1 THEN ' (time without a core is left out)'
                                    ELSE '; it is not known if threads were'
                                         || ' without a core' END)
                  FROM root_cause_gain g
                  WHERE g.thread = c.thread AND c.function IS NULL
                    AND (g.function IS NOT NULL
                         OR (g.from_site IS c.from_site
                             AND g.site IS c.site))),
                 '.')
       ||
.read ../run/graph_coverage.sql
       ||
.read choices.sql
FROM cost c
     JOIN activity a ON a.thread IS c.thread AND a.from_site IS c.from_site
                        AND a.site IS c.site AND a.from_path IS c.from_path
                        AND a.path IS c.path AND a.stage IS c.stage
                        AND a.function IS c.function
     JOIN load_balance b ON b.thread = c.thread
WHERE c.place = 1 AND c.rank IS NOT NULL
  AND c.ns >= 0.01 * (SELECT total(communication_ns + computation_ns)
                      FROM load_balance)
  AND c.ns >= 1.25 * ifnull((SELECT d.ns FROM cost d WHERE d.place = 2), 0)
  AND b.operations >= 20
  AND (SELECT total(lost_ns) <= 0.5 * total(wait_ns)
       FROM wait_lost w WHERE w.culprit = c.thread)
  AND NOT
.read ../run/overloaded_waits.sql
  AND
.read graph_waiting.sql
      >= 0.5;

-- name: root_cause_place
-- On an overloaded machine, if evening out gains 5 % and time without a core is
-- left out.  The first cause is named if it is clearly the first one, and at most a
-- quarter of the waiting for its thread follows from lost cores; else only the code
-- that is evened out.
WITH activity AS MATERIALIZED (
.read activity.sql
), cost AS (
    SELECT *, short_term_ns + long_term_ns AS ns,
           row_number() OVER (ORDER BY short_term_ns + long_term_ns DESC)
               AS place
    FROM root_cause
), first AS (
    SELECT c.thread, c.from_site, c.site, a.name, a.who
    FROM cost c
         JOIN activity a ON a.thread IS c.thread
                            AND a.from_site IS c.from_site AND a.site IS c.site
                            AND a.from_path IS c.from_path AND a.path IS c.path
                            AND a.function IS NULL
         JOIN load_balance b ON b.thread = c.thread
    WHERE place = 1 AND c.function IS NULL AND b.operations >= 20
      AND c.ns >= 1.25 * ifnull((SELECT d.ns FROM cost d WHERE d.place = 2), 0)
      AND 2 * c.ns >= (SELECT sum(ns) FROM cost)
      AND (SELECT total(lost_ns) <= 0.25 * total(wait_ns)
           FROM wait_lost w WHERE w.culprit = c.thread)
)
SELECT 'site', ifnull(f.site, g.site),
       printf('Lost cores do not explain all waiting: %s%s evened out over all'
              || ' ranks, the run would take %.2f of its time (time without a'
              || ' core is left out); eventspace advise tells what would help.',
              ifnull('most of it follows from ' || f.name || ', in ' || f.who
                     || ';', ''),
              CASE WHEN g.function IS NOT NULL
                   THEN iif(f.name IS NULL, '', ' ') || 'with all computations'
                   WHEN f.thread IS g.thread AND f.from_site IS g.from_site
                        AND f.site IS g.site
                   THEN ''
                   ELSE iif(f.name IS NULL, '', ' ') || 'with ' || a.name END,
              1.0 * g.after_ns / g.before_ns)
FROM root_cause_gain g
     LEFT JOIN activity a ON a.thread IS g.thread AND a.from_site IS g.from_site
                             AND a.site IS g.site AND a.from_path IS g.from_path
                             AND a.path IS g.path AND a.function IS NULL
     LEFT JOIN first f
WHERE (g.rank IS NOT NULL OR g.function IS NOT NULL) AND leaves_out
  AND EXISTS (SELECT * FROM mpi_rank)
  AND (a.name IS NOT NULL OR g.function IS NOT NULL)
  AND g.after_ns <= 0.95 * g.before_ns
  AND
.read ../run/overloaded_waits.sql
  AND
.read graph_waiting.sql
      >= 0.5;

-- name: graph_waiting_little
-- Told in the place of the finding above.
SELECT '', NULL,
       printf('The activity graph has %s of the waiting, so it does not tell why'
              || ' ranks wait, nor what would help. It has no waits of sends'
              || ' whose size counts as eager.', readable_share(share))
FROM (SELECT
.read graph_waiting.sql
      AS share)
WHERE share < 0.5;

-- name: graph_waiting_most
SELECT '', NULL,
       printf('The activity graph has %s of the waiting. It has no waits of'
              || ' sends whose size counts as eager.',
              readable_share(share))
FROM (SELECT
.read graph_waiting.sql
      AS share)
WHERE share >= 0.5 AND share < 0.95;

-- name: root_cause_gain_reading
SELECT printf('%s over all %s, the run would take %.2f of its time%s.',
              iif(function IS NULL, 'Evened out',
                  'With all computations evened out'),
              iif(rank IS NULL, 'threads', 'ranks'),
              1.0 * after_ns / before_ns,
              CASE leaves_out
                  WHEN 0 THEN ''
                  WHEN 1 THEN ' (time without a core is left out)'
                  ELSE '; it is not known if threads were without a core' END)
FROM root_cause_gain
WHERE
.read graph_waiting.sql
      >= 0.5;
