-- SPDX-License-Identifier: MIT
-- viewer/event/causes.sql - delays, deaths and deadlocks on the timeline
--
-- Each row is a link: thread, ns, thread, ns.

-- Delays that overlap :from to :to, with the waits that they caused.
-- name: causes_delays
WITH wave AS MATERIALIZED (
    SELECT wave, thread, start_ns, stop_ns
    FROM idle_wave w
    WHERE start_ns <= :to
      AND max(stop_ns, ifnull((SELECT max(r.start_ns + r.wait_ns)
                               FROM idle_wave_thread r
                               WHERE r.wave = w.wave), 0)) >= :from
    ORDER BY wait_ns DESC, wave LIMIT :most
)
SELECT thread, start_ns, thread, stop_ns FROM wave
UNION ALL
SELECT r.before,
       ifnull((SELECT p.start_ns + p.wait_ns FROM idle_wave_thread p
               WHERE p.wave = r.wave AND p.thread = r.before), w.stop_ns),
       r.thread, r.start_ns + r.wait_ns
FROM wave w JOIN idle_wave_thread r USING (wave);

-- Ranks that ended without MPI_Finalize.
-- name: causes_died_ranks
SELECT f.thread, ended_ns, f.thread, ended_ns
FROM (
.read ../../scopes/views/mpi/ends_gone.sql
) JOIN (SELECT r.rank AS of, min(t.thread) AS thread
        FROM mpi_rank r JOIN thread t USING (process) GROUP BY r.rank) f
ON f.of = rank
WHERE NOT sent AND ended_ns IS NOT NULL;

-- Processes of a map that failed.
-- name: causes_died
SELECT min(t.thread), ended_ns, min(t.thread), ended_ns
FROM process p JOIN thread t USING (process)
WHERE ended_ns IS NOT NULL AND ended_by_run IS NOT 1
  AND (signal IS NOT NULL OR exit_status <> 0)
GROUP BY process;

-- Calls of a deadlock, and the ranks that they wait for in a cycle.
-- name: causes_cycle_ranks
WITH RECURSIVE edge(a, b) AS MATERIALIZED (
    SELECT DISTINCT rank, culprit FROM mpi_inside_for
    WHERE EXISTS (SELECT * FROM diagnostic WHERE subject = 'deadlock')
), reach(a, b) AS (
    SELECT a, b FROM edge
    UNION
    SELECT r.a, e.b FROM reach r JOIN edge e ON e.a = r.b
    LIMIT 1000000
)
SELECT i.thread, i.since_ns,
       (SELECT min(t.thread) FROM mpi_rank r JOIN thread t USING (process)
        WHERE r.rank = e.b), :to
FROM edge e JOIN reach r ON r.a = e.b AND r.b = e.a
JOIN mpi_inside i ON i.rank = e.a
WHERE i.since_ns IS NOT NULL
ORDER BY 1, 3 LIMIT :most;

-- Operations of a deadlock, and the threads that they wait for in a cycle.
-- name: causes_cycle_paths
WITH RECURSIVE edge(a, b) AS MATERIALIZED (
    SELECT DISTINCT thread, culprit FROM inside_for
    WHERE EXISTS (SELECT * FROM diagnostic WHERE subject = 'deadlock')
), reach(a, b) AS (
    SELECT a, b FROM edge
    UNION
    SELECT r.a, e.b FROM reach r JOIN edge e ON e.a = r.b
    LIMIT 1000000
)
SELECT e.a, min(i.since_ns), e.b, :to
FROM edge e JOIN reach r ON r.a = e.b AND r.b = e.a
JOIN inside i ON i.thread = e.a
WHERE i.since_ns IS NOT NULL
GROUP BY e.a, e.b ORDER BY 1, 3 LIMIT :most;
