-- SPDX-License-Identifier: MIT
-- viewer/chart/wait_estimate.sql - queries of the chart wait_estimate

-- name: estimate_sites
WITH site_name AS (
.read ../plot/site_name.sql
)
SELECT coalesce(n.name, 'unknown') || ', ' || c.pattern, c.truth_share,
       c.estimate_share, c.site, c.difference_pp, c.reliable
FROM wait_compare c LEFT JOIN site_name n ON n.site = c.site
WHERE c.method = :method
ORDER BY max(c.truth_share, c.estimate_share) DESC, 1;
