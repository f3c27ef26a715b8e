-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/wait_check.sql - queries of the view wait_check

-- name: wait_check_reading
SELECT printf('%s of the time in MPI is in calls that no analysis covers%s.',
              readable_share(1.0 * sum(uncovered_ns) / sum(time_ns)),
              ifnull((SELECT ', most of it in ' || function FROM wait_function
                      GROUP BY function HAVING sum(uncovered_ns) > 0
                      ORDER BY sum(uncovered_ns) DESC LIMIT 1), ''))
FROM wait_check
HAVING sum(time_ns) > 0;

-- name: wait_function_reading
SELECT printf('%s waits most: %s, %s of all waiting, %s.', function,
              readable_ns(sum(wait_ns)),
              readable_share(1.0 * sum(wait_ns)
                             / (SELECT sum(wait_ns) FROM wait_function)),
              iif(source = 'trace', 'measured in the trace',
                  'estimated from the profile'))
FROM wait_function
GROUP BY function
HAVING sum(wait_ns) > 0
ORDER BY sum(wait_ns) DESC
LIMIT 1;
