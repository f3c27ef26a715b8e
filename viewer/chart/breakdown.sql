-- SPDX-License-Identifier: MIT
-- viewer/chart/breakdown.sql - queries of the chart breakdown

-- name: breakdown_kinds
SELECT kind FROM breakdown JOIN stage USING (stage)
GROUP BY kind ORDER BY sum(own_ns) DESC, kind LIMIT :most;

-- name: breakdown_kind_count
SELECT count(DISTINCT kind) FROM breakdown JOIN stage USING (stage);

-- name: breakdown_threads
SELECT b.thread, t.name, s.kind, sum(b.own_ns), sum(b.wait_ns)
FROM breakdown b
JOIN thread t USING (thread)
JOIN stage s USING (stage)
GROUP BY b.thread, s.kind ORDER BY b.thread, s.kind;

-- name: breakdown_stages
SELECT stage, name, wait_ns, own_ns, share
FROM breakdown JOIN stage USING (stage)
WHERE thread = :thread
ORDER BY own_ns + wait_ns DESC, stage;
