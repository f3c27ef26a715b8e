-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/call_tree.sql - queries of the view call_tree

-- name: call_tree_reading
WITH RECURSIVE path(node, parent, text) AS (
    SELECT node, parent, function FROM call_tree
    WHERE node = (SELECT node FROM call_tree WHERE mpi AND time_ns > 0
                  ORDER BY time_ns DESC, node LIMIT 1)
    UNION ALL
    SELECT c.node, c.parent, c.function || ' > ' || path.text
    FROM path JOIN call_tree c ON c.node = path.parent
)
SELECT printf('%s takes most: %s, %s of all time in MPI%s.', path.text,
              readable_ns(leaf.time_ns), readable_share(leaf.time_share),
              iif(leaf.wait_ns > 0,
                  printf('; %s of it is waiting',
                         readable_share(1.0 * leaf.wait_ns / leaf.time_ns)),
                  ''))
FROM path
JOIN call_tree leaf ON leaf.node = (SELECT max(node) FROM path)
WHERE path.parent IS NULL;

-- name: caller_tree_reading
SELECT printf('%s takes most: %s, %s of all time in MPI; %s of it is called in'
              || ' %s.', c.function, readable_ns(c.time_ns),
              readable_share(c.time_share),
              readable_share(1.0 * up.time_ns / c.time_ns), up.function)
FROM caller_tree c JOIN caller_tree up ON up.parent = c.node
WHERE c.parent IS NULL AND c.time_ns > 0
ORDER BY c.time_ns DESC, c.node, up.time_ns DESC, up.node
LIMIT 1;
