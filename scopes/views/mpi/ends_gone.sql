-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/ends_gone.sql - ranks that ended without MPI_Finalize

-- A rank that was killed by SIGKILL leaves no note, as one that calls _exit; one
-- that exits leaves its status.  The watcher of a rank tells both, if there is
-- one, and when the rank ended.  `sent` is 1 for the signals of launchers.
-- `all_killed` is 1 when all ranks of the run got one of these, or left no note.
-- When a rank dies, the launcher of Open MPI sends the others SIGTERM before
-- SIGKILL, so that ranks without a note ended first.  Those of MPICH and its
-- kin kill the others at once, and send them the signals that they get; so a
-- single rank that notes such a signal died of it first, unless a deadlock shows
-- that the others were killed before they could note it.  A SIGKILL after
-- another rank has failed is of the launcher, too.  That of MPICH may see the
-- closed connection of a rank that fails, and end others, before the rank has a
-- core to end itself: by 11 ms on two loaded cores, so 0.1 s count as after it.
-- With Open MPI a SIGKILL after another rank got SIGTERM, or of a rank of a
-- deadlock, is of the launcher: it sends SIGKILL soon after SIGTERM when it is
-- ended itself.  When the launcher is killed, ranks of Open MPI exit by
-- themselves, all with the same status; `alike` is 1 when all ranks did so within a
-- second, and a rank was inside of MPI, where it cannot exit by itself.  This is in
-- `all_killed`, too.  `number` is that
-- of the signal; `timed` is 1 when the ends of all these ranks are known, on one
-- host.
SELECT rank, name, signal, ifnull(signal, iif(killed, 9, NULL)) AS number,
       killed, threads, class, sent, ended_ns, timed, exit_status, alike,
       CASE class WHEN 0 THEN
                iif(signal IN (1, 2, 15), 'was killed by signal ',
                    'died of signal ') || signal ||
.read ../run/signal_name.sql
            WHEN 1 THEN iif(failed, 'was ended by MPI because of an error',
                            'called MPI_Abort')
            WHEN 2 THEN printf('exited with status %d without MPI_Finalize',
                               exit_status)
            ELSE 'was killed (SIGKILL)' || iif(killed, '', ' or called _exit')
            END AS how,
       (SELECT count(*) FROM mpi_rank WHERE process IS NOT NULL)
       = count(*) FILTER (WHERE sent OR alike
                             OR (class = 3 AND (sents = 0 OR kills))) OVER ()
           AS all_killed
FROM (SELECT *,
             iif(kills AND sents = 1 AND unnoted = of - 1 AND of > 1
                 AND NOT EXISTS (SELECT * FROM diagnostic
                                 WHERE subject = 'deadlock'),
                 killed,
                 ifnull(signal IN (1, 2, 15), 0)
                 OR (killed AND class = 3
                     AND (ifnull(ended_ns > failed_ns
                                - iif(kills, 100000000, 0), 0)
                          OR (NOT kills AND sents > 0 AND timed
                              AND (ended_ns > sent_ns
                                   OR EXISTS (SELECT * FROM diagnostic
                                              WHERE subject = 'deadlock'))))))
                 AS sent,
             timed AND of > 1 AND exits = of AND inner > 0
             AND last_ns - first_ns < 1000000000
             AND min(exit_status) OVER () = max(exit_status) OVER () AS alike
      FROM (SELECT *, count(*) OVER () AS of,
                   count(*) FILTER (WHERE class = 3) OVER () AS unnoted,
                   count(*) FILTER (WHERE signal IN (1, 2, 15)) OVER ()
                       AS sents,
                   -- An abort precedes all kills.
                   min(iif(class = 1, 0, ended_ns))
                       FILTER (WHERE class IN (1, 2)
                               OR class = 0 AND signal NOT IN (1, 2, 15))
                       OVER () AS failed_ns,
                   min(ended_ns) FILTER (WHERE signal IN (1, 2, 15)) OVER ()
                       AS sent_ns,
                   min(ended_ns) OVER () AS first_ns,
                   max(ended_ns) OVER () AS last_ns,
                   count(*) FILTER (WHERE class = 2) OVER () AS exits,
                   count(*) FILTER (WHERE class = 2
                                    AND rank IN (SELECT rank FROM mpi_inside))
                       OVER () AS inner,
                   count(ended_ns) OVER () = count(*) OVER ()
                   AND min(machine) OVER () IS max(machine) OVER () AS timed
            FROM (SELECT r.rank, p.name, r.threads, p.exit_status, p.ended_ns,
                         p.machine,
                         r.state = 'failed' AS failed,
                         iif(r.state IN ('aborted', 'failed'), r.signal,
                             ifnull(r.signal, nullif(p.signal, 9))) AS signal,
                         ifnull(p.signal = 9, 0) AS killed,
                         CASE WHEN r.signal IS NOT NULL
                                OR (r.state NOT IN ('aborted', 'failed')
                                    AND p.signal <> 9)
                              THEN 0
                              WHEN r.state IN ('aborted', 'failed') THEN 1
                              WHEN p.exit_status IS NULL THEN 3
                              ELSE 2 END AS class,
                         r.library NOT LIKE 'Open MPI%' AS kills
                  FROM mpi_rank r JOIN process p USING (process)
                  WHERE p.state IN ('killed', 'closed')
                    AND r.state IN ('killed', 'ended', 'aborted', 'failed'))))
