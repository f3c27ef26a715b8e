-- SPDX-License-Identifier: MIT
-- scopes/views/run/ends_ops.sql - operations under way, each with a phrase
SELECT i.thread, i.path, blocks, waits_for, inside_ns,
       CASE op WHEN 'read' THEN 'a read' WHEN 'exchange' THEN 'an exchange'
               WHEN 'delete' THEN 'a delete' ELSE 'a write' END
       || ifnull(CASE op WHEN 'read' THEN ' of ' WHEN 'exchange' THEN ' with '
                         WHEN 'delete' THEN ' of ' ELSE ' to ' END || e.name,
                 '')
       || iif(s.kind = 'element', '', printf(' at %s (%s)', s.name, s.kind))
           AS phrase
FROM inside i JOIN stage s ON s.stage = i.stage
     LEFT JOIN element e ON e.element = i.element
