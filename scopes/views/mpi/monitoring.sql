-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/monitoring.sql - the table monitoring_check

-- name: monitoring_check
CREATE VIEW monitoring_check AS
WITH ours AS (
         SELECT source, target,
                CASE category WHEN 'put' THEN 'osc_sent'
                              WHEN 'get' THEN 'osc_received'
                              WHEN 'collective' THEN 'collective'
                              ELSE 'external' END AS layer,
                sum(messages) AS messages, sum(bytes) AS bytes,
                sum(messages) FILTER (WHERE category = 'persistent')
                AS persistent_messages,
                sum(bytes) FILTER (WHERE category = 'persistent')
                AS persistent_bytes
         FROM comm_matrix
         WHERE category <> 'received' AND EXISTS (SELECT 1 FROM monitoring)
         GROUP BY source, target, layer),
     theirs AS (SELECT * FROM monitoring WHERE layer <> 'internal')
SELECT ifnull(o.source, t.source) AS source,
       ifnull(o.target, t.target) AS target,
       ifnull(o.layer, t.layer) AS layer,
       ifnull(o.messages, 0) AS messages,
       ifnull(t.messages, 0) AS their_messages,
       ifnull(o.bytes, 0) AS bytes,
       ifnull(t.bytes, 0) AS their_bytes,
       ifnull(o.persistent_messages, 0) AS persistent_messages,
       ifnull(o.persistent_bytes, 0) AS persistent_bytes
FROM ours o FULL JOIN theirs t
ON t.source = o.source AND t.target = o.target AND t.layer = o.layer;
