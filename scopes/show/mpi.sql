-- SPDX-License-Identifier: MIT
-- scopes/show/mpi.sql - the sentences of the first page of an MPI run

-- name: mpi_sizes
WITH run(ranks) AS (
         SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'ranks')
SELECT printf('%d %s on %d %s', ranks, iif(ranks = 1, 'rank', 'ranks'), hosts,
              iif(hosts = 1, 'host', 'hosts'))
       || ifnull(', ' || readable_count(calls) || ' calls of MPI in '
                 || readable_ns(longest_ns), '')
FROM run,
     (SELECT count(*) AS hosts FROM host),
     (SELECT sum(operations) AS calls,
             max(communication_ns + computation_ns) AS longest_ns
      FROM load_balance);

-- name: mpi_share
-- The share that no analysis covers is named from 0.1 % on.
WITH run(ranks, source) AS (
         SELECT CAST((SELECT value FROM meta WHERE key = 'ranks') AS INTEGER),
                (SELECT value FROM meta WHERE key = 'wait_source')),
     estimated(functions) AS (
         SELECT group_concat(function, ', ')
         FROM (SELECT function FROM wait_function WHERE source = 'profile'
               GROUP BY function HAVING sum(wait_ns) > 0
               ORDER BY sum(wait_ns) DESC LIMIT 3)),
     missed(functions) AS (
         SELECT group_concat(function, ', ')
         FROM (SELECT function FROM wait_function
               GROUP BY function HAVING sum(uncovered_ns) > 0
               ORDER BY sum(uncovered_ns) DESC LIMIT 3)),
     uncovered(share) AS (
         SELECT ifnull(1.0 * sum(uncovered_ns) / nullif(sum(time_ns), 0), 0)
         FROM wait_check)
SELECT iif(count(*) = 0, 'No call of MPI was timed.',
           printf('%s %s of %s time in MPI',
                  iif(ranks = 1, 'The rank spends', 'The ranks spend'),
                  readable_share(ifnull(1.0 * sum(communication_ns)
                      / sum(communication_ns + computation_ns), 0)),
                  iif(ranks = 1, 'its', 'their'))
           || CASE WHEN ranks = 1 THEN '.'
                   WHEN sum(wait_ns) = 0 AND share < 0.001
                   THEN ' and wait for nobody.'
                   ELSE printf('; %s of that is waiting, %s%s.',
                               readable_share(ifnull(1.0 * sum(wait_ns)
                                              / sum(communication_ns), 0)),
                               CASE source
                               WHEN 'trace' THEN 'measured in the trace'
                                    || ifnull(' and estimated from the profile'
                                              || ' for '
                                              || estimated.functions, '')
                               WHEN 'profile' THEN 'estimated from the profile'
                               ELSE 'in the retained part of the trace' END,
                               iif(share < 0.001, '',
                                   printf('; %s is in calls that no analysis'
                                          || ' covers%s',
                                          readable_share(share),
                                          ifnull(' (' || missed.functions
                                                 || ')', ''))))
              END)
FROM load_balance JOIN run JOIN uncovered JOIN estimated JOIN missed;

-- name: mpi_uncounted
-- Told of half a second and more, and from 1 % of the counted time on.
SELECT printf('The last %s not counted: %s%s not returned after %s%s.',
              iif(count(*) = 1, 'call is', 'calls are'),
              iif(count(*) = 1, 'it', 'they'),
              CASE WHEN NOT yes THEN ' had'
                   WHEN count(*) = 1 THEN ' has' ELSE ' have' END,
              iif(count(*) = 1, '', 'up to '),
              readable_ns(max(inside_ns)))
FROM mpi_inside,
     (SELECT EXISTS (SELECT * FROM process WHERE state = 'live') AS yes)
WHERE inside_ns >= 500000000 AND function NOT IN ('MPI_Finalize', 'MPI_Abort')
HAVING max(inside_ns) >= 0.01 * (SELECT max(communication_ns + computation_ns)
                                 FROM load_balance);

-- name: mpi_interval
-- Told only where the interval has other ends than MPI_Init and MPI_Finalize.
SELECT printf('Times are counted from %s to %s.',
              iif(max(start_source) = 'recording', 'the start of recording',
                  'the last exit of MPI_Init'),
              CASE max(stop_source) WHEN 'recording'
                   THEN 'the last known time of each rank'
                   WHEN 'estimate'
                   THEN 'the last entry of MPI_Finalize, as the profile'
                        || ' estimates it'
                   ELSE 'the last entry of MPI_Finalize' END)
