-- SPDX-License-Identifier: MIT
-- scopes/views/run/phase.sql - queries of the view phase

-- name: phase_names
SELECT phase, printf('loop %d', phase) FROM phase;

-- name: phase_reading
WITH
.read phase_steps.sql
SELECT CASE
       WHEN NOT EXISTS (SELECT 1 FROM phase)
       THEN 'No repeating structure was found in the operations of any thread.'
       WHEN NOT EXISTS (SELECT 1 FROM steps)
       THEN 'No loop was found whose iterations are the steps of the program.'
       ELSE (SELECT text || '.' FROM steps_text)
       END;

-- name: iteration_reading
SELECT printf('The longest iteration is %d of %s: %s.', i.iteration, t.name,
              readable_ns(i.longest_ns))
FROM iteration i JOIN phase p USING (phase) JOIN thread t USING (thread)
WHERE p.steps
ORDER BY i.longest_ns DESC, i.iteration, i.thread
LIMIT 1;

-- name: phase_finding
-- Describes the steps of a program with at least 20, and adds an iteration that
-- stands out: it is longer than the median by more than 3 times the median
-- absolute deviation, by more than half, and by more than a hundredth of the
-- loop.  Of an iteration counts the thread that it took longest in.  Each must
-- have a row of its own, and threads must have had cores.  The first one is left
-- out: it has what the start of the program costs.
WITH
.read phase_steps.sql
,
     longest AS (
         SELECT i.iteration, max(i.stop_ns - i.start_ns) AS ns, i.thread
         FROM iteration i JOIN steps USING (phase)
         GROUP BY i.iteration
         -- Another max() would make the choice of the thread arbitrary.
         HAVING total(i.iterations <> 1) = 0),
     middle AS (SELECT median(ns) AS ns FROM longest),
     off AS (SELECT median(abs(l.ns - m.ns)) AS ns FROM longest l, middle m),
     outlier AS (
         SELECT l.iteration, l.thread, l.ns / m.ns AS times
         FROM longest l, middle m, off o, steps s
         WHERE l.iteration > 0 AND l.ns > m.ns + 3 * o.ns
           AND l.ns > 1.5 * m.ns
           AND l.ns - m.ns > 0.01 * (s.stop_ns - s.start_ns)
           AND NOT
.read overloaded.sql
         ORDER BY l.ns DESC LIMIT 1)
SELECT 'step', ifnull(o.iteration, 0),
       text || iif(o.iteration IS NULL, '.',
                   printf('; iteration %d takes %.1f times as long in %s.',
                          o.iteration, times, t.name))
FROM steps_text JOIN steps
LEFT JOIN outlier o
LEFT JOIN thread t ON t.thread = o.thread
WHERE iterations_least >= 20;
