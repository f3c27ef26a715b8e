-- SPDX-License-Identifier: MIT
-- scopes/views/path/lead.sql - the process or thread that others wait for most

-- Common table expressions; the last one, worst, has the process of a run of
-- MPI, and the thread of a run of paths; its id is NULL if the one that is
-- waited for is not known.  It is named only with a clear lead over the next
-- one: 1.25 times its time and, in a run of MPI, two standard deviations, if
-- waits are random as exponential ones are.  So a few waits name nobody.  The
-- events of a culprit are counted by the one that waited for it most often,
-- because many may wait for the same event.  The lead must be there, too,
-- without waiting that follows from lost cores, and that must be less than half
-- of the waiting.
     mpi(is_mpi) AS (
         SELECT EXISTS (SELECT * FROM meta WHERE key = 'ranks')),
     part AS (
         SELECT t.thread, iif(is_mpi, p.process, t.thread) AS id,
                iif(is_mpi, p.name, t.name) AS name
         FROM mpi JOIN thread t JOIN process p USING (process)),
     blame AS (
         SELECT c.id, c.name AS culprit, w.name AS waiter,
                sum(wait_ns) AS wait_ns, sum(operations) AS operations
         FROM mpi JOIN waits_for f
         LEFT JOIN part c ON c.thread = f.culprit
         JOIN part w ON w.thread = f.waiter
         WHERE c.id IS NOT NULL OR NOT is_mpi
         GROUP BY c.id, w.id),
     lost AS (
         SELECT p.id, total(lost_ns) AS ns
         FROM wait_lost l JOIN part p ON p.thread = l.culprit
         GROUP BY p.id),
     blamed AS (
         SELECT id, culprit, 1.0 * sum(wait_ns) AS ns,
                max(0, sum(wait_ns)
                       - ifnull((SELECT l.ns FROM lost l
                                 WHERE l.id = blame.id), 0)) AS kept,
                1.0 * max(operations) AS events,
                row_number() OVER (ORDER BY sum(wait_ns) DESC) AS place
         FROM blame
         GROUP BY id
         HAVING sum(wait_ns) > 0),
     -- Each of them beside the next one.
     led AS (
         SELECT a.*, ifnull(b.ns, 0) AS next_ns,
                (a.ns - ifnull(b.ns, 0)) * (a.ns - ifnull(b.ns, 0))
                > 8 * (a.ns * a.ns / a.events
                       + ifnull(b.ns * b.ns / b.events, 0)) AS certain
         FROM blamed a LEFT JOIN blamed b ON b.place = a.place + 1),
     worst AS (
         SELECT id, culprit, ns, events, NOT is_mpi OR certain AS certain,
                ns >= 1.25 * next_ns AS leads,
                ns >= 1.25 * next_ns AND kept >= 0.5 * ns
                AND kept >= 1.25 * (SELECT ifnull(max(c.kept), 0)
                                    FROM blamed c WHERE c.place > 1)
                AS ahead
         FROM mpi JOIN led
         WHERE place = 1)
