-- SPDX-License-Identifier: MIT
-- viewer/model/raw.sql - the collectors that raw events are read from

-- name: raw_collectors
SELECT collector, process, tuples, discarded, thread, head
FROM collector ORDER BY collector;
