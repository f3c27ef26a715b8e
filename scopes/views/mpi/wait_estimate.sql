-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/wait_estimate.sql - queries of the view wait_estimate

-- name: wait_estimate_reading
SELECT printf('The plain method estimates %s of waiting in all, most of it'
              || ' %s%s.',
              readable_ns(total(wait_ns)),
              (SELECT pattern FROM wait_estimate WHERE method = 'plain'
               GROUP BY pattern ORDER BY sum(wait_ns) DESC LIMIT 1),
              iif(min(reliable) = 0,
                  printf('; %s of the estimate is poor',
                         readable_share(total(wait_ns)
                                            FILTER (WHERE NOT reliable)
                                        / total(wait_ns))),
                  ''))
FROM wait_estimate
WHERE method = 'plain'
HAVING total(wait_ns) > 0;
