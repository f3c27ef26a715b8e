/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/space_private.h - an open event space
 */

#ifndef COLLECTORS_SPACE_SPACE_PRIVATE_H
#define COLLECTORS_SPACE_SPACE_PRIVATE_H

#include "collectors/space.h"
#include "collectors/space_format.h"

/* One collector, everything about it held against the size of the file. */
struct es__ring {
	const struct es_tuple_type *type;
	struct es_space_hot *hot; /* NULL: cut off */
	const char *tuples;
	uint64_t capacity; /* tuples, as recorded */
	uint64_t slots;	   /* of them, that the file still has */
	struct es_space_profile_row *profile; /* NULL: cut off, or none */
	struct es_space_matrix_row *matrix;   /* the same */
	uint32_t instance;
	uint32_t owner;	      /* of one that was added */
	uint32_t stop_offset; /* in a tuple; UINT32_MAX: it has no stop */
	uint32_t profile_ops, profile_classes;
	uint32_t matrix_peers, matrix_categories;
};

struct es_space {
	char *name;
	char *base;
	uint64_t bytes; /* that are mapped: never more than the file has */
	bool writable;
	const struct es_space_head *head;
	struct es_space_live *live; /* NULL: cut off */
	struct es_tuple_type *types;
	struct es_tuple_field *fields;
	struct es__ring *rings;
	uint32_t ring_count;		   /* with those that were added */
	const struct es_space_part **rows; /* parts with rows or a log */
	uint32_t rows_count;
	uint32_t part_count; /* when it was opened */
	uint32_t damaged;    /* collectors */
	char **damage;
	uint32_t damage_count;
};

/* Check all definitions and fill in everything from head on. */
paths_status es__space_check(struct es_space *space) PATHS_CHECKED;

/* How many parts a file has at most behind its rings. */
uint32_t es__space_count_parts(const struct es_space *space);

/* Find the parts behind the rings, and check them as well. */
paths_status es__space_check_parts(struct es_space *space) PATHS_CHECKED;

/* Whether count things of bytes each lie in [from, to), 8-byte aligned. */
bool es__space_inside(uint64_t offset, uint64_t count, uint64_t bytes,
    uint64_t from, uint64_t to);

/* Check and fill in ring n, whose place lies in [from, to) of the file. */
paths_status es__space_check_ring(struct es_space *space, uint32_t n,
    const struct es_space_ring *place, uint64_t from, uint64_t to)
    PATHS_CHECKED;

/* Note a line of damage; beyond the room for them only their number. */
paths_status es__space_damage(struct es_space *space, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* CRC-32 as in IEEE 802.3, bit-reflected. */
uint32_t es__space_checksum(const void *bytes, size_t count);

#endif
