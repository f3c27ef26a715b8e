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
       inside_lost_ns AS call_lost_ns,
       1.0 * (outside_lost_ns + inside_lost_ns) / nullif(sampled_ns, 0)
           AS lost_share
FROM (SELECT s.*, ifnull(max(0, sampled_ns - inside_ns),
                         l.computation_ns) AS computation_ns
      FROM cpu_sample s JOIN load_balance l USING (thread));

-- name: cpu_time_overload
WITH waits AS (SELECT sum(wait_ns) AS ns, sum(lost_ns) AS lost FROM wait_lost)
SELECT '', NULL,
       printf('The machine was overloaded: %s of %d %s runnable without a core'
              || ' for %s of the time',
              iif(n = threads, 'all', n), threads,
              iif(threads = 1, 'thread was', 'threads were'), share)
       || iif(lost IS NULL OR ns = 0,
              ', so waits and culprits may say nothing about the program.',
              printf('; %s of the waiting follows from that, and says nothing'
                     || ' about the program.', readable_share(1.0 * lost / ns)))
FROM waits,
     (SELECT count(*) AS threads,
             count(*) FILTER (WHERE outside_lost_ns + inside_lost_ns
                                    >= 0.05 * sampled_ns) AS n,
             readable_share(1.0 * sum(outside_lost_ns + inside_lost_ns)
                            / sum(sampled_ns)) AS share
      FROM cpu_sample)
WHERE
.read overloaded.sql
;

-- name: cpu_time_most
-- Threads that hardly compute are left out.  A tenth more than the median is
-- beyond what caches and other threads on the same cores cause.  Nothing is
-- told if even the thread that computes most was on a core for less than a
-- twentieth of the time in which it was not without one, or did fewer than ten
-- operations: that is noise.
WITH computing AS (
    SELECT thread, cpu_ns,
           row_number() OVER (ORDER BY cpu_ns, thread) AS n,
           count(*) OVER () AS threads
    FROM cpu_time
    WHERE cpu_ns >= 0.1 * (SELECT max(cpu_ns) FROM cpu_time)
), median(ns) AS (
    SELECT avg(cpu_ns) FROM computing
    WHERE n IN ((threads + 1) / 2, (threads + 2) / 2)
), most AS (SELECT thread, cpu_ns FROM computing ORDER BY n DESC LIMIT 1)
SELECT 'thread', thread,
       iif(cpu_ns >= 1.1 * ns,
           printf('By its time on a core, %s computes most: %s, %s more than'
                  || ' the median of the threads.', name, readable_ns(cpu_ns),
                  readable_share(cpu_ns / ns - 1)),
           printf('By their time on a core, the threads compute alike: none'
                  || ' more than %s above the median.',
                  readable_share(cpu_ns / ns - 1)))
FROM most JOIN median JOIN thread USING (thread)
     JOIN load_balance USING (thread)
WHERE (SELECT count(*) FROM computing) > 1 AND ns > 0
  AND cpu_ns >= 0.05 * (SELECT sampled_ns - outside_lost_ns - inside_lost_ns
                        FROM cpu_sample s WHERE s.thread = most.thread)
  AND operations >= 10 AND
.read overloaded.sql
;

-- name: cpu_time_rest
-- The thread for which others would wait most if no core had been lost.  A
-- single pause of a thread, as for a file, is no finding: the thread must also
-- compute a tenth more than the others, or the waiting must be half of all time
-- on a core.
WITH rest AS (
    SELECT culprit, sum(wait_ns - lost_ns) AS ns
    FROM wait_lost
    GROUP BY culprit
), worst AS (SELECT culprit, ns FROM rest ORDER BY ns DESC, culprit LIMIT 1),
computing(ns) AS (SELECT sum(cpu_ns) FROM cpu_time)
SELECT 'thread', culprit,
       printf('The rest of the waiting is for %s most: %s, %s of it.', name,
              readable_ns(w.ns),
              readable_share(1.0 * w.ns / (SELECT sum(ns) FROM rest)))
FROM worst w JOIN computing c JOIN thread t ON t.thread = culprit
WHERE w.ns > c.ns * iif((SELECT cpu_ns FROM cpu_time WHERE thread = culprit)
                        >= 1.1 * (SELECT avg(cpu_ns) FROM cpu_time
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
