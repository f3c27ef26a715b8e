-- SPDX-License-Identifier: MIT
-- scopes/views/run/binding.sql - queries of the view binding

-- name: binding_reading
.read binding_counts.sql
;

-- name: host_pu_reading
SELECT printf('%s, %s and %s, %s.',
              printf('%d %s', hosts, iif(hosts = 1, 'host', 'hosts')),
              printf('%d %s', packages,
                     iif(packages = 1, 'package', 'packages')),
              printf('%d %s', cores, iif(cores = 1, 'core', 'cores')),
              printf('%d %s', pus, iif(pus = 1, 'PU', 'PUs')))
FROM (SELECT count(DISTINCT host) AS hosts,
             count(DISTINCT printf('%d.%d', host, package)) AS packages,
             count(DISTINCT printf('%d.%d', host, core)) AS cores,
             count(*) AS pus
      FROM host_pu)
WHERE pus > 0;
