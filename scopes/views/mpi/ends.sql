-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/ends.sql - the first sentences about an MPI run: deaths and
-- hangs

-- name: mpi_died
-- Ranks that ended before MPI_Finalize.  The call of the fault is known when one
-- thread calls MPI.
WITH named AS MATERIALIZED (
.read site_names.sql
), gone AS (
.read ends_gone.sql
), ended AS (
    SELECT rank, name, number FROM gone WHERE sent
), died AS (
    SELECT g.*, i.function AS call, o.function AS last,
           o.rank IS NOT NULL AS outside,
           (SELECT name FROM named n
            WHERE n.site = ifnull(i.site, o.site)) AS place
    FROM gone g
         LEFT JOIN mpi_inside i ON i.rank = g.rank AND g.threads = 1
         LEFT JOIN mpi_outside o ON o.rank = g.rank AND g.threads = 1
    WHERE NOT sent
    GROUP BY g.rank
    ORDER BY iif(timed, ended_ns, class), class, g.rank
), earliest AS (
.read ends_first.sql
)
SELECT group_concat(
           printf('%s %s%s%s%s.', name, how,
                  CASE WHEN call = 'MPI_Abort' THEN ''
                       WHEN call IS NOT NULL THEN ', inside ' || call
                       WHEN outside THEN ', outside of MPI' ELSE '' END,
                  iif(call IS NULL, ifnull(' after ' || last, ''), ''),
                  ifnull(' in ' || place, '')), ' ')
       || iif((SELECT count(*) FROM died) > 3,
              (SELECT printf(' %d more rank%s ended without MPI_Finalize.',
                             count(*) - 3, iif(count(*) = 4, '', 's'))
               FROM died), '')
       || ifnull((SELECT ' ' || group_concat(
                             printf('%s %s ended by signal %d', names,
                                    iif(of = 1, 'was', 'were'), number), '; ')
                         || '.'
                  FROM (
.read ends_signals.sql
                  )), '')
       || ifnull((SELECT printf(' %s ended first, %s before the next rank.',
                                name, readable_ns(gap_ns))
                  FROM earliest), '')
FROM (SELECT * FROM died LIMIT 3)
HAVING count(*) > 0
   AND NOT (SELECT all_killed FROM gone LIMIT 1);

-- name: mpi_killed
-- The same when all ranks were killed, as by a user who ends a run that hangs,
-- or exited alike because the launcher was: then the hang comes first.  It has
-- the ranks that are in MPI.
WITH named AS MATERIALIZED (
.read site_names.sql
), gone AS (
.read ends_gone.sql
), ended AS (
    SELECT rank, name, signal AS number FROM gone WHERE signal IS NOT NULL
), places AS (
    SELECT rank, name, last,
           (SELECT name FROM named n WHERE n.site = p.site) AS place
    FROM (SELECT o.rank, g.name, o.function AS last, o.site, max(left_ns)
          FROM mpi_outside o JOIN gone g ON g.rank = o.rank
          WHERE o.rank NOT IN (SELECT rank FROM mpi_inside)
          GROUP BY o.rank) p
), groups AS (
    SELECT last, place, count(*) AS of, min(rank) AS first,
           group_concat(name, ', ') FILTER (WHERE n <= 4) AS names
    FROM (SELECT *, row_number() OVER (PARTITION BY last, place
                                       ORDER BY rank) AS n
          FROM places)
    GROUP BY last, place
), earliest AS (
.read ends_first.sql
)
SELECT CASE WHEN status IS NOT NULL
            THEN printf('All ranks exited with status %d without MPI_Finalize',
                        status)
            WHEN noted = 0
            THEN iif(of = 1, 'The rank was', 'All ranks were')
                 || ' killed (SIGKILL)' || iif(seen, '', ' or called _exit')
            WHEN noted = of
            THEN printf('%s ended by signal%s',
                        iif(of = 1, 'The rank was', 'All ranks were'), numbers)
            ELSE printf('%d of %d ranks %s ended by signal%s, the other%s'
                        || ' killed (SIGKILL)%s',
                        noted, of, iif(noted = 1, 'was', 'were'), numbers,
                        iif(of - noted = 1, ' was', 's were'),
                        iif(seen, '', ' or called _exit'))
            END
       || iif(of = 1, '.',
              ifnull((SELECT printf('; %s ended first, %s before the next'
                                    || ' rank.', name, readable_ns(gap_ns))
                      FROM earliest),
                     iif(at_once, '; the first two ended within 1 ms of each'
                                   || ' other.',
                         '; which one ended first is not recorded.')))
       || ifnull((SELECT ' ' || group_concat(
                             printf('%s%s %s outside of MPI%s%s.', names,
                                    iif(of > 4, printf(' and %d more', of - 4),
                                        ''),
                                    iif(of = 1, 'was', 'were'),
                                    ifnull(' after ' || last, ''),
                                    ifnull(' in ' || place, '')), ' ')
                  FROM (SELECT * FROM groups ORDER BY of DESC, first LIMIT 3)),
                 '')
