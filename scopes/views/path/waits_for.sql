-- SPDX-License-Identifier: MIT
-- scopes/views/path/waits_for.sql - queries of the view waits_for

-- name: waits_for_finding
SELECT 'thread', c.thread,
       printf('%s is waited for most: %s, which is %s of all waiting.',
              ifnull(t.name, 'A thread that is not known'),
              readable_ns(c.wait_ns),
              readable_share(1.0 * c.wait_ns
                             / (SELECT sum(wait_ns) FROM waits_for)))
       || iif(c.bound_ns >= 0.01 * c.wait_ns,
              printf(' By the error bound of the clocks, %s of it are not'
                     || ' certain.',
                     readable_ns(min(c.bound_ns, c.wait_ns))), '')
FROM (
.read culprit.sql
) c LEFT JOIN thread t ON t.thread = c.thread;

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
