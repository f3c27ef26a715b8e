-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/site_names.sql - names of call sites

-- The function of the program, file and line; or what is known of them.  A call
-- path has the names of up to three callers, too.
SELECT site,
       CASE WHEN function IS NOT NULL AND file IS NOT NULL AND line IS NULL
            THEN function
            WHEN file IS NOT NULL
            THEN ifnull(function || '@', '')
                 || replace(file, rtrim(file, replace(file, '/', '')), '')
                 || ifnull(':' || line, '')
            WHEN module IS NOT NULL
            THEN ifnull(function || '@', '')
                 || replace(module, rtrim(module, replace(module, '/', '')), '')
                 || printf('+0x%x', offset)
       END
       || iif(depth > 1, ifnull((
              SELECT group_concat(' < ' || CASE WHEN file IS NOT NULL
                         THEN ifnull(function || '@', '')
                              || replace(file, rtrim(file,
                                         replace(file, '/', '')), '')
                              || ifnull(':' || line, '')
                         ELSE function END, '')
              FROM mpi_frame f
              WHERE f.site = s.site AND f.depth BETWEEN 1 AND 3), ''), '')
           AS name
FROM mpi_site s
