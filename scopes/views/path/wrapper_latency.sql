-- SPDX-License-Identifier: MIT
-- scopes/views/path/wrapper_latency.sql - queries of the view wrapper_latency

-- name: wrapper_latency_reading
SELECT printf('%s costs most: %s per operation on average, median %s, 95th'
              || ' percentile %s.',
              s.name, readable_ns(latency_ns_mean),
              readable_ns(latency_ns_median), readable_ns(latency_ns_p95))
FROM wrapper_latency w JOIN stage s ON s.stage = w.stage
ORDER BY latency_ns_mean * operations DESC
LIMIT 1;
