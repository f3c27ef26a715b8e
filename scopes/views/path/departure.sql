-- SPDX-License-Identifier: MIT
-- scopes/views/path/departure.sql - queries of the view departure

-- name: departure_reading
WITH ordered AS (SELECT * FROM departure), last_input AS (
.read last_input.sql
)
SELECT printf('%s leaves last in %s of %s operations of %s; each of the'
              || ' others leaves %s earlier on average.',
              who, readable_share(share), readable_count(operations), at,
              readable_ns(mean_ns)) || doubt
FROM last_input;

-- name: departure_process
CREATE VIEW departure_process AS
WITH ordered AS (SELECT * FROM departure)
SELECT stage, process,
.read input_sums.sql
GROUP BY stage, process;

-- name: departure_host
CREATE VIEW departure_host AS
WITH ordered AS (SELECT * FROM departure)
SELECT stage, host,
.read input_sums.sql
GROUP BY stage, host;
