-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/activity.sql - the names of activities, for queries
--
-- A table expression with the columns of an activity, and name: "the code that
-- runs after main@halo.c:31 and before main@halo.c:47", "MPI_Send at
-- main@halo.c:31", or of paths "the code that runs between limit and up.3" and
-- "write to up.3, at stage sum".
WITH place(site, name) AS MATERIALIZED (
.read site_names.sql
),
goal(path, name) AS MATERIALIZED (
    SELECT p.path, ifnull(e.name, 'path ' || p.path)
    FROM path p LEFT JOIN element e ON e.element = p.element
),
-- Sites at which one function is called.
called(site, function) AS MATERIALIZED (
    SELECT site, min(function)
    FROM critical_path
    WHERE site IS NOT NULL AND function IS NOT NULL
    GROUP BY site
    HAVING min(function) = max(function)
)
SELECT DISTINCT c.thread, c.from_site, c.site, c.from_path, c.path, c.stage,
       c.function,
       CASE WHEN c.stage IS NOT NULL
            THEN printf('the %s %s %s', c.function,
                        CASE c.function WHEN 'write' THEN 'to'
                             WHEN 'read' THEN 'from' ELSE 'on' END, g.name)
                 || iif(s.name = g.name, '', ', at ' || s.name)
            WHEN c.path IS NOT NULL AND c.from_path IS NULL
            THEN 'what was before the first operation, which was on ' || g.name
            WHEN c.path IS NOT NULL AND c.from_path = c.path
            THEN 'the code that runs from one operation on ' || g.name
                 || ' to the next'
            WHEN c.path IS NOT NULL
            THEN 'the code that runs after operations on ' || fg.name
                 || ' and before those on ' || g.name
            WHEN c.function IS NOT NULL
            THEN c.function || ' at ' || ifnull(t.name, 'an unknown place')
            WHEN c.from_site IS NULL
            THEN 'the code that runs before '
                 || ifnull(t.name, 'an unknown place')
            WHEN c.from_site = c.site
            THEN 'the code that runs from one call at '
                 || ifnull(t.name, 'an unknown place') || ' to the next'
            WHEN f.name = t.name AND fc.site IS NOT NULL
                 AND tc.site IS NOT NULL
            THEN printf('the code that runs after %s at %s and before %s at %s',
                        fc.function, f.name, tc.function, t.name)
            ELSE 'the code that runs after '
                 || ifnull(f.name, 'an unknown place') || ' and before '
                 || ifnull(t.name, 'an unknown place')
       END AS name,
       ifnull('rank ' || c.rank, 'thread ' || w.name) AS who
FROM critical_path c LEFT JOIN place f ON f.site = c.from_site
     LEFT JOIN place t ON t.site = c.site
     LEFT JOIN called fc ON fc.site = c.from_site
     LEFT JOIN called tc ON tc.site = c.site
     LEFT JOIN goal g ON g.path = c.path
     LEFT JOIN goal fg ON fg.path = c.from_path
     LEFT JOIN stage s ON s.stage = c.stage
     LEFT JOIN thread w ON w.thread = c.thread
