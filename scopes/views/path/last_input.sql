-- SPDX-License-Identifier: MIT
-- scopes/views/path/last_input.sql - finds the input that comes last most often

-- A query includes the file after it has defined `ordered`: the rows of arrival
-- or departure.  The join is the one with the longest waits; one with fewer than
-- ten operations would show chance.
SELECT who, 1.0 * last / operations AS share, operations, at,
       1.0 * all_ns / operations / (inputs - 1) AS mean_ns,
       iif(undecided > 0,
           printf(' In %s of them, the error bound of the clocks leaves open if'
                  || ' it is the last.', readable_count(undecided)), '')
         AS doubt
FROM (SELECT o.*, ifnull(t.name, above.name) AS who, s.name AS at,
             sum(o.wait_ns_sum) OVER w AS all_ns, count(*) OVER w AS inputs
      FROM ordered o
      JOIN stage s ON s.stage = o.stage
      JOIN join_input j ON j.stage = o.stage AND j.input = o.input
      LEFT JOIN path p ON p.path = j.path
      LEFT JOIN thread t ON t.thread = p.thread
      LEFT JOIN stage above ON above.stage = j.above
      WINDOW w AS (PARTITION BY o.stage))
WHERE operations >= 10 AND inputs > 1
ORDER BY all_ns DESC, last DESC
LIMIT 1
