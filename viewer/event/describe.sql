-- SPDX-License-Identifier: MIT
-- viewer/event/describe.sql - call site of an MPI call

-- The ids of sites in tuples are those of their rank; mpi_site has other ids,
-- which hold for all ranks.  The file is printed without its folder.
-- name: describe_site
SELECT coalesce(s.function || '@', '')
       || coalesce(replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '')
                   || ifnull(':' || s.line, ''), s.module)
FROM event AS e JOIN mpi_site AS s ON s.site = e.site
WHERE e.collector = :collector AND e.seq = :seq AND e.site > 0;

-- name: source_site
SELECT s.file, s.line
FROM event AS e JOIN mpi_site AS s ON s.site = e.site
WHERE e.collector = :collector AND e.seq = :seq AND e.site > 0
      AND s.file IS NOT NULL AND s.line IS NOT NULL;

-- name: describe_pattern
SELECT name FROM timeline_pattern WHERE pattern = :pattern;
