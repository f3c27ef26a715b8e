-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/graph_waiting_name.sql - names the waiting that the activity
-- graph has

-- An expression: words that follow a share.
(SELECT iif(share >= 0.95, 'all waiting',
            printf('the waiting that the activity graph has (%s of all)',
                   readable_share(share)))
 FROM (SELECT
.read graph_waiting.sql
       AS share))
