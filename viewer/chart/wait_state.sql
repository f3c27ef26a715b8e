-- SPDX-License-Identifier: MIT
-- viewer/chart/wait_state.sql - queries of the chart wait_state

-- name: state_patterns
WITH waiting AS (
.read waiting.sql
)
SELECT pattern FROM waiting GROUP BY pattern
HAVING sum(wait_ns) > 0 ORDER BY sum(wait_ns) DESC, pattern;

-- name: state_ranks
WITH waiting AS (
.read waiting.sql
)
SELECT r.rank, coalesce(p.name, 'rank ' || r.rank), w.pattern, sum(w.wait_ns)
FROM mpi_rank r
LEFT JOIN process p USING (process)
LEFT JOIN waiting w ON w.rank = r.rank
GROUP BY r.rank, w.pattern ORDER BY r.rank, w.pattern;

-- name: state_sites
WITH waiting AS (
.read waiting.sql
), site_name AS (
.read ../plot/site_name.sql
)
SELECT w.pattern || ': ' || coalesce(n.name, 'unknown'), sum(w.wait_ns), w.site
FROM waiting w LEFT JOIN site_name n ON n.site = w.site
GROUP BY w.site, w.pattern HAVING sum(w.wait_ns) > 0
ORDER BY 2 DESC, 1 LIMIT 12;

-- name: state_names
SELECT pattern, name FROM timeline_pattern;
