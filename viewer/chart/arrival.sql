-- SPDX-License-Identifier: MIT
-- viewer/chart/arrival.sql - queries of the chart arrival

-- name: arrival_sums
WITH joined AS (SELECT * FROM arrival)
.read ../plot/join_sums.sql

-- name: arrival_inputs
WITH joined AS (SELECT * FROM arrival)
.read ../plot/join_inputs.sql

-- name: arrival_pairs
SELECT before, after, operations, CAST(wait_ns_sum AS REAL) / operations
FROM arrival_pair WHERE stage = :stage AND operations > 0;
