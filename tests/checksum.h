/* SPDX-License-Identifier: MIT */
/*
 * tests/checksum.h - the checksum of event spaces, computed bit by bit
 */

#ifndef TESTS_CHECKSUM_H
#define TESTS_CHECKSUM_H

#include "collectors/space_format.h"

/* Returns the CRC-32C of bytes.  sum: that of the bytes before them, or 0. */
static inline uint32_t
test_checksum(uint32_t sum, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	sum = ~sum;
	for (size_t i = 0; i < count; i++) {
		sum ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum & 1 ? sum >> 1 ^ 0x82f63b78u : sum >> 1;
	}
	return ~sum;
}

/* Corrects the checksum of the definitions. */
static inline void
test_seal_head(struct es_space_head *head)
{
	head->checksum = test_checksum(0, (char *)head + ES_SPACE_CHECKED,
	    head->definitions_bytes - ES_SPACE_CHECKED);
}

/* Corrects the checksum of the live part.  Without its mark, the counts and
   rows of the space need no checksum. */
static inline void
test_seal_live(struct es_space_live *live, bool sealed)
{
	uint32_t sum;

	live->sealed = sealed ? ES_SPACE_SEALED : 0;
	sum = test_checksum(0, live, offsetof(struct es_space_live, exited));
	live->checksum = test_checksum(sum, &live->parts,
	    offsetof(struct es_space_live, checksum) -
		offsetof(struct es_space_live, parts));
}

/* Corrects the checksum of the header of a part. */
static inline void
test_seal_part(struct es_space_part *part)
{
	uint32_t sum = test_checksum(0, &part->kind,
	    offsetof(struct es_space_part, used) -
		offsetof(struct es_space_part, kind));

	if (part->kind == ES_PART_RING)
		sum =
		    test_checksum(sum, part + 1, sizeof(struct es_space_ring));
	part->checksum = sum;
}

#endif
