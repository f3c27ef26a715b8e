-- SPDX-License-Identifier: MIT
-- viewer/chart/diagnostics.sql - queries of the chart diagnostics

-- name: diagnostics_sorted
SELECT severity, subject, text FROM diagnostic
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END,
         rowid;