FROM (SELECT count(*) AS of, count(signal) AS noted,
             min(killed OR signal IS NOT NULL) AS seen,
             min(timed) AND count(*) > 1
             AND (SELECT max(ended_ns) - min(ended_ns) < 1000000
                  FROM (SELECT ended_ns FROM gone ORDER BY ended_ns LIMIT 2))
             AS at_once,
             iif(min(alike), exit_status, NULL) AS status,
             iif(count(DISTINCT signal) = 1, ' ' || min(signal),
                 (SELECT printf('s (%s)',
                                group_concat(names || ' by ' || number, '; '))
                  FROM (
.read ends_signals.sql
                  ))) AS numbers
      FROM gone
      HAVING min(all_killed));

-- name: mpi_mixed
-- Members of a communicator that are in different functions, or have different
-- roots, as the same collective.  On an intercommunicator, some have no root.
WITH named AS MATERIALIZED (
.read comm_names.sql
), live(yes) AS (
    SELECT EXISTS (SELECT * FROM process WHERE state = 'live')
), calls AS (
    SELECT comm, number, function, rank,
           iif(min(ifnull(peer, -1)) OVER (PARTITION BY comm, number, function)
               < 0, NULL, peer) AS root
    FROM mpi_inside JOIN live
    WHERE number IS NOT NULL AND (inside_ns >= 1000000000 OR NOT yes)
), forms AS (
    SELECT comm, number, function, root, count(*) AS ranks, min(rank) AS first,
           group_concat(name, ', ') FILTER (WHERE n <= 4) AS names,
           count(*) OVER (PARTITION BY comm, number, function) AS roots,
           count(*) OVER (PARTITION BY comm, number) AS of
    FROM (SELECT c.*, p.name,
                 row_number() OVER (PARTITION BY comm, number, function, root
                                    ORDER BY c.rank) AS n
          FROM (SELECT DISTINCT * FROM calls) c JOIN mpi_rank USING (rank)
               JOIN process p USING (process)
          ORDER BY comm, number, function, root, c.rank)
    GROUP BY comm, number, function, root
)
SELECT group_concat(line, ' ')
FROM (
    SELECT printf('Collective %d of %s %s %s: %s.',
                  number, ifnull(max(m.name), 'comm ' || comm),
                  iif(yes, 'is', 'was'),
                  group_concat(printf('%s%s in %s%s', function,
                                      iif(roots > 1,
                                          ' with root ' || root_name, ''),
                                      names,
                                      iif(ranks > 4,
                                          printf(' and %d more', ranks - 4),
                                          '')), ' and '),
                  'all members must call the same function'
                  || iif(max(roots) > 1, ' with the same root', '')) AS line
    FROM (SELECT f.*, p.name AS root_name
          FROM forms f LEFT JOIN mpi_rank k ON k.rank = f.root
               LEFT JOIN process p USING (process)
          WHERE of > 1
          ORDER BY comm, number, first) f
         JOIN live LEFT JOIN named m USING (comm)
    GROUP BY comm, number
    LIMIT 3)
HAVING count(*) > 0;

