-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/choices.sql - the operations on the critical path that could
-- have got another message or tuple
--
-- An expression: a sentence with a blank before it, or nothing.  It uses the
-- table expression of activity.sql, named activity.
ifnull((WITH place AS (
            SELECT b.name, sum(d.path_choices) AS path_count,
                   sum(d.choices) AS count
            FROM critical_path d
                 JOIN activity b ON b.thread IS d.thread
                      AND b.from_site IS d.from_site AND b.site IS d.site
                      AND b.from_path IS d.from_path AND b.path IS d.path
                      AND b.stage IS d.stage AND b.function IS d.function
            WHERE d.choices > 0
            GROUP BY b.name
        )
        SELECT printf(' The critical path has %d of the %d %s; with other'
                      || ' ones it may be a different path: %s.',
                      (SELECT sum(path_count) FROM place),
                      (SELECT sum(count) FROM place),
                      iif((SELECT max(rank) FROM critical_path) IS NULL,
                          'operations that could have got another tuple',
                          'calls that could have got another message or lock'),
                      group_concat(printf('%s (%d of %d)', name, path_count,
                                          count), ', '))
        FROM (SELECT * FROM place WHERE path_count > 0
              ORDER BY path_count DESC, count DESC, name LIMIT 3)
        HAVING count(*) > 0), '')
