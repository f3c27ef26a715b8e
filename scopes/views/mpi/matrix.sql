-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/matrix.sql - queries of the view matrix

-- name: comm_matrix_reading
SELECT printf('%s sends most to %s: %s in %s messages, %s of all bytes.',
              a.name, b.name, readable_bytes(sum(bytes)),
              readable_count(sum(messages)),
              readable_share(1.0 * sum(bytes)
                             / (SELECT sum(bytes) FROM comm_matrix
                                WHERE category <> 'received')))
FROM comm_matrix
JOIN process a ON a.process = source
JOIN process b ON b.process = target
WHERE category <> 'received'
GROUP BY source, target
HAVING sum(bytes) > 0
ORDER BY sum(bytes) DESC
LIMIT 1;
