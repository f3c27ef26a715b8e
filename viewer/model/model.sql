-- SPDX-License-Identifier: MIT
-- viewer/model/model.sql - queries that open a run

-- Tables that are required in a view.db and missing in this one.
-- name: model_missing
WITH want(name) AS (
    VALUES ('meta'), ('host'), ('process'), ('thread'), ('collector'),
           ('timebase'), ('timeline_row'), ('timeline_level'),
           ('timeline_group')
)
SELECT name FROM want
WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema AS s
                  WHERE s.name = want.name AND s.type = 'table'
                    AND s.sql LIKE 'CREATE TABLE%');

-- Groups of the operations of a run.
-- name: model_groups
SELECT class FROM timeline_row WHERE class IS NOT NULL
UNION
SELECT class FROM timeline_group
WHERE row = (SELECT row FROM timeline_row WHERE kind = 'run')
  AND level = (SELECT levels - 1 FROM timeline_row LIMIT 1);

-- A row if the waits of timelines are computed.
-- name: model_has_waits
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'timeline_span';

-- A row if the critical path is computed.
-- name: model_has_critical
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'critical_hop';

-- A row if the measured interval of MPI ranks is known.
-- name: model_has_interval
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'mpi_interval';

-- The measured interval of all ranks.
-- name: model_interval
SELECT min(start_ns), max(stop_ns) FROM mpi_interval;
