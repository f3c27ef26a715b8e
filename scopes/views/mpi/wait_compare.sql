-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/wait_compare.sql - queries of the view wait_compare

-- name: wait_compare_reading
SELECT 'Largest error of the estimate at call sites that wait at least 0.5 %'
       || ' of all time, in percentage points: ' || group_concat(error, ', ')
       || '.'
FROM (SELECT printf('%s %.2f', method, max(abs(difference_pp))) AS error
      FROM wait_compare
      WHERE estimate_share >= 0.005 OR truth_share >= 0.005
      GROUP BY method
      ORDER BY max(abs(difference_pp)))
HAVING count(*) > 0;
