-- SPDX-License-Identifier: MIT
-- scopes/views/path/arrival.sql - queries of the view arrival

-- name: arrival_reading
WITH ordered AS (SELECT * FROM arrival), last_input AS (
.read last_input.sql
)
SELECT printf('%s arrives last in %s of %s operations of %s; each of the'
              || ' others waits %s on average.',
              who, readable_share(share), readable_count(operations), at,
              readable_ns(mean_ns)) || doubt
FROM last_input
WHERE NOT
.read ../run/overloaded.sql
;

-- name: arrival_process
CREATE VIEW arrival_process AS
WITH ordered AS (SELECT * FROM arrival)
SELECT stage, process,
.read input_sums.sql
GROUP BY stage, process;

-- name: arrival_host
CREATE VIEW arrival_host AS
WITH ordered AS (SELECT * FROM arrival)
SELECT stage, host,
.read input_sums.sql
GROUP BY stage, host;
