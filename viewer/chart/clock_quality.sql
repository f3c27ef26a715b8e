-- SPDX-License-Identifier: MIT
-- viewer/chart/clock_quality.sql - queries of the chart clock_quality

-- name: clock_offsets
-- SQLite takes offset_ns from the row with the largest bound.
SELECT h.name, c.offset_ns, max(c.bound_ns),
       c.host = c.reference, c.host
FROM clock c JOIN host h USING (host)
GROUP BY c.host
ORDER BY c.host;

-- name: clock_checks
SELECT k.method, f.name, t.name, k.operations,
       CAST(k.correct AS REAL) / k.operations, k.miss_mean_ns,
       k.miss_median_ns, k.miss_stdev_ns
FROM clock_check k
JOIN host f ON f.host = k.pair_from
JOIN host t ON t.host = k.pair_to
WHERE k.operations > 0
ORDER BY k.rowid;
