-- SPDX-License-Identifier: MIT
-- viewer/plot/curves.sql - queries of the curves

-- name: curves_steps
SELECT min(step), max(step + steps - 1) FROM step
WHERE stop_ns >= :from AND start_ns <= :to;
