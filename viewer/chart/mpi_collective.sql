-- SPDX-License-Identifier: MIT
-- viewer/chart/mpi_collective.sql - queries of the chart mpi_collective

-- name: collective_sums
WITH named AS MATERIALIZED (
.read ../../scopes/views/mpi/comm_names.sql
)
SELECT c.function || ' on ' || ifnull(m.name, 'comm ' || c.comm),
       sum(iif(:bytes, c.bytes, c.calls)), sum(c.calls), sum(c.bytes),
       (SELECT size FROM mpi_comm s WHERE s.comm = c.comm)
FROM mpi_collective c LEFT JOIN named m USING (comm)
GROUP BY c.function, c.comm ORDER BY 2 DESC, 1;
