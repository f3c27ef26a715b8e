-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/cost_model_finding.sql - phase that deviates most from the
-- cost model

SELECT '', NULL,
       printf('Messages %s deviate most from the model %s%s: rank %d takes %s'
                     || ' for them without waiting for late senders and'
                     || ' receivers, and %s'
                     || ' (rank %d) are predicted, most of it %s.',
                     coalesce('in phase '
                              || (SELECT name FROM mpi_phase
                                  WHERE phase = p.named),
                              'in loop ' || p.phase, 'outside of loops'), p.kind,
                     ifnull(' of ' || m.machine, ''), p.rank,
                     readable_ns(p.measured_ns), readable_ns(p.predicted_ns),
                     p.predicted_rank, p.dominant)
       || iif(
.read ../run/overloaded.sql
              , ' The machine was overloaded: times in calls include time'
                || ' without a core.', '')
FROM cost_phase p JOIN cost_model m USING (kind)
ORDER BY abs(p.off_ns) DESC, p.rowid
LIMIT 1;
