-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/profile.sql - queries of the view mpi_profile

-- name: mpi_function
CREATE VIEW mpi_function AS
SELECT function, count(DISTINCT rank) AS ranks, sum(calls) AS calls,
       sum(bytes) AS bytes, sum(time_ns) AS time_ns, min(min_ns) AS min_ns,
       max(max_ns) AS max_ns, sum(wait_estimated_ns) AS wait_estimated_ns,
       sum(measured_ns) AS measured_ns
FROM mpi_profile
GROUP BY function;

-- name: mpi_profile_reading
SELECT printf('%s in %s takes most: %s, %s of all time in MPI.', function,
              p.name, readable_ns(sum(measured_ns)),
              readable_share(1.0 * sum(measured_ns)
                             / (SELECT sum(measured_ns) FROM mpi_profile)))
FROM mpi_profile m JOIN process p ON p.process = m.rank
GROUP BY rank, function
HAVING sum(measured_ns) > 0
ORDER BY sum(measured_ns) DESC
LIMIT 1;

-- name: mpi_function_reading
SELECT printf('%s takes most: %s, %s of all time in MPI.', function,
              readable_ns(measured_ns),
              readable_share(1.0 * measured_ns
                             / (SELECT sum(measured_ns) FROM mpi_function)))
FROM mpi_function
WHERE measured_ns > 0
ORDER BY measured_ns DESC
LIMIT 1;
