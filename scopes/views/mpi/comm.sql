-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/comm.sql - queries of the view mpi_comm

-- name: mpi_comm_names
.read comm_names.sql
