-- SPDX-License-Identifier: MIT
-- viewer/chart/path_graph.sql - queries of the chart path_graph

-- name: graph_threads
WITH t AS (
.read thread_nodes.sql
)
SELECT node, min(name), host, count(*), min(thread)
FROM t GROUP BY node ORDER BY node;

-- name: graph_stages
WITH n AS (
.read stage_nodes.sql
), v AS (
    SELECT stage, sum(wait_ns) AS value FROM breakdown
    WHERE :measure = 'wait' GROUP BY stage
    UNION ALL
    SELECT stage, CASE :measure
                  WHEN 'operations' THEN sum(operations)
                  WHEN 'total' THEN sum(latency_ns_mean * operations)
                  ELSE sum(latency_ns_mean * operations) / sum(operations) END
    FROM wrapper_latency WHERE :measure <> 'wait' GROUP BY stage
)
SELECT node, min(name), host, count(*), kind,
       iif(:measure = 'latency', avg(value), sum(value))
FROM n LEFT JOIN v USING (stage) GROUP BY node ORDER BY node;

-- name: graph_edges
WITH n AS (
.read stage_nodes.sql
), t AS (
.read thread_nodes.sql
), way AS (
    SELECT path, -1 AS position, node FROM path JOIN t USING (thread)
    UNION ALL
    SELECT path, position, node FROM path_stage JOIN n USING (stage)
), leg AS (
    SELECT lag(node) OVER (PARTITION BY path ORDER BY position) AS above, node
    FROM way
)
SELECT DISTINCT above, node FROM leg
WHERE above IS NOT NULL AND above <> node ORDER BY 1, 2;
