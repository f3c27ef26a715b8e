-- SPDX-License-Identifier: MIT
-- viewer/chart/arrival.sql - queries of the chart arrival

-- name: arrival_sums
WITH joined AS (SELECT * FROM arrival)
.read ../plot/join_sums.sql

-- name: arrival_inputs
WITH joined AS (SELECT * FROM arrival)
.read ../plot/join_inputs.sql

-- name: arrival_processes
WITH joined AS (SELECT a.*, process AS part, p.name
                FROM arrival_process a JOIN process p USING (process))
.read ../plot/join_parts.sql

-- name: arrival_hosts
WITH joined AS (SELECT a.*, host AS part, h.name
                FROM arrival_host a JOIN host h USING (host))
.read ../plot/join_parts.sql

-- name: arrival_pairs
SELECT before, after, operations, CAST(wait_ns_sum AS REAL) / operations
FROM arrival_pair WHERE stage = :stage AND operations > 0;
