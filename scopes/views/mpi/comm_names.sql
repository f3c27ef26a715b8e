-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/comm_names.sql - names of communicators

-- The name that the program set, with the number if another communicator has the
-- name, too; else the number and the parent.
SELECT c.comm,
       CASE WHEN c.name = ''
            THEN printf('comm %d', c.comm)
                 || ifnull((SELECT printf(' (of %s)',
                                          iif(p.name = '',
                                              printf('comm %d', p.comm), p.name))
                            FROM mpi_comm p WHERE p.comm = c.parent), '')
            WHEN c.comm > 2
                 AND EXISTS (SELECT * FROM mpi_comm o
                             WHERE o.name = c.name AND o.comm <> c.comm)
            THEN printf('%s (comm %d)', c.name, c.comm)
            ELSE c.name END AS name
FROM mpi_comm c
