-- SPDX-License-Identifier: MIT
-- viewer/plot/join_inputs.sql - inputs of a join

-- An input has the name of the thread or of the stage that enters it.
SELECT a.input,
       coalesce((SELECT t.name FROM path p JOIN thread t USING (thread)
                 WHERE p.path = j.path),
                (SELECT name FROM stage s WHERE s.stage = j.above),
                'input ' || a.input),
       a.first, max(a.operations - a.first - a.last, 0), a.last,
       CAST(a.wait_ns_sum AS REAL) / a.operations, a.wait_ns_max
FROM joined a LEFT JOIN join_input j USING (stage, input)
WHERE a.stage = :stage ORDER BY a.input
