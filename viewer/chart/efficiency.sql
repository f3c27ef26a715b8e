-- SPDX-License-Identifier: MIT
-- viewer/chart/efficiency.sql - queries of the chart efficiency

-- name: efficiency_run
SELECT printf('In the whole measured interval: parallel efficiency %s = load'
              || ' balance %s x serialisation %s x transfer %s.',
              readable_share(parallel_efficiency),
              readable_share(load_balance_efficiency),
              readable_share(serialisation_efficiency),
              readable_share(transfer_efficiency))
FROM efficiency WHERE parallel_efficiency IS NOT NULL;

-- name: efficiency_doubt
SELECT 'The machine was overloaded: this may say nothing about the program.'
WHERE
.read ../../scopes/views/run/overloaded.sql
;

-- Windows without computation have no efficiency.
-- name: efficiency_windows
WITH value AS (
    SELECT (start_ns + stop_ns) / 2 AS at_ns,
           CASE :factor
               WHEN 0 THEN parallel_efficiency
               WHEN 1 THEN load_balance_efficiency
               WHEN 2 THEN serialisation_efficiency
               ELSE transfer_efficiency
           END AS share
    FROM efficiency_window
    WHERE stop_ns > :from AND start_ns < :to
)
SELECT at_ns, share, share, share FROM value
WHERE share IS NOT NULL
ORDER BY at_ns;
