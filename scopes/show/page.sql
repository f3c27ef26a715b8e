-- SPDX-License-Identifier: MIT
-- scopes/show/page.sql - the sentences of the first page

-- name: page_sizes
SELECT printf('%s, %s, %s, %s, ',
              (SELECT count(*) || iif(count(*) = 1, ' host', ' hosts')
               FROM host),
              (SELECT count(*) || iif(count(*) = 1, ' process', ' processes')
               FROM process),
              (SELECT count(*) || iif(count(*) = 1, ' thread', ' threads')
               FROM thread),
              (SELECT count(*) || iif(count(*) = 1, ' stage', ' stages')
               FROM stage))
       || iif(count(*) = 0, 'no collectors',
              printf('%s with %s tuples in %s',
                     count(*)
                     || iif(count(*) = 1, ' collector', ' collectors'),
                     readable_count(total(tuples)),
                     ifnull(readable_ns(nullif(max(
                            ifnull(max(last_ns), 0),
                            ifnull((SELECT CAST(value AS INTEGER) FROM meta
                                    WHERE key = 'span_ns'), 0)), 0)),
                            'no time')))
FROM collector;

-- name: page_no_collectors
SELECT 'Nothing was recorded: add collectors to the map with `eventspace map'
       || ' instrument`.'
WHERE NOT EXISTS (SELECT 1 FROM collector);

-- name: page_end
WITH all_of(text) AS (
         SELECT count(*) || iif(count(*) = 1, ' process', ' processes')
         FROM process)
SELECT group_concat(printf('%d of %s %s', n, text, how), ', ')
FROM (SELECT CASE WHEN state = 'closed' AND exit_status = 0
                  THEN 'exited normally'
                  WHEN signal IS NOT NULL THEN 'ended by signal ' || signal
                  WHEN exit_status IS NOT NULL
                  THEN 'exited with status ' || exit_status
                  WHEN state = 'closed' THEN 'ended the recording'
                  WHEN state = 'killed' THEN 'ended while recording'
                  WHEN state = 'silent' THEN 'not heard of any more'
                  WHEN state = 'missing' THEN 'without an event space'
                  ELSE state END AS how,
             count(*) AS n
      FROM process
      GROUP BY how), all_of;

-- name: page_share
SELECT printf('%s operations; threads communicate %s of their time',
              readable_count(sum(operations)),
              readable_share(ifnull(1.0 * sum(communication_ns)
                  / sum(communication_ns + computation_ns), 0)))
FROM load_balance
HAVING count(*) > 0;

-- name: page_diagnostics
-- Diagnostics that differ only in their subject are one line.  The reason why a
-- view is empty is shown with the view.
SELECT severity,
       min(subject) || iif(count(*) = 1, '',
                           printf(' and %d more', count(*) - 1)) AS subject,
       text
FROM diagnostic
WHERE subject NOT LIKE 'view %'
GROUP BY severity, text
ORDER BY min(rowid);
