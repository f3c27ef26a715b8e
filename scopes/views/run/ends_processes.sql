-- SPDX-License-Identifier: MIT
-- scopes/views/run/ends_processes.sql - sentences about processes that failed by
-- themselves, in the order of their ends; conditions on `all_killed` can follow

-- The place of the fault is known when the process has one thread.
WITH failed AS (
.read ends_failed.sql
), alone AS (
    SELECT process, min(thread) AS thread
    FROM thread
    GROUP BY process
    HAVING count(*) = 1
), places AS (
    SELECT process, ', in ' || phrase AS place
    FROM alone JOIN (
.read ends_ops.sql
    ) USING (thread)
    WHERE blocks
    UNION ALL
    SELECT process, ', outside of operations'
           || ifnull(', '
                     || ifnull(readable_ns(nullif(outside_ns, 0)) || ' ', '')
                     || 'after ' || phrase, '')
    FROM alone JOIN (
.read ends_left.sql
    ) USING (thread)
), sent AS (
    SELECT name, row_number() OVER (ORDER BY process) AS n,
           count(*) OVER () AS of
    FROM process
    WHERE ended_by_run = 1
)
SELECT group_concat(
           printf('%s %s%s%s%s.', name,
                  CASE WHEN signal IS NULL
                       THEN printf('exited%s with status %d%s',
                                   iif(first, ' first,', ''), exit_status,
                                   iif(first AND ended_ns IS NOT NULL, ',',
                                       ''))
                       WHEN signal IN (1, 2, 9, 15)
                       THEN printf('was killed%s by signal %d',
                                   iif(first, ' first,', ''), signal)
                       ELSE printf('died%s of signal %d',
                                   iif(first, ' first,', ''), signal) END,
.read signal_name.sql
                  , ifnull(' at ' || readable_ns(ended_ns), ''),
                  iif(signal IS NULL, '',
                      ifnull((SELECT place FROM places q
                              WHERE q.process = f.process LIMIT 1), ''))), ' ')
       || iif(max(of) > 3, printf(' %d more process%s failed.', max(of) - 3,
                                  iif(max(of) = 4, '', 'es')), '')
       || ifnull((SELECT printf(' eventspace run then ended %s%s.',
                                group_concat(name, ', '),
                                iif(max(of) > 4,
                                    printf(' and %d more', max(of) - 4), ''))
                  FROM sent
                  WHERE n <= 4
                  HAVING count(*) > 0), '')
FROM (SELECT * FROM failed WHERE n <= 3 ORDER BY n) f
HAVING count(*) > 0
