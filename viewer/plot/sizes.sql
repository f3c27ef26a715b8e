-- SPDX-License-Identifier: MIT
-- viewer/plot/sizes.sql - queries of the sizes of messages

-- Without :source and :target, these queries read all pairs of ranks.
-- name: sizes_categories
SELECT category FROM size_histogram
WHERE :source IS NULL OR (source = :source AND target = :target)
GROUP BY category
ORDER BY category = 'received', sum(messages) DESC, category LIMIT :most;

-- name: sizes_range
SELECT min(size_class), max(size_class) FROM size_histogram
WHERE :source IS NULL OR (source = :source AND target = :target);

-- name: sizes_messages
SELECT size_class, category, sum(messages) FROM size_histogram
WHERE :source IS NULL OR (source = :source AND target = :target)
GROUP BY size_class, category;
