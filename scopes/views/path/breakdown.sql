-- SPDX-License-Identifier: MIT
-- scopes/views/path/breakdown.sql - queries of the view breakdown

-- name: breakdown_reading
SELECT printf('%s takes %s of the time of all operations; %s of that is waiting'
              || ' for other threads.',
              s.name,
              readable_share(1.0 * sum(own_ns + wait_ns)
                             / (SELECT sum(own_ns + wait_ns) FROM breakdown)),
              readable_share(1.0 * sum(wait_ns) / sum(own_ns + wait_ns)))
FROM breakdown b JOIN stage s ON s.stage = b.stage
GROUP BY b.stage
ORDER BY sum(own_ns + wait_ns) DESC
LIMIT 1;

-- name: breakdown_finding
-- Compares the thread that others wait for most with the others: a stage in
-- which it spends more time, or the time that it computes.  The difference
-- must explain at least a tenth of the waiting.  Threads that compute little,
-- as the master of a farm does, are not compared with.  Readers that share the
-- tuples of an element, and are busy, are left to the view service: which of
-- them ends a wait is chance.
WITH pool AS (SELECT thread FROM service
              WHERE element IN (SELECT element FROM service
                                GROUP BY element
                                HAVING count(*) >= 2 AND min(served) >= 10
                                   AND sum(service_ns)
                                       >= 0.9 * sum(service_ns + idle_ns))),
     late AS MATERIALIZED (SELECT thread, wait_ns AS kept_ns FROM (
.read culprit.sql
)),
     like_late AS (
SELECT avg(computation_ns) AS computation_ns
FROM load_balance
WHERE thread NOT IN (SELECT thread FROM late)
  AND computation_ns >= 0.1 * (SELECT computation_ns
                               FROM load_balance JOIN late USING (thread))),
     reason AS (
SELECT 'stage' AS kind, stage AS id, 'breakdown' AS reported_in,
       own_ns - ifnull((SELECT avg(own_ns) FROM breakdown o
                        WHERE o.stage = b.stage AND o.thread <> b.thread), 0)
       AS more_ns,
       kept_ns,
       printf('%s spends %s, %s an operation, in stage %s.', t.name,
              readable_ns(own_ns), readable_ns(1.0 * own_ns / operations),
              s.name) AS text
FROM breakdown b
JOIN late USING (thread) JOIN stage s USING (stage) JOIN thread t USING (thread)
WHERE operations > 0
UNION ALL
SELECT 'thread', thread, 'load_balance',
       l.computation_ns - ifnull(o.computation_ns, 0),
       kept_ns,
       CASE WHEN o.computation_ns IS NULL
            THEN printf('%s computes %s, the others almost nothing.', t.name,
                        readable_ns(l.computation_ns))
            ELSE printf('%s computes %s, the others %s on average.', t.name,
                        readable_ns(l.computation_ns),
                        readable_ns(o.computation_ns)) END
FROM load_balance l JOIN late USING (thread) JOIN thread t USING (thread)
     JOIN like_late o)
SELECT kind, id, text, reported_in
FROM reason
WHERE more_ns > 0 AND more_ns >= 0.1 * kept_ns
  AND NOT (kind = 'thread' AND id IN (SELECT thread FROM pool))
ORDER BY more_ns DESC
LIMIT 1;
