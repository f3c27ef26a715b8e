-- SPDX-License-Identifier: MIT
-- viewer/chart/mpi_collective.sql - queries of the chart mpi_collective

-- name: collective_sums
SELECT c.function || ' on '
       || coalesce(nullif(m.name, ''), 'communicator ' || c.comm),
       sum(iif(:bytes, c.bytes, c.calls)), sum(c.calls), sum(c.bytes),
       max(m.size)
FROM mpi_collective c LEFT JOIN mpi_comm m USING (comm)
GROUP BY c.function, c.comm ORDER BY 2 DESC, 1;
