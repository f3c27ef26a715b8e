-- SPDX-License-Identifier: MIT
-- scopes/views/path/placed_inputs.sql - the process and the host of each input

-- A query includes the file after it has defined `ordered`: the rows of arrival
-- or departure.  The output of another stage enters from that stage's process.
SELECT o.*, s.process AS process, s.host AS host
FROM ordered o
JOIN join_input j ON j.stage = o.stage AND j.input = o.input
LEFT JOIN path p ON p.path = j.path
LEFT JOIN thread t ON t.thread = p.thread
LEFT JOIN stage above ON above.stage = j.above
JOIN process s ON s.process = ifnull(t.process, above.process)
