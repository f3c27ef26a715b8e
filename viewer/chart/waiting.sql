-- SPDX-License-Identifier: MIT
-- viewer/chart/waiting.sql - wait states of the best source of each function

SELECT rank, site, pattern, wait_ns FROM wait_state
WHERE (SELECT value FROM meta WHERE key = 'wait_source') IS NOT 'profile'
UNION ALL
SELECT rank, site, pattern, wait_ns FROM wait_estimate
WHERE used AND method = 'plain'
