-- SPDX-License-Identifier: MIT
-- viewer/chart/element_time.sql - queries of the chart element_time

-- The thread that waits longest.
-- name: element_thread
SELECT thread FROM load_balance
WHERE thread IN (SELECT thread FROM path
                 JOIN wrapper_latency_step USING (path))
ORDER BY coalesce(wait_ns, 0) DESC, communication_ns DESC, thread
LIMIT 1;

-- name: element_paths
SELECT p.path, e.name, sum(l.time_ns_mean * l.operations)
FROM path p
JOIN element e USING (element)
JOIN wrapper_latency_step l USING (path)
WHERE p.thread = :thread
GROUP BY p.path ORDER BY 3 DESC, p.path LIMIT :most;

-- The steps of the first stage after the first collector of a path.
-- name: element_steps
SELECT step + (steps - 1) / 2.0, time_ns_min, time_ns_mean, time_ns_max
FROM wrapper_latency_step
WHERE path = :path
  AND stage = (SELECT l.stage FROM path_stage s JOIN wrapper_latency l
               ON l.stage = s.stage AND l.path = s.path
               WHERE s.path = :path ORDER BY s.position LIMIT 1)
  AND step <= :last AND step + steps > :first
ORDER BY step;
