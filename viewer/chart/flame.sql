-- SPDX-License-Identifier: MIT
-- viewer/chart/flame.sql - queries of the chart flame

-- Number of nodes, and levels of the tree.
-- name: flame_size
SELECT count(*), ifnull(max(depth), 0) + 1 FROM call_tree;
-- name: flame_size_callers
SELECT count(*), ifnull(max(depth), 0) + 1 FROM caller_tree;

-- Nodes behind their parents; the place of the call without its folder.
-- name: flame_nodes
SELECT node, parent, depth, time_ns, wait_ns, mpi, function,
       replace(file, rtrim(file, replace(file, '/', '')), '')
       || ifnull(':' || line, '') AS place,
       time_share, calls, ranks, p.name, most_ns
FROM call_tree LEFT JOIN process p ON p.process = most_rank
ORDER BY node;
-- name: flame_nodes_callers
SELECT node, parent, depth, time_ns, wait_ns, mpi, function,
       replace(file, rtrim(file, replace(file, '/', '')), '')
       || ifnull(':' || line, '') AS place,
       time_share, calls, ranks, p.name, most_ns
FROM caller_tree LEFT JOIN process p ON p.process = most_rank
ORDER BY node;
