-- SPDX-License-Identifier: MIT
-- scopes/views/path/input_sums.sql - columns that add up inputs of joins, by the
-- process or the host that they come from

-- A query includes the file after it has defined `ordered`: the rows of arrival
-- or departure.  The output of another stage enters from that stage's process.
       count(*) AS inputs, max(operations) AS operations,
       sum(first) AS first, sum(last) AS last,
       sum(wait_ns_sum) AS wait_ns_sum, max(wait_ns_max) AS wait_ns_max,
       sum(undecided) AS undecided,
       iif(count(*) = count(bound_ns), sum(bound_ns), NULL) AS bound_ns
FROM (SELECT o.*, s.process AS process, s.host AS host
      FROM ordered o
      JOIN join_input j ON j.stage = o.stage AND j.input = o.input
      LEFT JOIN path p ON p.path = j.path
      LEFT JOIN thread t ON t.thread = p.thread
      LEFT JOIN stage above ON above.stage = j.above
      JOIN process s ON s.process = ifnull(t.process, above.process))
