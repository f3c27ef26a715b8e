-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/wait_state.sql - queries of the view wait_state

-- name: wait_state_reading
-- Time after the last arrival at a collective is not waiting, here and in all
-- other sentences.
WITH sums AS (
    SELECT total(wait_ns) FILTER (WHERE pattern NOT LIKE '%Completion')
               AS waiting,
           total(wait_ns) FILTER (WHERE pattern LIKE '%Completion')
               AS completing
    FROM wait_state
)
SELECT printf('%s is the largest wait state: %s, %s of all waiting.',
              pattern, readable_ns(sum(wait_ns)),
              readable_share(1.0 * sum(wait_ns) / waiting))
       || iif(completing >= 0.01 * waiting,
              printf(' The completion of collectives, %s, is not waiting.',
                     readable_ns(completing)), '')
       || iif(sum(bound_ns) >= 0.01 * sum(wait_ns),
              printf(' By the error bound of the clocks, %s of it are not'
                     || ' certain.',
                     readable_ns(min(sum(bound_ns), sum(wait_ns)))), '')
FROM wait_state JOIN sums
WHERE pattern NOT LIKE '%Completion'
GROUP BY pattern
ORDER BY sum(wait_ns) DESC
LIMIT 1;

-- name: wait_pair_reading
-- The same lead as on the first page (scopes/show/mpi.sql).
WITH blamed AS (
         SELECT culprit, 1.0 * sum(ns) AS ns, sum(bound_ns) AS bound_ns,
                1.0 * max(instances) AS events,
                row_number() OVER (ORDER BY sum(ns) DESC) AS place
         FROM (SELECT culprit, waiter, sum(wait_ns) AS ns,
                      sum(bound_ns) AS bound_ns, sum(instances) AS instances
               FROM wait_pair WHERE culprit IS NOT NULL
               GROUP BY culprit, waiter)
         GROUP BY culprit
         HAVING sum(ns) > 0)
SELECT printf('Rank %d is waited for most: %s, %s of all waiting.',
              a.culprit, readable_ns(a.ns),
              readable_share(a.ns / (SELECT sum(ns) FROM blamed)))
       || iif(a.bound_ns >= 0.01 * a.ns,
              printf(' By the error bound of the clocks, %s of it are not'
                     || ' certain.', readable_ns(min(a.bound_ns, a.ns))), '')
FROM blamed a LEFT JOIN blamed b ON b.place = 2
WHERE a.place = 1 AND a.ns >= 1.25 * ifnull(b.ns, 0)
  AND (a.ns - ifnull(b.ns, 0)) * (a.ns - ifnull(b.ns, 0))
      > 8 * (a.ns * a.ns / a.events + ifnull(b.ns * b.ns / b.events, 0));

-- name: wait_state_finding
-- On an overloaded machine, the part of the waits that follows from that is
-- left out.
WITH load(overloaded) AS MATERIALIZED (SELECT
.read ../run/overloaded.sql
), waits AS (
    SELECT site, pattern, wait_ns FROM wait_state
    WHERE NOT (SELECT overloaded FROM load)
    UNION ALL
    SELECT site, pattern, wait_ns - lost_ns FROM wait_state_lost
    WHERE (SELECT overloaded FROM load)
)
SELECT 'site', site,
       printf('Most waiting in MPI%s is %s: %s, in %s.',
              iif((SELECT overloaded FROM load),
                  ', without what is known to follow from lost cores,', ''),
              pattern, readable_ns(sum(wait_ns)),
              CASE WHEN m.file IS NOT NULL
                   THEN ifnull(m.function || ' at ', '')
                        || replace(m.file,
                                   rtrim(m.file, replace(m.file, '/', '')), '')
                        || ifnull(':' || m.line, '')
                   WHEN m.module IS NOT NULL
                   THEN ifnull(m.function || ' at ', '')
                        || replace(m.module,
                                   rtrim(m.module,
                                         replace(m.module, '/', '')), '')
                        || printf('+0x%x', m.offset)
                   ELSE 'calls whose place is not known'
              END)
FROM waits w LEFT JOIN mpi_site m USING (site)
WHERE pattern NOT LIKE '%Completion'
GROUP BY pattern, site
HAVING sum(wait_ns) > 0
ORDER BY sum(wait_ns) DESC
LIMIT 1;
