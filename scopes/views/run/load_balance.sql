-- SPDX-License-Identifier: MIT
-- scopes/views/run/load_balance.sql - queries of the view load_balance

-- name: load_balance_finding
SELECT 'thread',
       (SELECT thread FROM load_balance
        ORDER BY communication_share DESC LIMIT 1),
       iif(max(communication_share) - min(communication_share) < 0.01,
           printf('All threads communicate %s of their time',
                  readable_share(avg(communication_share))),
           printf('%s communicates most, %s of its time, %s least, %s',
                  (SELECT t.name FROM load_balance l
                   JOIN thread t USING (thread)
                   ORDER BY l.communication_share DESC LIMIT 1),
                  readable_share(max(communication_share)),
                  (SELECT t.name FROM load_balance l
                   JOIN thread t USING (thread)
                   ORDER BY l.communication_share LIMIT 1),
                  readable_share(min(communication_share))))
       || iif(sum(wait_ns) > 0,
              printf('; %s of all communication is waiting for other threads.',
                     readable_share(1.0 * sum(wait_ns)
                                    / sum(communication_ns))),
              '.')
FROM load_balance
HAVING count(*) > 1;

-- name: load_balance_process
CREATE VIEW load_balance_process AS
SELECT process,
.read thread_sums.sql
FROM load_balance JOIN thread USING (thread)
GROUP BY process;

-- name: load_balance_host
CREATE VIEW load_balance_host AS
SELECT host,
.read thread_sums.sql
FROM load_balance JOIN thread USING (thread) JOIN process USING (process)
GROUP BY host;

-- name: load_balance_run
CREATE VIEW load_balance_run AS
SELECT
.read thread_sums.sql
FROM load_balance
HAVING count(*) > 0;
