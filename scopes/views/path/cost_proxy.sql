-- SPDX-License-Identifier: MIT
-- scopes/views/path/cost_proxy.sql - queries of the view cost_proxy

-- name: cost_proxy_reading
SELECT printf('%d operations through %d prox%s are compared with the model.',
              sum(operations), count(*), iif(count(*) = 1, 'y', 'ies'))
       || iif(sum(operations) > sum(placed * operations),
              printf(' The model has no locality for %d of the operations,'
                     || ' which cost as those of its last one.',
                     sum(operations) - sum(placed * operations)), '')
FROM cost_proxy
HAVING count(*) > 0;

-- name: cost_proxy_finding
SELECT 'stage', stage,
       printf('The proxy %s from %s to %s deviates most from the model: its %d'
              || ' operations take %s, and %s are predicted, most of it %s.',
              s.name, f.name, t.name, c.operations,
              readable_ns(c.measured_ns),
              readable_ns(c.measured_ns - c.unexplained_ns), c.dominant)
FROM cost_proxy c JOIN stage s USING (stage) JOIN process f USING (process)
     JOIN process t ON t.process = c.target
ORDER BY abs(c.unexplained_ns) DESC, c.rowid
LIMIT 1;
