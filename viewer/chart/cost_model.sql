-- SPDX-License-Identifier: MIT
-- viewer/chart/cost_model.sql - queries of the chart cost_model

-- name: cost_model_finding
.read ../../scopes/views/mpi/cost_model_finding.sql

-- name: cost_model_of
SELECT 'Model'
       || ifnull(' of ' || machine, '') || ifnull(', ' || mpi, '')
       || ifnull(', measured ' || date, '') || printf('.  Kind: %s.', kind)
FROM cost_model;

-- The slowest rank of each phase.
-- name: cost_phases
SELECT coalesce('phase ' || n.name, 'loop ' || p.phase, 'outside of loops'),
       r.rank, r.measured_ns, r.latency_ns, r.bandwidth_ns, r.queue_ns,
       r.contention_ns, r.late_ns, r.late_receiver_ns,
       r.unexplained_ns
FROM cost_model c
JOIN cost_phase p USING (kind)
JOIN cost_rank r ON r.phase IS p.phase AND r.named IS p.named
                    AND r.rank = p.rank AND r.kind = p.kind
LEFT JOIN mpi_phase n ON n.phase = p.named
ORDER BY r.measured_ns DESC, p.rowid;

-- name: cost_ranks
SELECT printf('%s, rank %d',
              coalesce('phase ' || n.name, 'loop ' || r.phase, 'no loop'),
              r.rank),
       r.rank, r.measured_ns, r.latency_ns, r.bandwidth_ns, r.queue_ns,
       r.contention_ns, r.late_ns, r.late_receiver_ns,
       r.unexplained_ns
FROM cost_model c
JOIN cost_rank r USING (kind)
LEFT JOIN mpi_phase n ON n.phase = r.named
ORDER BY r.measured_ns DESC, r.rowid;

-- Each kind of model, for the phases that take longest.
-- name: cost_kinds
SELECT printf('%s, %s',
              coalesce('phase ' || n.name, 'loop ' || p.phase, 'no loop'),
              kind),
       NULL, measured_ns, latency_ns, bandwidth_ns, queue_ns, contention_ns,
       0, 0, off_ns
FROM cost_phase p
LEFT JOIN mpi_phase n ON n.phase = p.named
ORDER BY measured_ns DESC, p.rowid;
