-- SPDX-License-Identifier: MIT
-- scopes/diff/diff.sql - queries of comparisons

-- name: diff_elapsed
SELECT elapsed_ns FROM efficiency;

-- name: diff_mpi
SELECT count(*) > 0 AND max(threads) = 1, count(*) > 0 FROM mpi_rank;

-- name: diff_activity
-- The activities of each thread: kind as enum es_diff_kind, place, function,
-- call site, time, waiting, time on the critical path, and, of a computation,
-- the places where it begins and ends.  The waiting of MPI calls is that of the
-- view wait_state, without the completion of collectives; calls of one site
-- share it by their time, if they are of several threads or functions.
WITH place(site, name) AS MATERIALIZED (
.read ../views/mpi/site_names.sql
),
goal(path, name) AS MATERIALIZED (
    SELECT p.path, ifnull(e.name, 'path ' || p.path)
    FROM path p LEFT JOIN element e ON e.element = p.element
),
waited(rank, site, ns) AS MATERIALIZED (
    SELECT rank, site, sum(wait_ns) FROM wait_state
    WHERE pattern NOT LIKE '%Completion'
    GROUP BY rank, site
),
divided AS (
    SELECT c.*,
           CASE WHEN c.rank IS NULL OR c.function IS NULL THEN wait_ns
                ELSE ifnull(1.0 * w.ns * (time_ns + wait_ns)
                            / nullif(sum(time_ns + wait_ns) OVER calls, 0), 0)
           END AS waiting_ns
    FROM critical_path c
    LEFT JOIN waited w ON w.rank = c.rank AND w.site IS c.site
                          AND c.function IS NOT NULL
    WINDOW calls AS (PARTITION BY c.rank, c.site, c.function IS NULL)
),
named AS (
    SELECT w.name AS who, c.*,
           CASE WHEN c.path IS NOT NULL THEN g.name
                ELSE ifnull(t.name, 'an unknown place') END AS there,
           CASE WHEN c.path IS NOT NULL THEN fg.name
                WHEN c.from_site IS NOT NULL
                THEN ifnull(f.name, 'an unknown place') END AS origin,
           s.name AS stage_name
    FROM divided c JOIN thread w USING (thread)
    LEFT JOIN place f ON f.site = c.from_site
    LEFT JOIN place t ON t.site = c.site
    LEFT JOIN goal g ON g.path = c.path
    LEFT JOIN goal fg ON fg.path = c.from_path
    LEFT JOIN stage s ON s.stage = c.stage
)
SELECT who,
       CASE WHEN function IS NOT NULL THEN 1
            WHEN path IS NOT NULL AND from_path IS NULL THEN 3
            ELSE 0 END,
       CASE WHEN stage IS NOT NULL
            THEN printf('in the %s %s %s', function,
                        CASE function WHEN 'write' THEN 'to'
                             WHEN 'read' THEN 'from' ELSE 'on' END, there)
                 || iif(stage_name = there, '', ', at stage ' || stage_name)
            WHEN function IS NOT NULL
            THEN printf('in %s at %s', function, there)
            WHEN origin IS NULL THEN 'before ' || there
            WHEN origin = there
            THEN printf('from one %s %s to the next',
                        iif(path IS NULL, 'call at', 'operation on'), there)
            ELSE printf('between %s and %s', origin, there) END,
       ifnull(function, 'computing'),
       CASE WHEN function IS NULL THEN 'computing'
            WHEN stage IS NOT NULL THEN stage_name ELSE there END,
       time_ns + wait_ns - waiting_ns, waiting_ns, path_ns, iif(function IS NULL, origin, NULL),
       iif(function IS NULL, there, NULL)
FROM named;

