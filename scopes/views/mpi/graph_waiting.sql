-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/graph_waiting.sql - how much of the waiting the activity
-- graph has

-- An expression: a share of the waiting of wait states; 1 for a run of paths.
min(1.0, ifnull((SELECT total(direct_ns + indirect_ns) FROM wait_chain)
                / nullif((SELECT total(wait_ns) FROM wait_state
                          WHERE pattern NOT LIKE '%Completion'), 0), 1.0))
