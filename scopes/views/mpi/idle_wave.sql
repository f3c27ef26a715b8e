-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/idle_wave.sql - queries of the view idle_wave

-- name: idle_wave_reading
WITH activity AS MATERIALIZED (
.read activity.sql
)
SELECT printf('A delay of %s in %s, in %s, went through %d other %s%s%s, which'
              || ' waited %s in all; ',
              readable_ns(w.delay_ns), a.who, a.name, w.threads,
              iif(w.rank IS NULL, 'thread', 'rank'),
              iif(w.threads = 1, '', 's'),
              iif(w.hops_per_iteration IS NULL, '',
                  printf(', %.3g each iteration', w.hops_per_iteration)),
              readable_ns(w.wait_ns))
       || CASE w.end
          WHEN 'slack'
          THEN printf('it ended behind %s, because %s came no earlier than %s.',
                      l.name, e.name, l.name)
          WHEN 'wave'
          THEN printf('it ended behind %s, where it met another one.', l.name)
          WHEN 'all_threads'
          THEN iif(w.rank IS NULL, 'it crossed all threads.',
                   'it crossed all ranks.')
          ELSE printf('nothing depended on %s, which it crossed last.',
                      l.name) END
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: this may say nothing about the'
                || ' program.', '')
FROM idle_wave w
     JOIN activity a ON a.thread IS w.thread AND a.from_site IS w.from_site
                        AND a.site IS w.site AND a.from_path IS w.from_path
                        AND a.path IS w.path AND a.stage IS w.stage
                        AND a.function IS w.function
     LEFT JOIN thread l ON l.thread = w.last
     LEFT JOIN thread e ON e.thread = w.end_thread
WHERE w.wave = (SELECT wave FROM idle_wave
                ORDER BY wait_ns DESC, wave LIMIT 1)
UNION ALL
SELECT 'No unusual delay was found that went on to others which did not wait for'
       || ' the late one themselves.'
WHERE NOT EXISTS (SELECT 1 FROM idle_wave)
  AND EXISTS (SELECT 1 FROM critical_path);
