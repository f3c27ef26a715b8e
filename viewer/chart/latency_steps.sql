-- SPDX-License-Identifier: MIT
-- viewer/chart/latency_steps.sql - queries of the chart latency_steps

-- The stage with the largest total latency.
-- name: latency_stage
SELECT stage FROM wrapper_latency GROUP BY stage
ORDER BY sum(latency_ns_mean * operations) DESC, stage LIMIT 1;

-- name: latency_paths
SELECT l.path, coalesce(t.name || ' to ' || e.name, 'all paths')
FROM wrapper_latency l
LEFT JOIN path p ON p.path = l.path
LEFT JOIN thread t ON t.thread = p.thread
LEFT JOIN element e ON e.element = p.element
WHERE l.stage = :stage
ORDER BY l.latency_ns_mean * l.operations DESC, l.path LIMIT :most;

-- name: latency_steps
SELECT step + (steps - 1) / 2.0, latency_ns_min, latency_ns_mean,
       latency_ns_max
FROM wrapper_latency_step
WHERE stage = :stage AND path IS :path
  AND step <= :last AND step + steps > :first
ORDER BY step;
