-- SPDX-License-Identifier: MIT
-- scopes/views/run/ends_failed.sql - processes that failed by themselves, in the
-- order of their ends

-- `first` is 1 when the others ended at least 100 ms later.  `all_killed` is 1
-- when all processes of the run were killed, as by a user who ends a run that
-- hangs.  A process that exits with status 0 and did not end its recording
-- counts when others failed.  MPI ranks without MPI_Finalize have sentences of
-- their own.  The launcher sees ends only to a few ms, so those
-- of the first 100 ms are ordered by what ends others: a fault, a kill, an exit.
SELECT process, name, signal, exit_status, ended_ns,
       row_number() OVER ended AS n, count(*) OVER () AS of,
       row_number() OVER ended = 1
       AND (SELECT count(*) FROM process WHERE state <> 'missing') > 1
       AND ended_ns IS NOT NULL
       AND ended_ns + 100000000 <= ifnull(
           (SELECT min(ended_ns) FROM process q
            WHERE q.process <> p.process), ended_ns + 100000000) AS first,
       count(*) FILTER (WHERE signal IN (1, 2, 9, 15)) OVER ()
       = (SELECT count(*) FROM process WHERE state <> 'missing') AS all_killed
FROM process p
WHERE (signal IS NOT NULL OR exit_status <> 0
       OR (exit_status = 0 AND state = 'killed' AND ended_ns IS NOT NULL
           AND EXISTS (SELECT * FROM process
                       WHERE signal IS NOT NULL OR exit_status <> 0)))
  AND ended_by_run IS NOT 1
  AND NOT EXISTS (SELECT * FROM mpi_rank r
                  WHERE r.process = p.process AND r.state <> 'finalized')
WINDOW ended AS (ORDER BY ended_ns IS NULL,
    iif(ended_ns < (SELECT min(ended_ns) FROM process) + 100000000, 0, ended_ns),
    CASE WHEN signal NOT IN (1, 2, 9, 15) THEN 0 WHEN signal IS NOT NULL THEN 1
         WHEN state = 'killed' THEN 2 ELSE 3 END,
    ended_ns, process)
