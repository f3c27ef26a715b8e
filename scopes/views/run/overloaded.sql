-- SPDX-License-Identifier: MIT
-- scopes/views/run/overloaded.sql - threads had no core for much of the time

-- An expression: whether the threads of the run were runnable without a core
-- for at least a twentieth of their time, in samples of at least a hundredth of
-- the run.  What rests on waits and on times between operations then says little
-- about the program.  That holds also if they lost cores in operations only,
-- unless it is known that less than a twentieth of the waiting follows from
-- that: they may spin there, while another one sleeps.
((SELECT ifnull(max(CAST(value AS INTEGER)), 0) >= 50000
  FROM meta WHERE key = 'lost_ppm')
 AND (SELECT total(sampled_ns) FROM cpu_sample)
     >= 0.01 * (SELECT total(communication_ns + computation_ns)
                FROM load_balance)
 AND ((SELECT total(outside_lost_ns) >= 0.05 * total(outside_ns)
       FROM cpu_sample)
      OR (SELECT total(lost_ns) >= 0.05 * total(wait_ns) FROM wait_lost)))