-- name: mpi_stuck
-- A rank of a live run counts when it has been in its call for a second.  Calls
-- wait for ranks outside of such calls, if any; else for those in other calls.
-- Communicators are told if ranks on one wait for ranks on another.
WITH named AS MATERIALIZED (
.read site_names.sql
), comms AS MATERIALIZED (
.read comm_names.sql
), live(yes) AS (
    SELECT EXISTS (SELECT * FROM process WHERE state = 'live')
), calls AS (
    SELECT rank, thread, function, site, comm, inside_ns AS ns,
           peer IS NULL
           AND function IN ('MPI_Recv', 'MPI_Probe', 'MPI_Mprobe',
                            'MPI_Waitany', 'MPI_Waitsome') AS any
    FROM mpi_inside
    WHERE (inside_ns >= 1000000000 OR NOT (SELECT yes FROM live))
      AND function <> 'MPI_Abort'
), apart(yes) AS MATERIALIZED (
    SELECT EXISTS (SELECT *
                   FROM calls c JOIN mpi_inside_for f USING (rank, thread)
                        JOIN calls o ON o.rank = f.culprit
                   WHERE o.comm <> c.comm AND o.comm <> 0 AND c.comm <> 0)
), stuck AS (
    SELECT rank, thread, function, site, ns, any,
           iif((SELECT yes FROM apart), comm, NULL) AS comm
    FROM calls
), groups AS (
    SELECT function, site, comm, count(DISTINCT rank) AS ranks,
           min(ns) AS ns, min(rank) AS first, min(any) AS any
    FROM stuck
    GROUP BY function, site, comm
), members AS (
    SELECT function, site, comm, p.name,
           row_number() OVER (PARTITION BY function, site, comm ORDER BY rank)
               AS n
    FROM (SELECT DISTINCT rank, function, site, comm FROM stuck)
         JOIN mpi_rank USING (rank) JOIN process p USING (process)
), left_last AS (
    SELECT rank, function, site, outside_ns, max(left_ns)
    FROM mpi_outside
    GROUP BY rank
), waited AS (
    SELECT DISTINCT s.function, s.site, s.comm, s.any, f.culprit AS rank,
           f.culprit IN (SELECT rank FROM stuck) AS inside
    FROM stuck s JOIN mpi_inside_for f USING (rank, thread)
), culprits AS (
    SELECT DISTINCT function, site, comm, rank
    FROM (SELECT *, min(inside) OVER (PARTITION BY function, site, comm)
                        AS all_inside
          FROM waited) w
    WHERE NOT inside
       OR ((any OR all_inside)
           AND NOT EXISTS (SELECT * FROM stuck q
                           WHERE q.rank = w.rank AND q.function = w.function
                             AND q.site IS w.site AND q.comm IS w.comm))
), blamed AS (
    SELECT c.function, c.site, c.comm, c.rank, p.name, p.state, r.state AS ended,
           o.function AS last, o.outside_ns,
           (SELECT name FROM named WHERE site = o.site) AS last_place,
           c.rank IN (SELECT rank FROM mpi_inside) AS inside,
           row_number() OVER (PARTITION BY c.function, c.site, c.comm
                              ORDER BY c.rank) AS n,
           count(*) OVER (PARTITION BY c.function, c.site, c.comm) AS of
    FROM culprits c JOIN mpi_rank r USING (rank)
         JOIN process p USING (process)
         LEFT JOIN left_last o ON o.rank = c.rank
)
SELECT group_concat(line, ' ')
FROM (
    SELECT printf('%s %s in %s%s%s%s%s.',
        (SELECT group_concat(name, ', ') FROM members m
         WHERE m.function = g.function AND m.site IS g.site
           AND m.comm IS g.comm AND n <= 4)
        || iif(ranks > 4, printf(' and %d more', ranks - 4), ''),
        CASE WHEN NOT yes THEN iif(ranks = 1, 'was', 'were')
             WHEN ranks = 1 THEN 'has been' ELSE 'have been' END,
        function,
        ifnull(' on ' || (SELECT name FROM comms c WHERE c.comm = g.comm), ''),
        ifnull(' in ' || (SELECT name FROM named WHERE site = g.site), ''),
        ifnull(' for ' || readable_ns(ns), '')
        || iif(yes, '', ' when the run ended'),
        ifnull((SELECT ', waiting for '
                       || iif(any AND max(of) > 1, 'any of ', '')
                       || group_concat(b.name, ', ')
                       || iif(max(of) > 4, printf(' and %d more', max(of) - 4),
                              '')
                       || CASE WHEN max(of) > 1 THEN ''
                               WHEN min(ended) = 'aborted'
                               THEN ', which called MPI_Abort'
                               WHEN min(ended) = 'failed'
                               THEN ', which MPI ended because of an error'
                               WHEN yes AND min(b.state) = 'closed'
                               THEN ', whose process has ended'
                               WHEN yes AND min(b.state) <> 'live'
                               THEN ', whose state is not known'
                               WHEN max(b.inside)
                               THEN printf(', which %s in MPI, too',
                                           iif(yes, 'is', 'was'))
                               WHEN min(b.last) IS NULL THEN ''
                               ELSE printf(', which left MPI%s after %s%s',
                                   ifnull(' ' || readable_ns(min(outside_ns))
                                          || iif(yes, ' ago',
                                                 ' before its end'), ''),
                                   min(last),
                                   ifnull(' in ' || min(last_place), '')) END
                FROM blamed b
                WHERE b.function = g.function AND b.site IS g.site
                  AND b.comm IS g.comm AND b.n <= 4
                HAVING count(*) > 0), ''))
        AS line
    FROM groups g JOIN live
    ORDER BY ranks DESC, first
    LIMIT 3)
