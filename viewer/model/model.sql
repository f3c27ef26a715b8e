-- SPDX-License-Identifier: MIT
-- viewer/model/model.sql - queries that open a run

-- Tables that are required in a view.db and missing in this one.
-- name: model_missing
WITH want(name) AS (
    VALUES ('meta'), ('host'), ('process'), ('thread'), ('collector'),
           ('timebase'), ('timeline_row'), ('timeline_level')
)
SELECT name FROM want
WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema AS s
                  WHERE s.name = want.name AND s.type = 'table'
                    AND s.sql LIKE 'CREATE TABLE%');
