-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/comm_names.sql - names of communicators

-- The name that the program set, with the number if another communicator has the
-- name, too; else the number and the parent.
SELECT c.comm,
       CASE WHEN c.name = '' THEN printf('comm %d', c.comm)
            WHEN count(*) OVER (PARTITION BY c.name) > 1
            THEN printf('%s (comm %d)', c.name, c.comm)
            ELSE c.name END
       || iif(c.name = '' AND p.comm IS NOT NULL,
              printf(' (of %s)', iif(p.name = '', printf('comm %d', p.comm),
                                     p.name)), '') AS name
FROM mpi_comm c LEFT JOIN mpi_comm p ON p.comm = c.parent
