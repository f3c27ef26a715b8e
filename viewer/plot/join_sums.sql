-- SPDX-License-Identifier: MIT
-- viewer/plot/join_sums.sql - join with the largest waits, or :stage

SELECT a.stage, s.name, s.kind, sum(a.wait_ns_sum), max(a.operations),
       (SELECT count(DISTINCT stage) FROM joined)
FROM joined a JOIN stage s USING (stage)
WHERE :stage IS NULL OR a.stage = :stage
GROUP BY a.stage ORDER BY sum(a.wait_ns_sum) DESC, a.stage LIMIT 1
