-- SPDX-License-Identifier: MIT
-- scopes/views/run/ends_left.sql - threads in no operation, with a phrase for their
-- last one
SELECT o.thread, outside_ns,
       CASE op WHEN 'read' THEN 'a read' WHEN 'exchange' THEN 'an exchange'
               WHEN 'delete' THEN 'a delete' WHEN 'write' THEN 'a write' END
       || ifnull(CASE op WHEN 'read' THEN ' of ' WHEN 'exchange' THEN ' with '
                         WHEN 'delete' THEN ' of ' ELSE ' to ' END || e.name,
                 '') AS phrase
FROM outside o LEFT JOIN element e ON e.element = o.element
