-- SPDX-License-Identifier: MIT
-- scopes/views/run/clock.sql - queries of the view clock

-- name: clock_reading
SELECT printf('The clock of %s differs most from that of %s: by %s, %s.',
              h.name, r.name, readable_ns(abs(offset_ns)),
              ifnull('with an error of at most ' || readable_ns(most_ns),
                     'with an unknown error'))
FROM (SELECT host, offset_ns, reference, max(bound_ns) AS most_ns
      FROM clock
      GROUP BY host, reference) c
JOIN host h ON h.host = c.host
JOIN host r ON r.host = c.reference
WHERE c.host <> c.reference
ORDER BY abs(offset_ns) DESC
LIMIT 1;

-- name: clock_check_reading
SELECT 'Operations that do not contradict the clocks: '
       || group_concat(share, ', ') || '.'
FROM (SELECT method || ' '
             || readable_share(1.0 * sum(correct) / sum(operations)) AS share
      FROM clock_check
      GROUP BY method);
