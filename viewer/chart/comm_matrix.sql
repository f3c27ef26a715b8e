-- SPDX-License-Identifier: MIT
-- viewer/chart/comm_matrix.sql - queries of the chart comm_matrix

-- The category with most messages or bytes; 'received' if there is no other.
-- name: comm_category
SELECT category FROM comm_matrix GROUP BY category
ORDER BY category = 'received',
         iif(:messages, sum(messages), sum(bytes)) DESC, category
LIMIT 1;

-- name: comm_sums
SELECT sum(messages), sum(bytes), count(*),
       (SELECT group_concat(category, ', ')
        FROM (SELECT DISTINCT category FROM comm_matrix ORDER BY 1))
FROM comm_matrix WHERE category = :category;

-- name: comm_pairs
SELECT source, target, messages, bytes
FROM comm_matrix WHERE category = :category AND messages > 0;
