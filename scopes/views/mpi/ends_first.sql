-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/ends_first.sql - the rank of `gone` that ended first, with the
-- time until the next one ended; no row if that is not known, if it is less than
-- 1 ms, because watchers may see such ends in another order, if a rank called
-- MPI_Abort, which precedes all ends, or if the launcher ended it because another
-- rank failed
SELECT name, gap_ns
FROM (SELECT name, timed, sent, all_killed,
             row_number() OVER (ORDER BY ended_ns, rank) AS n,
             lead(ended_ns) OVER (ORDER BY ended_ns, rank) - ended_ns AS gap_ns
      FROM gone)
WHERE timed AND n = 1 AND gap_ns >= 1000000 AND (all_killed OR NOT sent)
  AND NOT EXISTS (SELECT * FROM gone WHERE class = 1)
