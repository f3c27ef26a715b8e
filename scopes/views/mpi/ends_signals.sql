-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/ends_signals.sql - ranks of the table `ended`, by the number
-- of the signal that ended them
SELECT number, count(*) AS of,
       group_concat(name, ', ') FILTER (WHERE n <= 4)
       || iif(count(*) > 4, printf(' and %d more', count(*) - 4), '') AS names
FROM (SELECT *, row_number() OVER (PARTITION BY number ORDER BY rank) AS n
      FROM ended ORDER BY rank)
GROUP BY number
ORDER BY min(rank)
