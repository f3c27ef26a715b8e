-- SPDX-License-Identifier: MIT
-- viewer/chart/load_balance.sql - queries of the chart load_balance

-- The thread that the others wait most for, as in the finding of waits_for.
-- name: balance_culprit
SELECT t.name, c.wait_ns, (SELECT sum(wait_ns) FROM waits_for),
       b.communication_share
FROM (
.read ../../scopes/views/path/culprit.sql
) c
JOIN thread t USING (thread)
JOIN load_balance b USING (thread);

-- name: balance_threads
SELECT b.thread, t.name, b.communication_ns, b.computation_ns,
       coalesce(b.wait_ns, 0), b.communication_share
FROM load_balance b JOIN thread t USING (thread)
ORDER BY b.thread;

-- name: balance_processes
SELECT b.process, p.name, b.communication_ns, b.computation_ns,
       coalesce(b.wait_ns, 0), b.communication_share
FROM load_balance_process b JOIN process p USING (process)
ORDER BY b.process;

-- name: balance_hosts
SELECT b.host, h.name, b.communication_ns, b.computation_ns,
       coalesce(b.wait_ns, 0), b.communication_share
FROM load_balance_host b JOIN host h USING (host)
ORDER BY b.host;

-- name: balance_run
SELECT 0, 'run', communication_ns, computation_ns, coalesce(wait_ns, 0),
       communication_share
FROM load_balance_run;
