-- SPDX-License-Identifier: MIT
-- scopes/views/run/interval.sql - the view interval, over raw events

-- name: interval
CREATE VIEW interval AS
SELECT c.thread AS thread, e.seq AS seq, e.start_ns AS start_ns,
       e.stop_ns AS stop_ns, e.op AS op, e.element AS element, e.step AS step,
       e.bytes AS bytes
FROM collector c JOIN event e ON e.collector = c.collector
WHERE c.head = 1;
