-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/efficiency.sql - queries of the view efficiency

-- name: efficiency_reading
SELECT printf('Parallel efficiency is %s: load balance %s, serialisation %s,'
              || ' transfer %s.',
              readable_share(parallel_efficiency),
              readable_share(load_balance_efficiency),
              readable_share(serialisation_efficiency),
              readable_share(transfer_efficiency))
       ||
.read ../run/graph_coverage.sql
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM efficiency
WHERE parallel_efficiency IS NOT NULL;
