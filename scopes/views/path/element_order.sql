-- SPDX-License-Identifier: MIT
-- scopes/views/path/element_order.sql - the view element_order, over raw events

-- name: element_order
CREATE VIEW element_order AS
SELECT c.element AS element,
       row_number() OVER (PARTITION BY c.element
                          ORDER BY e.stop_ns, e.collector) - 1 AS position,
       c.thread AS thread, e.op AS op, e.seq AS seq, e.start_ns AS start_ns
FROM collector c JOIN event e ON e.collector = c.collector
WHERE c.element IS NOT NULL AND e.status = 0 AND e.stop_ns IS NOT NULL;
