-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/site.sql - queries of the view mpi_site

-- name: mpi_site_reading
SELECT printf('MPI is called from %d call sites; file and line of %d are'
              || ' known.', count(*), count(line))
FROM mpi_site
WHERE site > 0
HAVING count(*) > 0;

-- name: mpi_site_names
.read site_names.sql
