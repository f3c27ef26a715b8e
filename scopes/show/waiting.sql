-- SPDX-License-Identifier: MIT
-- scopes/show/waiting.sql - waiting in MPI calls, from the best source

-- Included in the queries of mpi.sql.  For the functions that it has patterns
-- of, the source is the trace when it has all calls; for the others, and without
-- such a trace, it is the profile; without a profile, the retained part of the
-- trace.  Time after the last arrival at a collective is not waiting.
SELECT rank, site, pattern, wait_ns, 1 AS reliable
FROM wait_state
WHERE (SELECT value FROM meta WHERE key = 'wait_source') <> 'profile'
  AND pattern NOT LIKE '%Completion'
UNION ALL
SELECT rank, site, pattern, wait_ns, reliable
FROM wait_estimate
WHERE used AND method = 'plain'
