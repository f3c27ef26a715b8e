-- SPDX-License-Identifier: MIT
-- scopes/views/path/culprit.sql - the thread that the others wait for most

-- A query of one row, or of none if nobody is to be named.  In a run of MPI,
-- the process of the thread has the lead that the first page asks for.
WITH
.read lead.sql
SELECT culprit AS thread, sum(wait_ns) AS wait_ns, sum(bound_ns) AS bound_ns
FROM waits_for
WHERE NOT
.read ../run/overloaded.sql
  AND (NOT EXISTS (SELECT * FROM meta WHERE key = 'ranks')
       OR culprit IN (SELECT t.thread FROM thread t JOIN worst USING (process)
                      WHERE ahead AND certain))
GROUP BY culprit
-- Less waiting than a hundredth of all communication is noise.
HAVING sum(wait_ns) > 0
   AND (SELECT sum(wait_ns) FROM waits_for)
       >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)
ORDER BY sum(wait_ns) DESC, culprit
LIMIT 1
