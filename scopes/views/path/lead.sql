-- SPDX-License-Identifier: MIT
-- scopes/views/path/lead.sql - the process that the others wait for most

-- Common table expressions; the last one, worst, has the process.  It is named
-- only with a clear lead over the next one: 1.25 times its time, and two
-- standard deviations, if waits are random as exponential ones are.  So a few
-- waits name nobody.  The events of a culprit are counted by the rank that
-- waited for it most often, because many may wait for the same event.  The lead
-- must be there, too, without waiting that follows from lost cores, and that
-- must be less than half of the waiting.
     blame AS (
         SELECT p.process, p.name AS culprit, q.name AS waiter,
                sum(wait_ns) AS wait_ns, sum(operations) AS operations
         FROM waits_for
         JOIN thread t ON t.thread = culprit
         JOIN process p ON p.process = t.process
         JOIN thread u ON u.thread = waiter
         JOIN process q ON q.process = u.process
         GROUP BY p.process, q.process),
     lost AS (
         SELECT p.name AS culprit, total(lost_ns) AS ns
         FROM wait_lost
         JOIN thread t ON t.thread = culprit
         JOIN process p ON p.process = t.process
         GROUP BY p.process),
     blamed AS (
         SELECT process, culprit, 1.0 * sum(wait_ns) AS ns,
                max(0, sum(wait_ns)
                       - ifnull((SELECT l.ns FROM lost l
                                 WHERE l.culprit = blame.culprit), 0)) AS kept,
                1.0 * max(operations) AS events,
                row_number() OVER (ORDER BY sum(wait_ns) DESC) AS place
         FROM blame
         GROUP BY culprit
         HAVING sum(wait_ns) > 0),
     worst AS (
         SELECT a.process, a.culprit, a.ns,
                (a.ns - ifnull(b.ns, 0)) * (a.ns - ifnull(b.ns, 0))
                > 8 * (a.ns * a.ns / a.events
                       + ifnull(b.ns * b.ns / b.events, 0))
                AS certain,
                a.ns >= 1.25 * ifnull(b.ns, 0) AND a.kept >= 0.5 * a.ns
                AND a.kept >= 1.25 * (SELECT ifnull(max(c.kept), 0)
                                      FROM blamed c WHERE c.place > 1)
                AS ahead
         FROM blamed a LEFT JOIN blamed b ON b.place = 2
         WHERE a.place = 1)
