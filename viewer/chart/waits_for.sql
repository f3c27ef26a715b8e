-- SPDX-License-Identifier: MIT
-- viewer/chart/waits_for.sql - queries of the chart waits_for

-- name: waits_longest
SELECT w.name, c.name, f.wait_ns,
       (SELECT sum(wait_ns) FROM waits_for WHERE culprit IS NULL)
FROM waits_for f
JOIN thread w ON w.thread = f.waiter
JOIN thread c ON c.thread = f.culprit
ORDER BY f.wait_ns DESC LIMIT 1;

-- name: waits_pairs
SELECT waiter, culprit, wait_ns, operations FROM waits_for
WHERE culprit IS NOT NULL AND operations > 0;

-- name: waits_pairs_process
SELECT waiter, culprit, wait_ns, operations FROM waits_for_process
WHERE culprit IS NOT NULL AND operations > 0;

-- name: waits_pairs_host
SELECT waiter, culprit, wait_ns, operations FROM waits_for_host
WHERE culprit IS NOT NULL AND operations > 0;
