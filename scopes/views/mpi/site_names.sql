-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/site_names.sql - names of call sites

-- The function of the program, file and line; or what is known of them.
SELECT site,
       CASE WHEN file IS NOT NULL
            THEN ifnull(function || '@', '')
                 || replace(file, rtrim(file, replace(file, '/', '')), '')
                 || ifnull(':' || line, '')
            WHEN module IS NOT NULL
            THEN ifnull(function || '@', '')
                 || replace(module, rtrim(module, replace(module, '/', '')), '')
                 || printf('+0x%x', offset)
       END AS name
FROM mpi_site
