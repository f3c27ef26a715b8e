-- SPDX-License-Identifier: MIT
-- viewer/plot/sites.sql - names of call sites

-- name: site_of
SELECT name FROM (
.read site_name.sql
) WHERE site = :site;