FROM mpi_interval
HAVING max(start_source) <> 'MPI' OR max(stop_source) <> 'MPI';

-- name: mpi_unreliable
-- Prints the share of the waiting for which the estimate is poor.
WITH waiting AS (
.read waiting.sql
)
SELECT printf('%s of the waiting is in calls that complete many requests at'
              || ' once, for which the estimate is poor%s.',
              readable_share(1.0 * sum(wait_ns) FILTER (WHERE NOT reliable)
                             / sum(wait_ns)),
              ifnull((SELECT printf('; their first requests began %s before'
                                    || ' them, on average',
                                    readable_ns(sum(overlap_ns)
                                                / sum(instances)))
                      FROM wait_estimate
                      WHERE method = 'plain' AND used AND NOT reliable
                        AND overlap_ns IS NOT NULL
                      HAVING sum(instances) > 0), ''))
FROM waiting
HAVING sum(wait_ns) FILTER (WHERE NOT reliable) >= 0.01 * sum(wait_ns);

-- name: mpi_sites
-- A place is a call site with its MPI function.  The function is taken from the
-- profile, unless the profile has several for the site.  Call paths that end in
-- the same line are one place.  On an overloaded machine, the part of the waits
-- that follows from that is left out, where it is known; a rest below 5 % is not
-- told.
WITH waiting AS (
.read waiting.sql
), named AS MATERIALIZED (
.read ../views/mpi/site_names.sql
), load(overloaded) AS MATERIALIZED (SELECT
.read ../views/run/overloaded_waits.sql
), sites AS (
    SELECT ifnull((SELECT min(function) || ' in ' FROM mpi_profile p
                   WHERE p.site = w.site
                   HAVING count(DISTINCT function) = 1), '')
           || ifnull((SELECT name FROM named n WHERE n.site = w.site),
                     'unknown places') AS place,
           pattern, sum(wait_ns) AS all_ns,
           max(0, sum(wait_ns)
                  - iif(overloaded,
                        (SELECT total(lost_ns) FROM wait_state_lost l
                         WHERE l.site IS w.site AND l.pattern = w.pattern), 0))
               AS ns
    FROM waiting w JOIN load
    GROUP BY w.site, pattern
), places AS (
    SELECT printf('%s (%s), %s', place, pattern,
                  readable_share(1.0 * sum(ns) / (SELECT sum(ns) FROM sites)))
           AS share
    FROM sites
    GROUP BY place, pattern
    HAVING sum(ns) >= 0.0001 * (SELECT sum(ns) FROM sites) AND sum(ns) > 0
    ORDER BY sum(ns) DESC
    LIMIT 3
)
SELECT printf('Most of the waiting%s: %s.',
              iif((SELECT overloaded FROM load)
                  AND EXISTS (SELECT * FROM wait_state_lost),
                  printf(', without what is known to follow from lost cores'
                         || ' (%s of %s are left)',
                         readable_ns((SELECT sum(ns) FROM sites)),
                         readable_ns((SELECT sum(all_ns) FROM sites))), ''),
              group_concat(share, '; '))
FROM places
HAVING count(*) > 0
   AND (SELECT sum(ns) >= 0.05 * sum(all_ns) FROM sites);

-- name: mpi_ranks
WITH waiting AS (
.read waiting.sql
), spent AS (
    SELECT t.process AS rank, sum(communication_ns + computation_ns) AS ns
    FROM load_balance JOIN thread t USING (thread)
    GROUP BY 1
), shares AS (
    SELECT p.name AS who,
           ifnull(1.0 * (SELECT sum(wait_ns) FROM waiting w
                         WHERE w.rank = spent.rank) / ns, 0.0) AS share
    FROM spent JOIN process p ON p.process = spent.rank
)
SELECT iif(max(share) - min(share) < 0.001,
           printf('All ranks wait %s of their time.',
                  readable_share(max(share))),
           printf('%s waits most, %s of its time, %s least, %s.',
                  (SELECT who FROM shares ORDER BY share DESC LIMIT 1),
                  readable_share(max(share)),
                  (SELECT who FROM shares ORDER BY share LIMIT 1),
                  readable_share(min(share))))
