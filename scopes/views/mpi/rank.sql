-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/rank.sql - queries of the view mpi_rank

-- name: mpi_rank_reading
SELECT printf('%s made most calls, %s of %s.', p.name, readable_count(calls),
              readable_count((SELECT sum(calls) FROM mpi_rank)))
FROM mpi_rank JOIN process p USING (process)
ORDER BY calls DESC
LIMIT 1;

-- name: mpi_interval_reading
SELECT printf('Times are counted from %s to %s.',
              iif(max(start_source) = 'recording', 'the start of recording',
                  'the last exit of MPI_Init'),
              CASE WHEN max(stop_source) = 'recording'
                   THEN 'the last known time of each rank, as not all ranks'
                        || ' called MPI_Finalize'
                   WHEN max(stop_source) = 'estimate'
                   THEN 'the last entry of MPI_Finalize, as the profile'
                        || ' estimates it'
                   ELSE 'the last entry of MPI_Finalize' END)
FROM mpi_interval
HAVING count(*) > 0;
