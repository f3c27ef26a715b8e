-- SPDX-License-Identifier: MIT
-- viewer/chart/departure.sql - queries of the chart departure

-- name: departure_sums
WITH joined AS (SELECT * FROM departure)
.read ../plot/join_sums.sql

-- name: departure_inputs
WITH joined AS (SELECT * FROM departure)
.read ../plot/join_inputs.sql

-- name: departure_processes
WITH joined AS (SELECT a.*, process AS part, p.name
                FROM departure_process a JOIN process p USING (process))
.read ../plot/join_parts.sql

-- name: departure_hosts
WITH joined AS (SELECT a.*, host AS part, h.name
                FROM departure_host a JOIN host h USING (host))
.read ../plot/join_parts.sql

-- name: departure_pairs
SELECT before, after, operations, CAST(wait_ns_sum AS REAL) / operations
FROM departure_pair WHERE stage = :stage AND operations > 0;
