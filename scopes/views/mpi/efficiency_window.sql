-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/efficiency_window.sql - queries of the view
-- efficiency_window

-- name: efficiency_phase_reading
WITH site_name(site, name) AS MATERIALIZED (
.read site_names.sql
)
SELECT printf('In the steps of the program%s, %s, parallel efficiency is %s:'
              || ' load balance %s, serialisation %s, transfer %s.',
              ifnull((SELECT printf(' (loop %d, from %s at %s)', p.phase,
                                    p.first, s.name)
                      FROM phase p JOIN site_name s ON s.site = p.first_site
                      WHERE p.steps AND p.first_site > 0), ''),
              readable_ns(elapsed_ns), readable_share(parallel_efficiency),
              readable_share(load_balance_efficiency),
              readable_share(serialisation_efficiency),
              readable_share(transfer_efficiency))
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM efficiency_phase
WHERE phase IN (SELECT phase FROM phase WHERE steps)
  AND parallel_efficiency IS NOT NULL;

-- name: efficiency_window_finding
-- Compares each part of the run with the rest.  The run is taken as up to 50
-- groups of iterations of the loop with the steps, if there are at least 20
-- iterations; otherwise as the windows, of which each must have at least 20
-- operations.  The part is told that differs most, in multiples of what single
-- groups differ from their part: by 8 or more, where random windows reach 4.
WITH steps AS MATERIALIZED (
         SELECT ntile(50) OVER (ORDER BY iteration) AS n, i.*
         FROM efficiency_iteration i
         WHERE i.phase IN (SELECT phase FROM phase WHERE steps)),
     enough(steps) AS MATERIALIZED (SELECT total(iterations) >= 20 FROM steps),
     series AS MATERIALIZED (
         SELECT n, min(iteration) AS iteration,
                sum(iterations) AS iterations, min(start_ns) AS start_ns,
                max(stop_ns) AS stop_ns, sum(operations) AS operations,
                sum(elapsed_ns) AS elapsed, sum(useful_ns_mean) AS useful,
                sum(useful_ns_max) AS longest, sum(ideal_ns) AS ideal
         FROM steps, enough e WHERE e.steps GROUP BY n
         UNION ALL
         SELECT row_number() OVER (ORDER BY start_ns), NULL, NULL, start_ns,
                stop_ns, operations, elapsed_ns, useful_ns_mean, useful_ns_max,
                ideal_ns
         FROM efficiency_window, enough e
         WHERE NOT e.steps
           AND (SELECT min(operations) FROM efficiency_window) >= 20),
     sums AS MATERIALIZED (
         SELECT n, sum(elapsed) OVER up AS elapsed, sum(useful) OVER up AS
                useful
         FROM series WINDOW up AS (ORDER BY n)
         UNION ALL SELECT 0, 0, 0),
     whole AS MATERIALIZED (
         SELECT max(n) AS n, max(elapsed) AS elapsed, max(useful) AS useful
         FROM sums),
     parts AS (
         SELECT a.n AS first, b.n AS last, b.n - a.n AS count, w.n AS of,
                1.0 * (b.useful - a.useful) / (b.elapsed - a.elapsed) AS inside,
                1.0 * (w.useful - b.useful + a.useful)
                / (w.elapsed - b.elapsed + a.elapsed) AS outside
         FROM sums a JOIN sums b JOIN whole w
         WHERE b.n - a.n BETWEEN max(2, w.n / 10) AND w.n - max(2, w.n / 5)),
     part AS MATERIALIZED (
         SELECT *, (inside - outside) * (inside - outside)
                   * count * (of - count) / of AS far
         FROM parts ORDER BY far DESC, first LIMIT 1),
     off AS (
         SELECT 1.0 * s.useful / s.elapsed
                - iif(s.n > p.first AND s.n <= p.last, p.inside, p.outside)
                AS off
         FROM series s JOIN part p),
     noise AS (SELECT avg(off * off) AS square FROM off),
     -- Sums inside of the part (1) and outside (0).
     sides AS MATERIALIZED (
         SELECT s.n > p.first AND s.n <= p.last AS side,
                sum(useful) AS useful, sum(longest) AS longest,
                sum(ideal) AS ideal, sum(elapsed) AS elapsed,
                sum(operations) AS operations, sum(iterations) AS iterations,
                min(start_ns) AS start_ns, max(stop_ns) AS stop_ns,
                min(iteration) AS iteration, max(iteration) AS last
         FROM series s JOIN part p GROUP BY side),
     factors(name, part, rest) AS (
         SELECT 'load balance', 1.0 * i.useful / i.longest,
                1.0 * o.useful / o.longest
         FROM sides i JOIN sides o ON i.side AND NOT o.side
         UNION ALL
         SELECT 'serialisation', 1.0 * i.longest / i.ideal,
                1.0 * o.longest / o.ideal
         FROM sides i JOIN sides o ON i.side AND NOT o.side
         UNION ALL
         SELECT 'transfer', 1.0 * i.ideal / i.elapsed,
                1.0 * o.ideal / o.elapsed
         FROM sides i JOIN sides o ON i.side AND NOT o.side)
SELECT iif(i.iteration IS NULL, NULL, 'step'), i.iteration,
       printf('Parallel efficiency is %s from %s to %s, %s, and %s in the rest'
              || ' of the %s: mostly %s, %s and %s.',
              readable_share(p.inside), readable_ns(i.start_ns),
              readable_ns(i.stop_ns),
              iif(i.iterations IS NULL,
                  printf('%d of %d windows with %s operations', p.count, p.of,
                         readable_count(i.operations)),
                  printf('%s iterations from %d on',
                         readable_count(i.iterations), i.iteration)),
              readable_share(p.outside),
              iif(i.iterations IS NULL, 'measured interval',
                  readable_count(i.iterations + o.iterations) || ' iterations'),
              f.name, readable_share(f.part), readable_share(f.rest))
FROM part p JOIN noise JOIN sides i ON i.side JOIN sides o ON NOT o.side
     JOIN (SELECT name, part, rest FROM factors
           ORDER BY max(part, rest) / max(min(part, rest), 1e-9) DESC,
                    name
           LIMIT 1) f
WHERE abs(p.inside - p.outside) >= 0.1 AND p.far >= 64 * noise.square
  AND i.operations >= 20 AND o.operations >= 20
  AND NOT
.read ../run/overloaded.sql
;
