-- SPDX-License-Identifier: MIT
-- scopes/views/run/signal_name.sql - the meaning of a number in column `signal`
CASE signal WHEN 11 THEN ' (segmentation fault)'
            WHEN 7 THEN ' (bus error)'
            WHEN 8 THEN ' (arithmetic exception)'
            WHEN 4 THEN ' (illegal instruction)'
            WHEN 6 THEN ' (abort)'
            WHEN 24 THEN ' (limit of CPU time)'
            ELSE '' END
