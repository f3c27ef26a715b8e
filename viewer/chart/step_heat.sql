-- SPDX-License-Identifier: MIT
-- viewer/chart/step_heat.sql - queries of the chart step_heat

-- name: heat_bins
SELECT steps, min(step / steps), max(step / steps) FROM step
WHERE stop_ns >= :from AND start_ns <= :to;

-- name: heat_cells
SELECT thread, step / steps,
       CASE :measure
       WHEN 'arrival' THEN start_ns - min(start_ns) OVER (PARTITION BY step)
       WHEN 'wait' THEN wait_ns
       WHEN 'longest' THEN longest_ns
       ELSE communication_ns END
FROM step
WHERE step / steps >= :first AND step / steps < :end;
