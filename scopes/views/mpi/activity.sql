-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/activity.sql - the names of activities, for queries
--
-- A table expression with the columns from_site, site, function, and name: "the
-- code that runs after main@halo.c:31 and before main@halo.c:47", or "MPI_Send
-- at main@halo.c:31".
WITH place(site, name) AS MATERIALIZED (
.read site_names.sql
)
SELECT DISTINCT c.from_site, c.site, c.function,
       CASE WHEN c.function IS NOT NULL
            THEN c.function || ' at ' || ifnull(t.name, 'an unknown place')
            WHEN c.from_site IS NULL
            THEN 'the code that runs before '
                 || ifnull(t.name, 'an unknown place')
            WHEN c.from_site = c.site
            THEN 'the code that runs from one call at '
                 || ifnull(t.name, 'an unknown place') || ' to the next'
            ELSE 'the code that runs after '
                 || ifnull(f.name, 'an unknown place') || ' and before '
                 || ifnull(t.name, 'an unknown place')
       END AS name
FROM critical_path c LEFT JOIN place f ON f.site = c.from_site
     LEFT JOIN place t ON t.site = c.site