-- name: diff_profile
-- The MPI calls of each rank of a run without a trace, in the columns of
-- diff_activity.
WITH place(site, name) AS MATERIALIZED (
.read ../views/mpi/site_names.sql
)
SELECT 'r' || p.rank, 1,
       printf('in %s at %s', function, ifnull(l.name, 'an unknown place')),
       function, ifnull(l.name, 'an unknown place'), sum(measured_ns), 0, 0,
       NULL, NULL
FROM mpi_profile p LEFT JOIN place l ON l.site = p.site
GROUP BY 1, 3;

-- name: diff_profile_elapsed
SELECT max(communication_ns + computation_ns) FROM load_balance;

-- name: diff_bins
-- The iterations of each loop and thread: loop, whether they are the steps,
-- thread, first iteration, number of iterations, start, end, time in
-- operations, and waiting.  No loop is in another one, so that no time counts
-- twice.
WITH RECURSIVE place(site, name) AS MATERIALIZED (
.read ../views/mpi/site_names.sql
),
around(phase) AS (
    SELECT parent FROM phase WHERE steps AND parent IS NOT NULL
    UNION
    SELECT p.parent FROM phase p JOIN around USING (phase)
    WHERE p.parent IS NOT NULL
)
SELECT CASE WHEN p.steps THEN 'steps'
            ELSE printf('iterations of the loop from %s%s to %s%s',
                        p.first, ifnull(' at ' || f.name, ''),
                        p.last, ifnull(' at ' || l.name, '')) END,
       p.steps, w.name, i.iteration, i.iterations, i.start_ns,
       i.stop_ns, i.communication_ns, i.wait_ns
FROM iteration i JOIN phase p USING (phase) JOIN thread w USING (thread)
LEFT JOIN place f ON f.site = p.first_site
LEFT JOIN place l ON l.site = p.last_site
WHERE (p.parent IS NULL OR p.steps)
  AND p.phase NOT IN (SELECT phase FROM around)
UNION ALL
-- Steps that the program numbers: each lasts until the next one begins.
SELECT 'steps', 1, w.name, s.step, s.steps,
       s.start_ns,
       ifnull(lead(s.start_ns) OVER (PARTITION BY s.thread ORDER BY s.step),
              s.stop_ns),
       s.communication_ns, s.wait_ns
FROM step s JOIN thread w USING (thread)
WHERE NOT EXISTS (SELECT 1 FROM phase WHERE steps)
-- Calls of MPI are numbered where no loop is found; these numbers are no steps.
  AND NOT EXISTS (SELECT 1 FROM meta m JOIN meta r
                  WHERE m.key = 'step_source' AND m.value = 'operations'
                    AND r.key = 'ranks');

-- name: diff_span
-- The measured interval of each thread of MPI.
SELECT w.name, i.start_ns, i.stop_ns
FROM mpi_interval i JOIN mpi_rank USING (rank) JOIN thread w USING (process);

-- name: diff_waiting
-- The waiting of all threads, as the views of iterations and steps count it.
SELECT (SELECT total(wait_ns) FROM wait_state
        WHERE pattern NOT LIKE '%Completion')
       + (SELECT total(wait_ns) FROM load_balance
          WHERE thread NOT IN (SELECT thread
                               FROM thread JOIN mpi_rank USING (process)));

-- name: diff_blame
-- The waiting of each thread for each other one.
SELECT w.name, c.name, sum(f.wait_ns)
FROM waits_for f
JOIN thread w ON w.thread = f.waiter
JOIN thread c ON c.thread = f.culprit
GROUP BY f.waiter, f.culprit;

-- name: diff_source
SELECT value FROM meta WHERE key = 'step_source';

-- name: diff_overloaded
SELECT
.read ../views/run/overloaded.sql
;

-- name: diff_lost
-- Operations that are not retained, so the measured interval is a part of the
-- run.
SELECT total(discarded) > 0 FROM collector;

-- name: diff_missing
SELECT ranks_missing FROM activity_graph WHERE ranks_missing > 0;

-- name: diff_live
SELECT value = '1' FROM meta WHERE key = 'live';
