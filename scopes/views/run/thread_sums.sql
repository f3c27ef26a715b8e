-- SPDX-License-Identifier: MIT
-- scopes/views/run/thread_sums.sql - columns that add up threads

-- A query of load_balance includes the file in its list of columns.
       count(*) AS threads, sum(operations) AS operations,
       sum(communication_ns) AS communication_ns,
       sum(computation_ns) AS computation_ns, sum(wait_ns) AS wait_ns,
       1.0 * sum(communication_ns)
           / nullif(sum(communication_ns + computation_ns), 0)
           AS communication_share,
       avg(computation_ns) / nullif(max(computation_ns), 0) AS balance_share
