-- SPDX-License-Identifier: MIT
-- viewer/plot/join_parts.sql - inputs of a join, added up by process or host

SELECT a.part, a.name, a.first,
       max(a.inputs * a.operations - a.first - a.last, 0), a.last,
       CAST(a.wait_ns_sum AS REAL) / (a.inputs * a.operations), a.wait_ns_max
FROM joined a
WHERE a.stage = :stage AND a.operations > 0 ORDER BY a.part
