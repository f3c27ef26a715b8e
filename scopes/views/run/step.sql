-- SPDX-License-Identifier: MIT
-- scopes/views/run/step.sql - queries of the view step

-- name: step_finding
-- Finds a wave: each step runs through the threads.  Threads that exchange only
-- with their neighbours drift apart, because nothing makes them wait for the
-- others.  Then one thread is at its next step before others begin the current
-- step.
--
-- Two things are signs of a wave.  In most steps the last thread begins when
-- the first thread is already at the next step, which a barrier would prevent.
-- And threads wait for their neighbours: with T threads and random culprits, a
-- share of about 2/T of the waiting would be for neighbours, and a wave has at
-- least the middle between 2/T and 1.  The first and last tenth of the run do
-- not count.
--
-- In nine of ten steps the same thread is first and the same one last, later
-- than the clocks of their hosts can be wrong.
--
-- Among steps that take longer than the mean, the most even one is reported.
-- When starts rise evenly, neighbours are spread / (T - 1) apart, and any two
-- threads are (T + 1) / 3 times that apart, on average.
--
-- When the program does not set the step, a thread that does two operations
-- while others do one is soon many steps ahead, which is not a wave.  The steps
-- of a row with many steps are assumed to last equally long.
WITH spread AS (
         SELECT *, percent_rank() OVER w AS at,
                (lead(start_ns) OVER w - start_ns) / steps AS period_ns
         FROM step_spread
         WHERE threads > 2
           AND threads = (SELECT count(*) FROM load_balance)
         WINDOW w AS (ORDER BY step)),
     middle AS (SELECT * FROM spread WHERE at BETWEEN 0.1 AND 0.9),
     near AS (
         SELECT total(wait_ns) FILTER (WHERE abs(waiter - culprit) = 1)
                / sum(wait_ns) AS share
         FROM waits_for),
     uneven AS (
         SELECT *, abs(neighbour_ns * (threads - 1) / spread_ns - 1)
                   + abs(pair_ns * 3 * (threads - 1) / (threads + 1) / spread_ns
                         - 1) AS off
         FROM middle
         WHERE spread_ns > period_ns
           AND spread_ns >= (SELECT avg(spread_ns) FROM middle)
           AND (SELECT avg(spread_ns > period_ns) FROM middle) > 0.5),
     begun AS (
         SELECT *, lead(start_ns) OVER (PARTITION BY thread ORDER BY step)
                   AS next_ns
         FROM step),
     wave AS (
         SELECT *, start_ns + spread_ns AS there_ns
         FROM uneven
         WHERE off < 0.5
           AND EXISTS (SELECT 1 FROM meta
                       WHERE key = 'step_source' AND value = 'program')
         ORDER BY off, step
         LIMIT 1),
     doubt AS (
         SELECT CASE WHEN f.host = l.host THEN 0
                     ELSE (SELECT iif(count(*) = count(bound_ns),
                                      2 * max(bound_ns), NULL)
                           FROM clock WHERE host IN (f.host, l.host)) END AS ns
         FROM wave
         JOIN thread ft ON ft.thread = first
         JOIN process f ON f.process = ft.process
         JOIN thread lt ON lt.thread = last
         JOIN process l ON l.process = lt.process),
     alike AS (
         SELECT avg(m.first = w.first AND m.last = w.last
                    AND m.spread_ns > ns) AS part
         FROM wave w JOIN middle m JOIN doubt),
     ahead AS (
         SELECT w.*,
                (SELECT b.step + ifnull(b.steps * (there_ns - b.start_ns)
                                        / (b.next_ns - b.start_ns), 0)
                 FROM begun b
                 WHERE b.thread = w.first AND b.start_ns <= there_ns
                 ORDER BY b.step DESC
                 LIMIT 1) AS already
         FROM wave w)
SELECT 'step', step,
       printf('%s through the threads as a wave: step %d begins in'
              || ' %s and reaches %s last, %s later, when %s is already at step'
              || ' %d; %s of all waiting is for a neighbour.',
              iif(part = 1, 'Each step runs',
                  readable_share(part) || ' of the steps run'),
              step, f.name, l.name, readable_ns(spread_ns), f.name, already,
              readable_share(share))
FROM ahead JOIN near JOIN alike
JOIN thread f ON f.thread = first
JOIN thread l ON l.thread = last
WHERE already > step AND part >= 0.9 AND share >= (1 + 2.0 / threads) / 2;
