-- SPDX-License-Identifier: MIT
-- viewer/chart/waiting.sql - wait states of the better source

SELECT rank, site, pattern, wait_ns FROM wait_state
WHERE (SELECT value FROM meta WHERE key = 'wait_source') IS NOT 'profile'
UNION ALL
SELECT rank, site, pattern, wait_ns FROM wait_estimate
WHERE (SELECT value FROM meta WHERE key = 'wait_source') = 'profile'
  AND method = 'plain'
