-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/rank.sql - queries of the view mpi_rank

-- name: mpi_rank_reading
SELECT printf('%s made most calls, %s of %s.', p.name, readable_count(calls),
              readable_count((SELECT sum(calls) FROM mpi_rank)))
FROM mpi_rank JOIN process p USING (process)
ORDER BY calls DESC
LIMIT 1;
