-- SPDX-License-Identifier: MIT
-- viewer/report/report.sql - diagnostics of the report

-- Notes if :notes is 1, all other diagnostics if 0; equal texts are one row.
-- name: report_diagnostics
SELECT severity,
       min(subject)
       || iif(count(*) = 1, '', printf(' and %d more', count(*) - 1)),
       text
FROM diagnostic
WHERE subject NOT LIKE 'view %' AND (severity = 'note') = :notes
GROUP BY severity, text ORDER BY severity = 'warning', min(rowid);
