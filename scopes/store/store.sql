-- SPDX-License-Identifier: MIT
-- scopes/store/store.sql - the table that is in every view.db

-- name: timebase
CREATE TABLE timebase( -- pieces of the conversion of stamps, of each process
process INTEGER,
piece INTEGER,
origin_ticks INTEGER, -- the piece holds from these ticks on
origin_ns INTEGER,
scale INTEGER, -- ns = origin_ns + (ticks - origin_ticks) * scale / 2^48
PRIMARY KEY(process, piece)
)
