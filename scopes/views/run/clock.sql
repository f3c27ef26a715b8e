-- SPDX-License-Identifier: MIT
-- scopes/views/run/clock.sql - queries of the view clock

-- name: clock_reading
-- At times without a bound, nothing is known of the error.  The method that has
-- numbers of moved operations is that of the run.
SELECT printf('The clock of %s differs most from that of %s: by %s, %s.%s',
              h.name, r.name, readable_ns(apart_ns),
              ifnull('with an error of at most ' || readable_ns(most_ns)
                     || iif(unknown > 0, ' where messages bound it', ''),
                     'with an unknown error'),
              ifnull((SELECT printf(' The clocks are wrong: %d of %d operations'
                                    || ' between hosts contradict them.',
                                    sum(operations) - sum(correct_moved),
                                    sum(operations))
                      FROM clock_check
                      WHERE moved IS NOT NULL
                      HAVING sum(operations) > sum(correct_moved)), ''))
FROM (SELECT host, max(abs(offset_ns)) AS apart_ns, reference,
             max(bound_ns) AS most_ns, sum(bound_ns IS NULL) AS unknown
      FROM clock
      GROUP BY host, reference) c
JOIN host h ON h.host = c.host
JOIN host r ON r.host = c.reference
WHERE c.host <> c.reference
ORDER BY apart_ns DESC
LIMIT 1;

-- name: clock_check_reading
SELECT 'Operations that do not contradict the clocks: '
       || group_concat(share, ', ') || '.'
FROM (SELECT method || ' '
             || readable_share(1.0 * sum(correct) / sum(operations)) AS share
      FROM clock_check
      GROUP BY method);
