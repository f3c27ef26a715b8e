-- SPDX-License-Identifier: MIT
-- scopes/views/run/cpu_time.sql - queries of the view cpu_time

-- name: cpu_time
CREATE VIEW cpu_time AS
SELECT thread, computation_ns,
       min(cpu_ns, max(0, computation_ns - outside_lost_ns - outside_idle_ns))
           AS cpu_ns,
       min(computation_ns, outside_lost_ns) AS lost_ns,
       max(0, min(outside_idle_ns, computation_ns - outside_lost_ns))
           AS idle_ns,
       min(longest_ns, cpu_ns) AS longest_ns,
       inside_lost_ns AS call_lost_ns,
       1.0 * (outside_lost_ns + inside_lost_ns) / nullif(sampled_ns, 0)
           AS lost_share
FROM (SELECT s.*, ifnull(max(0, sampled_ns - inside_ns),
                         l.computation_ns) AS computation_ns
      FROM cpu_sample s JOIN load_balance l USING (thread));

-- name: cpu_time_overload
-- Tells the share of the threads that lost at least a twentieth of their time
-- between operations, or of all their time if only that shows the load.
WITH waits AS (
    SELECT total(wait_ns) AS ns, total(lost_ns) AS lost FROM wait_lost
), load(outside) AS (
    SELECT total(outside_lost_ns) >= 0.05 * total(outside_ns) FROM cpu_sample
), losing AS (
    SELECT outside,
           outside_lost_ns + iif(outside, 0, inside_lost_ns) AS lost_ns,
           iif(outside, outside_ns, sampled_ns) AS ns
    FROM cpu_sample JOIN load
), losers AS (
    SELECT count(*) AS n, (SELECT count(*) FROM losing) AS threads, outside,
           readable_share(1.0 * sum(lost_ns) / sum(ns)) AS share
    FROM losing
    WHERE lost_ns >= 0.05 * ns AND ns > 0
)
SELECT '', NULL,
       printf('The machine was overloaded: %s %s runnable without a core for'
              || ' %s of %s time%s%s',
              CASE WHEN threads = 1 THEN 'the thread'
                   WHEN n = 2 AND threads = 2 THEN 'both threads'
                   WHEN n = threads THEN printf('all %d threads', n)
                   ELSE printf('%d of %d threads', n, threads) END,
              iif(n = 1, 'was', 'were'), share, iif(n = 1, 'its', 'their'),
              iif(outside, ' between operations', ''),
              iif(n = 1, '', ', on average'))
       || iif(ns = 0,
              ', so waits and culprits may say nothing about the program.',
              printf('; %s of the waiting follows from that, ',
                     readable_share(lost / ns))
              || iif(
.read overloaded_waits.sql
                     , 'and says nothing about the program.',
                     'so what is said of waits is about the program.'))
FROM waits JOIN losers
WHERE n > 0 AND
.read overloaded.sql
;

-- name: cpu_time_most
-- 15 % is beyond what caches, other threads on the same cores, and samples that
-- come a millisecond late cause.
-- The kernel counts the time in which a host runs another virtual machine as
-- time on a core: a pause of some milliseconds in one sample.  So the lead must
-- also be there without the longest sample of each thread, up to 50 ms of it.
-- Time on a core between operations is an upper bound, because threads may spin
-- in operations before a sample.  It is close if threads hardly sleep between
-- operations, however much they are without a core there.  Threads that compute
-- less than a tenth of the largest time need no closer bound.  Nothing is told
-- if even the thread that computes most was on a core for less than a twentieth
-- of the time in which it was not without one, or did fewer than ten
-- operations: that is noise.
WITH spent AS (
    SELECT thread, name, cpu_ns,
           cpu_ns - min(ifnull(longest_ns, 0), 50000000) AS steady_ns
    FROM cpu_time JOIN thread USING (thread)
), most AS (
    SELECT * FROM spent ORDER BY cpu_ns DESC, thread LIMIT 1
), least AS (
    SELECT * FROM spent ORDER BY cpu_ns, thread DESC LIMIT 1
), others AS (
    SELECT cpu_ns, steady_ns, row_number() OVER (ORDER BY cpu_ns) AS n,
           row_number() OVER (ORDER BY steady_ns) AS steady_n,
           count(*) OVER () AS threads
    FROM spent WHERE thread <> (SELECT thread FROM most)
), median AS (
    SELECT (SELECT avg(cpu_ns) FROM others
            WHERE n IN ((threads + 1) / 2, (threads + 2) / 2)) AS ns,
           (SELECT avg(steady_ns) FROM others
            WHERE steady_n IN ((threads + 1) / 2, (threads + 2) / 2))
               AS steady_ns
), form AS (
    SELECT CASE
           WHEN l.cpu_ns > 0.85 * m.cpu_ns THEN 'alike'
           WHEN m.steady_ns > 0 AND l.steady_ns > 0.85 * m.steady_ns
           THEN 'alike but for one'
           WHEN m.cpu_ns >= 1.15 * d.ns AND m.steady_ns >= 1.15 * d.steady_ns
           THEN 'most'
           WHEN m.cpu_ns < 1.15 * d.ns THEN 'least' END AS form
    FROM most m JOIN least l JOIN median d
)
SELECT 'thread', iif(form = 'least', l.thread, m.thread),
       CASE form
       WHEN 'alike'
       THEN printf('By their time on a core, the threads compute alike:'
                   || ' they differ by %s at most.',
                   readable_share(max(0.001, 1 - 1.0 * l.cpu_ns / m.cpu_ns)))
       WHEN 'alike but for one'
       THEN printf('By their time on a core, the threads compute alike: they'
                   || ' differ by %s, and without the longest sample of each'
                   || ' by %s.',
                   readable_share(1 - 1.0 * l.cpu_ns / m.cpu_ns),
                   readable_share(max(0.001,
                       1 - 1.0 * l.steady_ns / m.steady_ns)))
       WHEN 'least'
       THEN printf('By its time on a core, %s computes least: %s; %s computes'
                   || ' most, %s.', l.name, readable_ns(l.cpu_ns), m.name,
                   readable_ns(m.cpu_ns))
       ELSE printf('By its time on a core, %s computes most: %s', m.name,
                   readable_ns(m.cpu_ns))
            || CASE
               WHEN (SELECT count(*) FROM others) > 1
               THEN printf('%s; %s computes least, %s.',
                           CASE WHEN d.ns = 0 THEN ''
                                WHEN m.cpu_ns > 10 * d.ns
                                THEN ', the median of the other threads '
                                     || readable_ns(d.ns)
                                ELSE printf(', %s more than the median of the'
                                            || ' other threads',
                                            readable_share(m.cpu_ns / d.ns - 1))
                                END,
                           l.name, readable_ns(l.cpu_ns))
               WHEN l.cpu_ns = 0 THEN printf(', %s hardly at all.', l.name)
               WHEN m.cpu_ns > 10 * d.ns
               THEN printf('; %s computes %s.', l.name, readable_ns(l.cpu_ns))
               ELSE printf(', %s more than %s.',
                           readable_share(m.cpu_ns / d.ns - 1), l.name) END
       END
