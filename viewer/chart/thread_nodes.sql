-- SPDX-License-Identifier: MIT
-- viewer/chart/thread_nodes.sql - nodes of threads in the chart path_graph

-- Their ids are below 0, unlike those of stages.
SELECT t.thread, -1 - iif(:folded, p.host, t.thread) AS node, t.name,
       h.name AS host
FROM thread t
JOIN process p USING (process)
JOIN host h USING (host)
WHERE t.thread IN (SELECT thread FROM path)
