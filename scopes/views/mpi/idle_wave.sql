-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/idle_wave.sql - queries of the view idle_wave

-- name: idle_wave_reading
WITH activity AS MATERIALIZED (
.read activity.sql
)
SELECT printf('A delay of %s in rank %d, in %s, went through %d other rank%s'
              || '%s, which waited %s in all; ',
              readable_ns(w.delay_ns), w.rank, a.name, w.ranks,
              iif(w.ranks = 1, '', 's'),
              iif(w.ranks_per_iteration IS NULL, '',
                  printf(', %.3g each iteration', w.ranks_per_iteration)),
              readable_ns(w.wait_ns))
       || CASE w.end
          WHEN 'slack'
          THEN printf('it ended behind rank %d, because rank %d came no earlier'
                      || ' than rank %d.', w.last, w.end_rank, w.last)
          WHEN 'wave'
          THEN printf('it ended behind rank %d, where it met another one.',
                      w.last)
          WHEN 'all_ranks' THEN 'it crossed all ranks.'
          ELSE printf('nothing depended on rank %d, which it crossed last.',
                      w.last) END
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM idle_wave w
     JOIN (SELECT DISTINCT from_site, site, function, name FROM activity) a
     ON a.from_site IS w.from_site AND a.site IS w.site
        AND a.function IS w.function
WHERE w.wave = (SELECT wave FROM idle_wave
                ORDER BY wait_ns DESC, wave LIMIT 1)
UNION ALL
SELECT 'No unusual delay was found that went on to ranks which did not wait for'
       || ' the late one themselves.'
WHERE NOT EXISTS (SELECT 1 FROM idle_wave)
  AND EXISTS (SELECT 1 FROM critical_path);
