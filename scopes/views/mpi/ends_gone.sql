-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/ends_gone.sql - ranks that ended without MPI_Finalize

-- A rank that was killed by SIGKILL leaves no note, as one that calls _exit; one
-- that exits leaves its status.  `sent` is 1 for the signals of launchers.
-- `all_killed` is 1 when all ranks of the run got one of these, or left no note.
-- When a rank dies, the launcher of Open MPI sends the others SIGTERM before
-- SIGKILL, so that ranks without a note ended first.  Those of MPICH and its
-- kin kill the others at once, and send them the signals that they get; so a
-- single rank that notes such a signal died of it first, unless a deadlock shows
-- that the others were killed before they could note it.
SELECT rank, name, signal, threads, class, sent,
       CASE class WHEN 0 THEN
                iif(signal IN (1, 2, 15), 'was killed by signal ',
                    'died of signal ') || signal ||
.read ../run/signal_name.sql
            WHEN 1 THEN 'called MPI_Abort'
            WHEN 2 THEN printf('exited with status %d without MPI_Finalize',
                               exit_status)
            ELSE 'was killed (SIGKILL) or called _exit' END AS how,
       (SELECT count(*) FROM mpi_rank WHERE process IS NOT NULL)
       = count(*) FILTER (WHERE sent
                             OR (class = 3 AND (sents = 0 OR kills))) OVER ()
           AS all_killed
FROM (SELECT *,
             ifnull(signal IN (1, 2, 15), 0)
             AND NOT (kills AND sents = 1 AND unnoted = of - 1 AND of > 1
                      AND NOT EXISTS (SELECT * FROM diagnostic
                                      WHERE subject = 'deadlock'))
                 AS sent
      FROM (SELECT *, count(*) OVER () AS of,
                   count(*) FILTER (WHERE class = 3) OVER () AS unnoted,
                   count(*) FILTER (WHERE signal IN (1, 2, 15)) OVER ()
                       AS sents
            FROM (SELECT r.rank, p.name, r.signal, r.threads, p.exit_status,
                         CASE WHEN r.signal IS NOT NULL THEN 0
                              WHEN r.state = 'aborted' THEN 1
                              WHEN p.exit_status IS NULL THEN 3
                              ELSE 2 END AS class,
                         r.library NOT LIKE 'Open MPI%' AS kills
                  FROM mpi_rank r JOIN process p USING (process)
                  WHERE p.state IN ('killed', 'closed')
                    AND r.state IN ('killed', 'ended', 'aborted'))))
