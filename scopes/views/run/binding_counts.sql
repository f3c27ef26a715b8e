-- SPDX-License-Identifier: MIT
-- scopes/views/run/binding_counts.sql - the numbers of threads that are bound

-- A query of one row with a sentence, or of none.
WITH kind AS (
    SELECT CASE WHEN state IS NULL THEN 4
                WHEN state = 'unbound' THEN 3
                WHEN core IS NULL THEN 2
                ELSE 1 END AS place, count(*) AS threads
    FROM binding
    GROUP BY 1
)
SELECT group_concat(
           iif(place = 4,
               printf('the binding of %d %s is not known', threads,
                      iif(threads = 1, 'thread', 'threads')),
               printf('%d %s %s', threads,
                      iif(threads = 1, 'thread is', 'threads are'),
                      CASE place WHEN 1 THEN 'bound to one core'
                                 WHEN 2 THEN 'bound to several cores'
                                 ELSE 'not bound' END)), '; ') || '.'
FROM (SELECT * FROM kind ORDER BY place)
HAVING count(*) > 0
