-- SPDX-License-Identifier: MIT
-- viewer/plot/site_name.sql - names of call sites in charts

SELECT site,
       coalesce(function, 'offset ' || offset)
       || coalesce(', '
                   || replace(file, rtrim(file, replace(file, '/', '')), '')
                   || ':' || line, '') AS name
FROM mpi_site WHERE site > 0
