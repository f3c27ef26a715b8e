-- SPDX-License-Identifier: MIT
-- scopes/views/run/phase_steps.sql - the loop whose iterations are the steps

-- Tables of a WITH: the loop, the time of an iteration in each row of its
-- table, call sites, and a sentence about the loop.
steps AS (
    SELECT *, threads = (SELECT count(*) FROM thread) AS whole
    FROM phase WHERE steps),
each AS (
    SELECT 1.0 * (i.stop_ns - i.start_ns) / i.iterations AS ns
    FROM iteration i JOIN steps USING (phase)),
per AS (
    SELECT 1.0 * sum(i.operations) / sum(i.iterations) AS operations
    FROM iteration i JOIN steps USING (phase) GROUP BY thread),
calls AS (
    SELECT iif(max(operations) - min(operations) < 0.5,
               printf('%.0f operation%s', avg(operations),
                      iif(avg(operations) < 1.5, '', 's')),
               printf('%.0f to %.0f operations', min(operations),
                      max(operations))) AS text
    FROM per),
sites AS (
.read ../mpi/site_names.sql
),
steps_text AS (
    SELECT printf('%s%s %s %s iterations of %s, %s%s%s%s%s, %s each in the'
                  || ' median', iif(whole, 'Each', threads),
                  iif(first_site IS NULL, ' thread', ' rank')
                  || iif(whole OR threads = 1, '', 's'),
                  iif(whole OR threads = 1, 'repeats', 'repeat'),
                  iif(iterations_least < iterations,
                      printf('%d to %d', iterations_least, iterations),
                      iterations),
                  (SELECT text FROM calls),
                  iif(first = last AND first_site IS last_site, '', 'from '),
                  first, ifnull(' (' || f.name || ')', ''),
                  iif(first = last AND first_site IS last_site, '',
                      ' to ' || last),
                  iif(first = last AND first_site IS last_site, '',
                      ifnull(' (' || l.name || ')', '')),
                  readable_ns((SELECT median(ns) FROM each))) AS text
    FROM steps
    LEFT JOIN sites f ON f.site = first_site
    LEFT JOIN sites l ON l.site = last_site)
