-- SPDX-License-Identifier: MIT
-- scopes/views/run/ends.sql - the first sentences about a program on paths: deaths
-- and hangs

-- name: ends_died
-- Processes that failed by themselves.
.read ends_processes.sql
   AND NOT max(all_killed);

-- name: ends_killed
-- As ends_died, when all processes of the run were killed: then a hang comes
-- before it.
.read ends_processes.sql
   AND max(all_killed);

-- name: ends_stuck
-- An operation of a live run counts when it has been under way for a second;
-- otherwise those do whose process neither exited nor closed its event space.  If
-- all processes were killed, it must have been under way for a second, too: a
-- program that a lack of memory ends did not hang.
WITH live(yes) AS (
         SELECT EXISTS (SELECT * FROM process WHERE state = 'live')
), stuck AS (
    SELECT o.*
    FROM (
.read ends_ops.sql
    ) o JOIN thread t USING (thread) JOIN process p USING (process)
    WHERE blocks
      AND iif((SELECT yes FROM live), inside_ns >= 1000000000,
              p.state = 'killed' AND p.exit_status IS NULL
              AND (ifnull(inside_ns, 1000000000) >= 1000000000
                   OR NOT (SELECT ifnull(max(all_killed), 0) FROM (
.read ends_failed.sql
                   ))))
), groups AS (
    SELECT phrase, waits_for, count(DISTINCT thread) AS threads,
           min(inside_ns) AS ns, min(thread) AS first
    FROM stuck
    GROUP BY phrase, waits_for
), members AS (
    SELECT phrase, waits_for, name,
           row_number() OVER (PARTITION BY phrase, waits_for
                              ORDER BY thread) AS n
    FROM (SELECT DISTINCT phrase, waits_for, thread FROM stuck)
         JOIN thread USING (thread)
), waited AS (
    SELECT DISTINCT s.phrase, s.waits_for, f.culprit AS thread,
           f.culprit IN (SELECT thread FROM stuck) AS inside
    FROM stuck s JOIN inside_for f USING (thread, path)
    WHERE NOT EXISTS (SELECT * FROM stuck q
                      WHERE q.thread = f.culprit AND q.phrase = s.phrase
                        AND q.waits_for IS s.waits_for)
), culprits AS (
    SELECT w.*
    FROM waited w
    WHERE w.waits_for = 'any' OR NOT inside
       OR NOT EXISTS (SELECT * FROM waited v
                      WHERE v.phrase = w.phrase
                        AND v.waits_for IS w.waits_for AND NOT v.inside)
), blamed AS (
    SELECT c.phrase, c.waits_for, t.name, p.name AS process, p.state,
           iif((SELECT yes FROM live)
               OR p.ended_ns <= (SELECT max(ended_ns) FROM process)
                                - 100000000, p.signal, NULL) AS signal,
           p.exit_status, l.phrase AS last, l.outside_ns,
           l.thread IS NOT NULL AS outside,
           (SELECT min(phrase) FROM (
.read ends_ops.sql
            ) o WHERE o.thread = c.thread AND blocks) AS within,
           row_number() OVER (PARTITION BY c.phrase, c.waits_for
                              ORDER BY c.thread) AS n,
           count(*) OVER (PARTITION BY c.phrase, c.waits_for) AS of
    FROM culprits c JOIN thread t USING (thread)
         JOIN process p ON p.process = t.process
         LEFT JOIN (
.read ends_left.sql
         ) l USING (thread)
)
SELECT group_concat(line, ' ')
FROM (
    SELECT printf('%s %s in %s%s%s.',
        (SELECT group_concat(name, ', ') FROM members m
         WHERE m.phrase = g.phrase AND m.waits_for IS g.waits_for AND n <= 4)
        || iif(threads > 4, printf(' and %d more', threads - 4), ''),
        CASE WHEN NOT yes THEN iif(threads = 1, 'was', 'were')
             WHEN threads = 1 THEN 'has been' ELSE 'have been' END,
        phrase,
        ifnull(' for ' || readable_ns(ns), '')
        || iif(yes, '', ' when the run ended'),
        ifnull((SELECT ', waiting for '
                       || iif(waits_for = 'any' AND max(of) > 1, 'any of ', '')
                       || group_concat(b.name, ', ')
                       || iif(max(of) > 4, printf(' and %d more', max(of) - 4),
                              '')
                       || CASE WHEN max(of) > 1 THEN ''
                               WHEN min(b.signal) IS NOT NULL
                               THEN printf(', whose process %s died of signal'
                                    || ' %d', min(process), min(b.signal))
                               WHEN min(b.exit_status) IS NOT NULL
                               THEN printf(', whose process %s has exited with'
                                    || ' status %d', min(process),
                                    min(b.exit_status))
                               WHEN min(b.state) = 'closed'
                               THEN printf(', whose process %s has ended its'
                                    || ' recording', min(process))
                               WHEN min(b.state) = 'silent'
                               THEN printf(', whose process %s is not heard of'
                                    || ' any more', min(process))
                               WHEN yes AND min(b.state) <> 'live'
                               THEN printf(', whose process %s was killed or'
                                    || ' called _exit', min(process))
                               WHEN min(within) IS NOT NULL
                               THEN printf(', which %s in %s',
                                    iif(yes, 'is', 'was'), min(within))
                               WHEN NOT max(outside) THEN ''
                               WHEN min(last) IS NULL
                               THEN ', which has begun no operation'
                               ELSE printf(', which left %s%s', min(last),
                                   ifnull(' ' || readable_ns(min(outside_ns))
                                          || iif(yes, ' ago', ' before'), ''))
                          END
                FROM blamed b
                WHERE b.phrase = g.phrase AND b.waits_for IS g.waits_for
                  AND b.n <= 4
                HAVING count(*) > 0), ''))
        AS line
    FROM groups g JOIN live
    ORDER BY threads DESC, first
    LIMIT 3)
HAVING count(*) > 0;

-- name: ends_deadlock
SELECT group_concat(text || '.', ' ')
FROM diagnostic
WHERE subject = 'deadlock';
