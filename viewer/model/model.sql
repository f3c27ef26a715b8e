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

-- A row if the times in which threads had no core are computed.
-- name: model_has_gaps
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'cpu_gap';

-- A row if there are such times.
-- name: model_gaps
SELECT 1 FROM cpu_gap LIMIT 1;

-- A row if the classes of scopes/colour.h are computed.
-- name: model_has_tints
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'timeline_colour';

-- Classes of scopes/colour.h that operations of the run have.
-- name: model_tints
SELECT class FROM timeline_colour
WHERE row = (SELECT row FROM timeline_row WHERE kind = 'run')
  AND level = (SELECT levels - 1 FROM timeline_row LIMIT 1);

-- A row if call sites and communicators have names.
-- name: model_has_names
SELECT 1 FROM sqlite_schema
WHERE type = 'table' AND name IN ('mpi_site', 'mpi_comm')
GROUP BY type HAVING count(*) = 2;

-- Classes of scopes/colour.h and the names of what they stand for.
-- name: model_tint_sites
SELECT c.class,
       coalesce(s.function || ', ', '')
       || coalesce(replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '')
                   || ifnull(':' || s.line, ''),
                   'offset ' || s.offset, '')
FROM timeline_class AS c LEFT JOIN mpi_site AS s ON s.site = c.id
WHERE c.colour = 'site' ORDER BY c.class, c.id;

-- name: model_tint_comms
WITH named AS MATERIALIZED (
.read ../../scopes/views/mpi/comm_names.sql
)
SELECT c.class, ifnull(m.name, 'comm ' || c.id)
FROM timeline_class AS c LEFT JOIN named AS m ON m.comm = c.id
WHERE c.colour = 'communicator' ORDER BY c.class, c.id;

-- name: model_tint_paths
SELECT p.path % 9, t.name || '/' || e.name
FROM path AS p JOIN thread AS t USING (thread)
JOIN element AS e ON e.element = p.element ORDER BY p.path;

-- name: model_tint_elements
SELECT element % 9, name FROM element ORDER BY element;

-- A row if the critical path is computed.
-- name: model_has_critical
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'critical_hop';

-- A row if the measured interval of MPI ranks is known.
-- name: model_has_interval
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'mpi_interval';

-- The measured interval of all ranks, and 1 if a rank did not end it.
-- name: model_interval
SELECT min(start_ns), max(stop_ns), max(stop_source = 'recording')
FROM mpi_interval;
