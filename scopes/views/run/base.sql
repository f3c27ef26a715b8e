-- SPDX-License-Identifier: MIT
-- scopes/views/run/base.sql - names of paths and of the inputs of joins

-- name: path_names
SELECT p.path, t.name || ifnull('/' || e.name, '')
FROM path p
JOIN thread t ON t.thread = p.thread
LEFT JOIN element e ON e.element = p.element;

-- name: join_input_names
SELECT j.input, ifnull(t.name, s.name), j.stage
FROM join_input j
LEFT JOIN path p ON p.path = j.path
LEFT JOIN thread t ON t.thread = p.thread
LEFT JOIN stage s ON s.stage = j.above;
