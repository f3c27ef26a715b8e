-- SPDX-License-Identifier: MIT
-- viewer/chart/mpi_profile.sql - queries of the chart mpi_profile

-- name: profile_functions
SELECT function, 0, sum(time_ns), sum(wait_ns), sum(calls)
FROM wait_function GROUP BY function HAVING sum(time_ns) > 0
ORDER BY 3 DESC, function;

-- The functions whose waiting is estimated; NULL: none.
-- name: profile_estimated
SELECT group_concat(function, ', ')
FROM (SELECT DISTINCT function FROM wait_function
      WHERE source = 'profile' AND wait_ns > 0 ORDER BY function);

-- Wait states of the trace have no function: they go to the function of the
-- site that has most time among those that are not estimated.
-- name: profile_sites
WITH site_name AS (
.read ../plot/site_name.sql
), estimated AS (
    SELECT site, function, sum(wait_ns) AS ns
    FROM wait_estimate WHERE used AND method = 'plain'
    GROUP BY site, function
), measured AS (
    SELECT site, sum(wait_ns) AS ns FROM wait_state
    WHERE (SELECT value FROM meta WHERE key = 'wait_source') IS NOT 'profile'
      AND pattern NOT LIKE '%Completion'
    GROUP BY site
), profiled AS (
    SELECT function, site, sum(measured_ns) AS ns, sum(calls) AS calls
    FROM mpi_profile GROUP BY function, site HAVING sum(measured_ns) > 0
), placed AS (
    SELECT p.*, e.ns AS estimated_ns,
           row_number() OVER (PARTITION BY p.site
                              ORDER BY e.ns IS NOT NULL, p.ns DESC) AS place
    FROM profiled p LEFT JOIN estimated e
    ON e.site IS p.site AND e.function = p.function
)
SELECT p.function || ' in ' || coalesce(n.name, 'an unknown place'), p.site,
       p.ns, coalesce(p.estimated_ns, iif(p.place = 1, m.ns, 0), 0), p.calls
FROM placed p LEFT JOIN site_name n ON n.site = p.site
LEFT JOIN measured m ON m.site IS p.site
ORDER BY 3 DESC, 1;
