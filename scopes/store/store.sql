-- SPDX-License-Identifier: MIT
-- scopes/store/store.sql - the table that is in every view.db

-- name: timebase
CREATE TABLE timebase( -- conversion of the stamps of each process
process INTEGER PRIMARY KEY,
origin_ticks INTEGER,
origin_ns INTEGER,
scale INTEGER -- ns = origin_ns + (ticks - origin_ticks) * scale / 2^48
)
