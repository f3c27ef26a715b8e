-- SPDX-License-Identifier: MIT
-- scopes/views/path/waits_for.sql - queries of the view waits_for

-- name: waits_for_finding
SELECT 'thread', w.culprit,
       printf('%s is waited for most: %s, which is %s of all waiting.',
              ifnull(t.name, 'A thread that is not known'),
              readable_ns(sum(wait_ns)),
              readable_share(1.0 * sum(wait_ns)
                             / (SELECT sum(wait_ns) FROM waits_for)))
       || iif(sum(bound_ns) >= 0.01 * sum(wait_ns),
              printf(' By the error bound of the clocks, %s of it are not'
                     || ' certain.',
                     readable_ns(min(sum(bound_ns), sum(wait_ns)))), '')
FROM waits_for w LEFT JOIN thread t ON t.thread = w.culprit
WHERE NOT
.read ../run/overloaded.sql
GROUP BY w.culprit
-- Less waiting than a hundredth of all communication is noise.
HAVING sum(wait_ns) > 0
   AND (SELECT sum(wait_ns) FROM waits_for)
       >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)
ORDER BY sum(wait_ns) DESC, w.culprit
LIMIT 1;

-- name: waits_for_process
CREATE VIEW waits_for_process AS
SELECT w.process AS waiter, c.process AS culprit,
       sum(operations) AS operations, sum(wait_ns) AS wait_ns,
       sum(undecided) AS undecided, sum(bound_ns) AS bound_ns
FROM waits_for f
JOIN thread w ON w.thread = f.waiter
LEFT JOIN thread c ON c.thread = f.culprit
GROUP BY w.process, c.process;

-- name: waits_for_host
CREATE VIEW waits_for_host AS
SELECT w.host AS waiter, c.host AS culprit,
       sum(operations) AS operations, sum(wait_ns) AS wait_ns,
       sum(undecided) AS undecided, sum(bound_ns) AS bound_ns
FROM waits_for_process f
JOIN process w ON w.process = f.waiter
LEFT JOIN process c ON c.process = f.culprit
GROUP BY w.host, c.host;