HAVING count(*) > 0;

-- name: mpi_tags
-- Receives that hang although their peer has sent, with other tags or on another
-- communicator: a line for each thread, peer and communicator.
WITH comms AS MATERIALIZED (
.read comm_names.sql
), live(yes) AS (
    SELECT EXISTS (SELECT * FROM process WHERE state = 'live')
), pairs AS MATERIALIZED (
    SELECT i.rank, i.thread, u.source, wanted_comm, wanted_tag, u.comm, u.tag,
           messages
    FROM mpi_inside i JOIN mpi_inside_unreceived u USING (rank, thread) JOIN live
    WHERE (inside_ns >= 1000000000 OR NOT yes)
      AND (u.tag <> wanted_tag OR u.comm <> wanted_comm)
), wanted AS (
    SELECT rank, thread, source, wanted_comm,
           iif(count(*) > 1, 'tags ', 'tag ')
           || group_concat(wanted_tag, ', ') FILTER (WHERE n <= 4)
           || iif(count(*) > 4, printf(' and %d more', count(*) - 4), '') AS tags
    FROM (SELECT *, row_number() OVER (
                        PARTITION BY rank, thread, source, wanted_comm
                        ORDER BY wanted_tag) AS n
          FROM (SELECT DISTINCT rank, thread, source, wanted_comm, wanted_tag
                FROM pairs)
          ORDER BY n)
    GROUP BY rank, thread, source, wanted_comm
), sent AS (
    SELECT rank, thread, source, wanted_comm,
           max(comm <> wanted_comm) AS apart, sum(messages) AS messages,
           group_concat(
               printf('%stag %d%s', iif(messages = 1, '',
                                        printf('%d messages with ', messages)),
                      tag, iif(comm <> wanted_comm,
                               ' on ' || (SELECT name FROM comms c
                                          WHERE c.comm = s.comm), '')), ', ')
               FILTER (WHERE n <= 4)
           || iif(count(*) > 4, printf(' and %d more', count(*) - 4), '') AS what
    FROM (SELECT *, row_number() OVER (
                        PARTITION BY rank, thread, source, wanted_comm
                        ORDER BY comm, tag) AS n
          FROM (SELECT DISTINCT rank, thread, source, wanted_comm, comm, tag,
                       messages
                FROM pairs)
          ORDER BY n) s
    GROUP BY rank, thread, source, wanted_comm
)
SELECT group_concat(line, ' ')
FROM (
    SELECT printf('%s %s for %s%s of %s; %s %s sent %s to %s, which %s not'
                  || ' received.', r.name, iif(yes, 'waits', 'waited'), tags,
                  iif(apart, ' on ' || (SELECT name FROM comms c
                                        WHERE c.comm = wanted_comm), ''), p.name,
                  p.name, iif(yes, 'has', 'had'), what, r.name,
                  iif(messages = 1, 'was', 'were')) AS line
    FROM wanted JOIN sent USING (rank, thread, source, wanted_comm) JOIN live
         JOIN mpi_rank m USING (rank)
         JOIN process r ON r.process = m.process
         JOIN mpi_rank q ON q.rank = source
         JOIN process p ON p.process = q.process
    ORDER BY m.rank
    LIMIT 3)
HAVING count(*) > 0;
