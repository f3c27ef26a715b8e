-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/collective.sql - queries of the view mpi_collective

-- name: mpi_collective_reading
SELECT printf('%s moves most bytes, %s of %s, in %s calls.', function,
              readable_bytes(sum(bytes)),
              readable_bytes((SELECT sum(bytes) FROM mpi_collective)),
              readable_count(sum(calls)))
FROM mpi_collective
GROUP BY function
HAVING sum(bytes) > 0
ORDER BY sum(bytes) DESC
LIMIT 1;
