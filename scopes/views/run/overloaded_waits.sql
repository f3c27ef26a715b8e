-- SPDX-License-Identifier: MIT
-- scopes/views/run/overloaded_waits.sql - waits may follow from lost cores

-- An expression: whether the machine was overloaded, unless it is known that
-- less than a twentieth of the waiting follows from that.
(
.read overloaded.sql
 AND (SELECT total(lost_ns) >= 0.05 * total(wait_ns) FROM wait_lost))
