-- SPDX-License-Identifier: MIT
-- scopes/views/run/graph_coverage.sql - how much the activity graph knows

-- An expression: sentences that follow one on causes, the critical path or
-- efficiency, or nothing.
ifnull((SELECT iif(unknown > 0,
                   printf(' Of %d operations, %d may have waited for something'
                          || ' that was not recorded, which is not in this.',
                          operations, unknown), '')
               || iif(missing > 0,
                      printf(' %d operations were not recorded: their time'
                             || ' counts as computation.', missing), '')
               || iif(ranks_missing > 0,
                      printf(' %d rank%s left no trace: waiting for %s counts'
                             || ' as time of calls.', ranks_missing,
                             iif(ranks_missing = 1, '', 's'),
                             iif(ranks_missing = 1, 'it', 'them')), '')
        FROM activity_graph), '')
