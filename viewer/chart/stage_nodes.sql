-- SPDX-License-Identifier: MIT
-- viewer/chart/stage_nodes.sql - nodes of stages in the chart path_graph

SELECT s.stage,
       iif(:folded, min(s.stage) OVER (PARTITION BY p.host, s.kind), s.stage)
       AS node, s.name, s.kind, h.name AS host
FROM stage s
JOIN process p USING (process)
JOIN host h USING (host)
WHERE s.kind <> 'collector' AND s.stage IN (SELECT stage FROM path_stage)
