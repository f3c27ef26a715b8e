-- SPDX-License-Identifier: MIT
-- viewer/chart/mpi_profile.sql - queries of the chart mpi_profile

-- name: profile_functions
SELECT function, 0, time_ns, coalesce(wait_estimated_ns, 0), calls
FROM mpi_function ORDER BY time_ns DESC, function;

-- name: profile_sites
WITH site_name AS (
.read site_name.sql
)
SELECT p.function || ' in ' || coalesce(n.name, 'an unknown place'), p.site,
       sum(p.time_ns), sum(coalesce(p.wait_estimated_ns, 0)), sum(p.calls)
FROM mpi_profile p LEFT JOIN site_name n ON n.site = p.site
GROUP BY p.function, p.site ORDER BY 3 DESC, 1;
