-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/activity.sql - the names of activities, for queries
--
-- A table expression with the columns from_site, site, function, and name:
-- "the code between halo.c:31 and halo.c:47", or "MPI_Send at halo.c:31".
WITH site_name(site, name) AS (
.read site_names.sql
), place(site, name) AS MATERIALIZED (
    SELECT site,
           ifnull(replace(m.file, rtrim(m.file, replace(m.file, '/', '')), '')
                  || ':' || m.line, n.name)
    FROM mpi_site m JOIN site_name n USING (site))
SELECT DISTINCT c.from_site, c.site, c.function,
       CASE WHEN c.function IS NOT NULL
            THEN c.function || ' at ' || ifnull(t.name, 'an unknown place')
            WHEN c.from_site IS NULL
            THEN 'the code before ' || ifnull(t.name, 'an unknown place')
            WHEN c.from_site = c.site
            THEN 'the code from ' || ifnull(t.name, 'an unknown place')
                 || ' to itself'
            ELSE 'the code between ' || ifnull(f.name, 'an unknown place')
                 || ' and ' || ifnull(t.name, 'an unknown place')
       END AS name
FROM critical_path c LEFT JOIN place f ON f.site = c.from_site
     LEFT JOIN place t ON t.site = c.site
