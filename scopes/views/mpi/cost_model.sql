-- SPDX-License-Identifier: MIT
-- scopes/views/mpi/cost_model.sql - queries of the view cost_model

-- name: cost_model_reading
SELECT printf('%d messages are compared with the model%s%s', messages,
              ifnull(' of ' || machine, ''),
              ifnull(', measured ' || date, ''))
       || iif(unmatched > 0,
              printf('; %d receives are not matched, or have not ended, and'
                     || ' are left out', unmatched), '')
       || '.'
       || iif(misplaced > 0,
              printf(' The model has no locality for %d of them, which cost as'
                     || ' those of its last one.', misplaced), '')
       || iif(discarded > 0,
              printf(' %d tuples of calls were discarded; their messages are'
                     || ' left out.', discarded), '')
FROM cost_model;

-- name: cost_model_finding
.read cost_model_finding.sql
