-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/cost_model.sql - queries of the view cost_model

-- The words of scopes/model/sentence.c.
-- name: cost_model_reading
SELECT printf('%d messages, %d of them between hosts, are compared with the'
              || ' model%s%s', messages, between_hosts,
              ifnull(' of ' || machine, ''),
              ifnull(', measured ' || date, ''))
       || iif(unmatched > 0,
              printf('; %d receives are not matched, or have not ended, and'
                     || ' are left out', unmatched), '')
       || printf('.  %d calls for them take %s, summed over all ranks, %s of it'
                 || ' before late senders and %s before late receivers.',
                 calls, readable_ns(measured_ns), readable_ns(late_ns),
                 readable_ns(late_receiver_ns))
       || iif(misplaced > 0,
              printf('  The model has no locality for %d of them, which cost as'
                     || ' those of its last one.', misplaced), '')
       || iif(discarded > 0,
              printf('  %d tuples of calls were discarded; their messages are'
                     || ' left out.', discarded), '')
FROM cost_model;

-- name: cost_model_finding
.read cost_model_finding.sql
