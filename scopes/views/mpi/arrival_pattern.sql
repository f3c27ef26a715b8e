-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/arrival_pattern.sql - queries of the view arrival_pattern

-- name: arrival_pattern_reading
-- Tells who comes last, and whether that is a habit, only with 20 calls in which
-- it is certain.
WITH place(site, name) AS MATERIALIZED (
.read site_names.sql
)
SELECT printf('The ranks arrive at %s%s %s apart, in the median of %s call%s%s',
              a.function, ifnull(' at ' || p.name, ''),
              readable_ns(spread_ns_p50), readable_count(calls),
              iif(calls = 1, '', 's'),
              iif(imbalance_p50 IS NULL, '',
                  printf(', %s times as long as a message of that size takes',
                         iif(imbalance_p50 < 100,
                             printf('%.3g', imbalance_p50),
                             readable_count(CAST(imbalance_p50 AS INTEGER))))))
       || CASE WHEN calls - undecided < 20 OR last_share IS NULL THEN '.'
               ELSE printf('; rank %d comes last in %s of %s%s.', last,
                           readable_share(last_share),
                           iif(undecided = 0, 'them',
                               printf('the %s in which the clocks tell',
                                      readable_count(calls - undecided))),
                           CASE WHEN ranks = 2 OR order_correlation IS NULL
                                THEN ''
                                WHEN order_correlation >= 0.5
                                THEN ', and the order of all is alike from'
                                     || ' call to call'
                                WHEN order_correlation < 0.1
                                THEN ', and the order of all says nothing about'
                                     || ' that of the next call'
                                ELSE '' END)
          END
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM arrival_pattern a LEFT JOIN place p ON p.site = a.site
WHERE spread_ns_p50 > 0
ORDER BY calls * spread_ns_p50 DESC, a.site, comm, function
LIMIT 1;
