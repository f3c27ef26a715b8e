-- SPDX-License-Identifier: MIT
-- scopes/views/run/overloaded.sql - threads had no core for much of the time

-- An expression: whether the threads of the run were runnable without a core
-- for at least a twentieth of their time.  What rests on waits and on times
-- between operations then says little about the program.
(SELECT ifnull(max(CAST(value AS INTEGER)), 0) >= 50000
 FROM meta WHERE key = 'lost_ppm')
