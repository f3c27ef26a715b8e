-- SPDX-License-Identifier: MIT
-- scopes/views/path/waits_for.sql - queries of the view waits_for

-- name: waits_for_finding
SELECT 'thread', w.culprit,
       printf('%s is waited for most: %s, which is %s of all waiting.',
              ifnull(t.name, 'A thread that is not known'),
              readable_ns(sum(wait_ns)),
              readable_share(1.0 * sum(wait_ns)
                             / (SELECT sum(wait_ns) FROM waits_for)))
FROM waits_for w LEFT JOIN thread t ON t.thread = w.culprit
GROUP BY w.culprit
-- Less waiting than a hundredth of all communication is noise.
HAVING sum(wait_ns) > 0
   AND (SELECT sum(wait_ns) FROM waits_for)
       >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)
ORDER BY sum(wait_ns) DESC, w.culprit
LIMIT 1;
