-- SPDX-License-Identifier: MIT
-- scopes/views/run/overloaded.sql - threads had no core for much of the time

-- An expression: whether the threads of the run were runnable without a core
-- for at least a twentieth of their time between operations, in samples of at
-- least a hundredth of the run.  What rests on waits and on times between
-- operations then says little about the program.  Time lost in operations does
-- not count: threads that spin there lose cores that nobody needs.
((SELECT ifnull(max(CAST(value AS INTEGER)), 0) >= 50000
  FROM meta WHERE key = 'lost_ppm')
 AND (SELECT total(sampled_ns) FROM cpu_sample)
     >= 0.01 * (SELECT total(communication_ns + computation_ns)
                FROM load_balance))
