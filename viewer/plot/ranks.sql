-- SPDX-License-Identifier: MIT
-- viewer/plot/ranks.sql - queries of the names of ranks

-- name: rank_name
SELECT coalesce((SELECT p.name FROM mpi_rank r JOIN process p USING (process)
                 WHERE r.rank = :rank), 'rank ' || :rank);
