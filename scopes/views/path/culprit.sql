-- SPDX-License-Identifier: MIT
-- scopes/views/path/culprit.sql - the thread that the others wait for most

-- A query of one row, or of none if nobody is to be named.  The thread has the
-- lead of lead.sql; in a run of MPI, its process has it.
WITH
.read lead.sql
SELECT culprit AS thread, sum(wait_ns) AS wait_ns, sum(bound_ns) AS bound_ns
FROM waits_for
WHERE NOT
.read ../run/overloaded.sql
  AND EXISTS (SELECT * FROM worst
              WHERE ahead AND certain
                AND id IS (SELECT p.id FROM part p
                           WHERE p.thread = waits_for.culprit))
GROUP BY culprit
-- Less waiting than a hundredth of all communication is noise.
HAVING sum(wait_ns) > 0
   AND (SELECT sum(wait_ns) FROM waits_for)
       >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)
ORDER BY sum(wait_ns) DESC, culprit
LIMIT 1
