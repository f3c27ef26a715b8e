/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/seal.c - the checksums of the parts of a space that change
 */

#include "collectors/space/seal_private.h"

#include "collectors/space/checksum_private.h"

uint32_t
es__seal_live(const struct es_space_live *live)
{
	const char *base = (const char *)live;
	uint32_t sum =
	    es__checksum(0, base, offsetof(struct es_space_live, exited));

	return es__checksum(sum, base + offsetof(struct es_space_live, parts),
	    offsetof(struct es_space_live, checksum) -
		offsetof(struct es_space_live, parts));
}

uint32_t
es__seal_copy(uint32_t copy, uint64_t heard_ns, uint64_t left_out)
{
	uint64_t words[] = { copy, heard_ns, left_out };

	return es__checksum(0, words, sizeof(words));
}

uint32_t
es__seal_hot(const struct es_space_hot *hot)
{
	uint32_t sum =
	    es__checksum(0, hot, offsetof(struct es_space_hot, checksum));

	/* Both are 0 in format 3, whose sum ends above. */
	if (atomic_load_explicit(&hot->limit, memory_order_relaxed) == 0)
		return sum;
	return es__checksum(sum, &hot->limit,
	    offsetof(struct es_space_hot, ready) -
		offsetof(struct es_space_hot, limit));
}

uint32_t
es__seal_part(const struct es_space_part *part)
{
	uint32_t sum = es__checksum(0, &part->kind,
	    offsetof(struct es_space_part, used) -
		offsetof(struct es_space_part, kind));

	if (part->kind == ES_PART_RING)
		sum = es__checksum(sum, part + 1, sizeof(struct es_space_ring));
	return sum;
}

uint32_t
es__seal_chunk(uint64_t number, uint32_t count, const void *tuples,
    uint32_t bytes)
{
	uint32_t sum = es__checksum(0, &number, sizeof(number));

	sum = es__checksum(sum, &count, sizeof(count));
	return es__checksum(sum, tuples, (size_t)count * bytes);
}

uint32_t
es__seal_summary(const struct es_space_ring *place, const void *profile,
    const void *matrix)
{
	uint64_t profile_rows =
	    (uint64_t)place->profile_ops * place->profile_classes;
	uint64_t matrix_rows =
	    (uint64_t)place->matrix_peers * place->matrix_categories;
	uint32_t sum = es__checksum(0, profile,
	    profile_rows * sizeof(struct es_space_profile_row));

	return es__checksum(sum, matrix,
	    matrix_rows * sizeof(struct es_space_matrix_row));
}

uint64_t
es__seal_rows(const struct es_space_part *part, uint64_t used)
{
	if (used > UINT32_MAX)
		return 0;
	return used << 32 | es__checksum(0, part + 1, used * part->row_bytes);
}
