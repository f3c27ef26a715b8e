-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/ends_gone.sql - ranks that ended without MPI_Finalize

-- A rank that was killed by SIGKILL leaves no note, as one that calls _exit; one
-- that exits leaves its status.  `sent` is 1 for the signals of launchers.
-- `all_killed` is 1 when all ranks of the run got one of these, or left no note.
SELECT rank, name, signal, threads, class, sent,
       CASE class WHEN 0 THEN
                printf('died of signal %d%s', signal,
                       CASE signal WHEN 11 THEN ' (segmentation fault)'
                                   WHEN 7 THEN ' (bus error)'
                                   WHEN 8 THEN ' (arithmetic exception)'
                                   WHEN 4 THEN ' (illegal instruction)'
                                   WHEN 6 THEN ' (abort)'
                                   WHEN 24 THEN ' (limit of CPU time)'
                                   ELSE '' END)
            WHEN 1 THEN 'called MPI_Abort'
            WHEN 2 THEN printf('exited with status %d without MPI_Finalize',
                               exit_status)
            ELSE 'was killed (SIGKILL) or called _exit' END AS how,
       (SELECT count(*) FROM mpi_rank WHERE process IS NOT NULL)
       = count(*) FILTER (WHERE (sent OR class = 3)
                            AND NOT (NOT sent AND sents > 0)) OVER ()
           AS all_killed
FROM (SELECT r.rank, p.name, r.signal, r.threads, p.exit_status,
             CASE WHEN r.signal IS NOT NULL THEN 0
                  WHEN r.state = 'aborted' THEN 1
                  WHEN p.exit_status IS NULL THEN 3 ELSE 2 END AS class,
             ifnull(r.signal IN (1, 2, 15), 0) AS sent,
             count(*) FILTER (WHERE r.signal IN (1, 2, 15)) OVER () AS sents
      FROM mpi_rank r JOIN process p USING (process)
      WHERE p.state IN ('killed', 'closed')
        AND r.state IN ('killed', 'ended', 'aborted'))
