-- SPDX-License-Identifier: MIT
-- scopes/views/path/service.sql - queries of the view service

-- name: service_reading
SELECT printf('The %d readers of %s work %s of their time.', count(*), e.name,
              readable_share(1.0 * sum(service_ns)
                             / sum(service_ns + idle_ns)))
FROM service s JOIN element e USING (element)
GROUP BY s.element
HAVING sum(service_ns + idle_ns) > 0
ORDER BY s.element;

-- name: service_slow
WITH pace AS (
         SELECT element, thread, served, service_ns,
                sum(service_ns) OVER w - service_ns AS others_ns,
                sum(served) OVER w - served AS others_served,
                count(*) OVER w AS readers
         FROM service
         WHERE served >= 10
         WINDOW w AS (PARTITION BY element)),
     wait AS (
         SELECT s.element, sum(w.wait_ns) AS wait_ns
         FROM waits_for w JOIN service s ON s.thread = w.culprit
         WHERE w.waiter NOT IN (SELECT thread FROM service
                                WHERE element = s.element)
         GROUP BY s.element)
SELECT 'thread', thread,
       printf('%s takes %s for a tuple of %s, %.1f times as long as the other '
              || 'readers; others wait %s for these readers.',
              t.name, readable_ns(1.0 * service_ns / served), e.name,
              1.0 * service_ns * others_served / served / others_ns,
              readable_ns(wait_ns))
FROM pace JOIN wait USING (element)
     JOIN thread t USING (thread) JOIN element e USING (element)
WHERE others_served > 0
  AND 1.0 * service_ns / served >= 1.5 * others_ns / others_served
  -- Less waiting than a hundredth of all communication is noise.
  AND wait_ns >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)
  AND NOT
.read ../run/overloaded.sql
ORDER BY wait_ns DESC, 1.0 * service_ns / served DESC
LIMIT 1;

-- name: service_busy
WITH pool AS (
         SELECT element, count(*) AS readers,
                1.0 * sum(service_ns) / sum(service_ns + idle_ns) AS busy
         FROM service
         GROUP BY element
         HAVING min(served) >= 10 AND sum(service_ns + idle_ns) > 0),
     wait AS (
         SELECT s.element, sum(w.wait_ns) AS wait_ns
         FROM waits_for w JOIN service s ON s.thread = w.culprit
         WHERE w.waiter NOT IN (SELECT thread FROM service
                                WHERE element = s.element)
         GROUP BY s.element)
SELECT 'element', element,
       printf('The %d readers of %s work %s of their time, and others wait %s '
              || 'for them.',
              readers, e.name, readable_share(busy), readable_ns(wait_ns))
FROM pool JOIN wait USING (element) JOIN element e USING (element)
WHERE busy >= 0.9
  AND wait_ns >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)
  AND NOT
.read ../run/overloaded.sql
ORDER BY wait_ns DESC
LIMIT 1;
