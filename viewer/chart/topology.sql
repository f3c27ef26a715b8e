-- SPDX-License-Identifier: MIT
-- viewer/chart/topology.sql - queries of the chart topology

-- name: topology_hosts
SELECT h.host, h.name
FROM host h
WHERE EXISTS (SELECT 1 FROM binding b WHERE b.host = h.host)
ORDER BY h.host;

-- name: topology_cores
SELECT DISTINCT host, package, core
FROM host_pu
ORDER BY host, package, core;

-- name: topology_threads
SELECT b.thread, t.name, b.host, b.state, b.package, b.core, b.pus, b.source,
       l.wait_ns, l.communication_ns, l.computation_ns
FROM binding b
JOIN thread t USING (thread)
LEFT JOIN load_balance l USING (thread)
ORDER BY b.thread;

-- name: topology_counts
.read ../../scopes/views/run/binding_counts.sql
;