FROM shares
WHERE NOT
.read ../views/run/overloaded_waits.sql
HAVING count(*) > 1 AND max(share) > 0;

-- name: mpi_culprit
WITH source AS (SELECT value FROM meta WHERE key = 'wait_source'),
.read ../views/path/lead.sql
-- The fewest ranks, two to four, that lead together as one has to, and have half
-- of the waiting.  The last one of them is compared with the next one.
, leaders(count) AS (
    SELECT min(place)
    FROM led
    WHERE place BETWEEN 2 AND 4 AND certain AND ns >= 1.25 * next_ns
      AND place < (SELECT count(DISTINCT id) FROM part)
      AND NOT EXISTS (SELECT * FROM blamed c
                      WHERE c.place <= led.place AND c.kept < 0.5 * c.ns)
      AND (SELECT min(c.kept) FROM blamed c WHERE c.place <= led.place)
          >= 1.25 * (SELECT ifnull(max(c.kept), 0) FROM blamed c
                     WHERE c.place > led.place)
      AND (SELECT sum(c.ns) FROM blamed c WHERE c.place <= led.place)
          >= 0.5 * (SELECT sum(wait_ns) FROM waits_for)
), chained(rest) AS (
    SELECT ifnull((SELECT printf(': %s of the waiting is for ranks that waited'
                                 || ' themselves', readable_share(share))
                   FROM (SELECT 1.0 * sum(indirect_ns)
                                / sum(direct_ns + indirect_ns) AS share
                         FROM wait_chain)
                   WHERE share >= 0.1), '') || '.'
), together(names) AS (
    SELECT group_concat(iif(place = 1, '',
                            iif(place = count, ' and ', ', ')) || culprit
                        || printf(' (%s)', readable_share(ns
                               / (SELECT sum(wait_ns) FROM waits_for))), '')
    FROM (SELECT * FROM blamed ORDER BY place) JOIN leaders
    WHERE place <= count
)
SELECT CASE WHEN ahead AND certain THEN
           printf('%s is waited for most%s: %s, %s of all waiting; %s of it by'
                  || ' %s.',
              culprit,
              iif((SELECT value FROM source) = 'trace', '',
                  ' in the retained part of the trace'),
              readable_ns(ns),
              readable_share(1.0 * ns / (SELECT sum(wait_ns) FROM waits_for)),
              readable_ns((SELECT max(wait_ns) FROM blame b
                           WHERE b.culprit = worst.culprit)),
              (SELECT waiter FROM blame b
               WHERE b.culprit = worst.culprit
               ORDER BY wait_ns DESC, waiter LIMIT 1))
           WHEN ahead THEN
           printf('%s is waited for longest: %s, %s of all waiting, in at most'
                  || ' %d %s of a rank, which are too few to tell that it'
                  || ' usually is.',
                  culprit, readable_ns(ns),
                  readable_share(1.0 * ns / (SELECT sum(wait_ns)
                                             FROM waits_for)),
                  events, iif(events = 1, 'call', 'calls'))
           WHEN leads THEN 'Lost cores may explain which rank is waited for'
                           || ' most, so none is named.'
           WHEN (SELECT count FROM leaders) IS NOT NULL
           THEN (SELECT names || ' are waited for alike, more than the others'
                 FROM together)
                || (SELECT rest FROM chained)
           ELSE 'No rank is waited for clearly more than the others'
                || (SELECT rest FROM chained) END
FROM worst
WHERE NOT
.read ../views/run/overloaded_waits.sql
UNION ALL
SELECT 'Only a trace shows for whom they wait: use --mode'
       || ' trace,profile,matrix.'
WHERE (SELECT value FROM source) = 'profile'
  AND NOT EXISTS (SELECT * FROM waits_for)
  AND (SELECT total(wait_ns) FROM load_balance) > 0
LIMIT 1;

-- name: mpi_hung
-- Findings on the time before calls that hang are left out if it is below a tenth
-- of the time in these calls.
SELECT printf('Nothing is told about the time before the calls that have not'
              || ' returned: it is %s of the time before and in them.',
              readable_share(counted / (counted + hung)))
FROM (SELECT total(communication_ns + computation_ns) AS counted
      FROM load_balance)
     JOIN (SELECT total(inside_ns) AS hung FROM mpi_inside
           WHERE inside_ns >= 1000000000)
WHERE counted < 0.1 * hung;