FROM form JOIN most m JOIN least l JOIN median d
    JOIN load_balance b ON b.thread = m.thread
WHERE m.cpu_ns > 0 AND d.ns IS NOT NULL AND form IS NOT NULL
  AND m.cpu_ns >= 0.05 * (SELECT sampled_ns - outside_lost_ns - inside_lost_ns
                          FROM cpu_sample s WHERE s.thread = m.thread)
  AND operations >= 10
  AND NOT EXISTS (SELECT * FROM cpu_time c
                  WHERE c.cpu_ns >= 0.1 * m.cpu_ns
                    AND c.cpu_ns < 0.5 * (c.computation_ns - c.lost_ns))
  AND
.read overloaded.sql
;

-- name: cpu_time_rest
-- The thread for which others would wait most if no core had been lost.  Its
-- lead over the next one is that of the first page of other runs
-- (scopes/views/path/lead.sql): 1.25
-- times the waiting, and two standard deviations, so a few waits name nobody.  A
-- single pause of a thread, as for a file, is no finding: the thread must also
-- compute 15 % more than the others, or the waiting must be half of all time on
-- a core.
WITH events AS (
    SELECT culprit, max(n) AS n
    FROM (SELECT culprit, sum(operations) AS n FROM waits_for
          GROUP BY culprit, waiter)
    GROUP BY culprit
), rest AS (
    SELECT culprit, 1.0 * sum(wait_ns - lost_ns) AS ns,
           1.0 * ifnull((SELECT e.n FROM events e
                         WHERE e.culprit IS l.culprit), 1) AS n,
           row_number() OVER (ORDER BY sum(wait_ns - lost_ns) DESC) AS place
    FROM wait_lost l
    GROUP BY culprit
), worst AS (
    SELECT a.culprit, a.ns
    FROM rest a LEFT JOIN rest b ON b.place = 2
    WHERE a.place = 1 AND a.ns >= 1.25 * ifnull(b.ns, 0)
      AND (a.ns - ifnull(b.ns, 0)) * (a.ns - ifnull(b.ns, 0))
          > 8 * (a.ns * a.ns / a.n + ifnull(b.ns * b.ns / b.n, 0))
),
computing(ns) AS (SELECT sum(cpu_ns) FROM cpu_time)
SELECT 'thread', culprit,
       printf('The rest of the waiting is for %s most: %s, %s of it.', name,
              readable_ns(w.ns),
              readable_share(1.0 * w.ns / (SELECT sum(ns) FROM rest)))
FROM worst w JOIN computing c JOIN thread t ON t.thread = culprit
WHERE w.ns > c.ns * iif((SELECT cpu_ns FROM cpu_time WHERE thread = culprit)
                        >= 1.15 * (SELECT avg(cpu_ns) FROM cpu_time
                                  WHERE thread <> culprit), 0.05, 0.5)
  AND
.read overloaded.sql
;

-- name: cpu_time_reading
SELECT printf('Of the time between operations, %s was on a core, and in %s'
              || ' threads were runnable without one.',
              readable_share(1.0 * sum(cpu_ns) / sum(computation_ns)),
              readable_share(1.0 * sum(lost_ns) / sum(computation_ns)))
FROM cpu_time
HAVING sum(computation_ns) > 0;
