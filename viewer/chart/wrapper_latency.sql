-- SPDX-License-Identifier: MIT
-- viewer/chart/wrapper_latency.sql - queries of the chart wrapper_latency: the
-- latency of stages

-- The name of a stage that only one path has, as t0/total.1:delay, includes the
-- thread.  ELSE is the measure total.
-- name: latency_stages
SELECT l.stage,
       s.name || CASE WHEN t.name IS NULL OR instr(s.name, '/') THEN ''
                 ELSE ' (' || t.name || ')' END,
       l.latency_ns_mean, l.latency_ns_median, l.latency_ns_p95,
       l.latency_ns_min, l.operations, l.latency_ns_max
FROM wrapper_latency l
JOIN stage s USING (stage)
LEFT JOIN path p ON p.path = l.path
LEFT JOIN thread t ON t.thread = p.thread
ORDER BY CASE :measure
         WHEN 'mean' THEN l.latency_ns_mean
         WHEN 'p95' THEN l.latency_ns_p95
         WHEN 'max' THEN l.latency_ns_max
         ELSE l.latency_ns_mean * l.operations END DESC,
         l.stage, l.path;
