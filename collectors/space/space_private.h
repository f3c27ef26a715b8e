/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/space_private.h - the members of an open event space
 */

#ifndef COLLECTORS_SPACE_SPACE_PRIVATE_H
#define COLLECTORS_SPACE_SPACE_PRIVATE_H

#include "collectors/space.h"
#include "collectors/space_format.h"

#include <string.h>

/* One collector; every offset was checked against the size of the file. */
struct es__ring {
	const struct es_tuple_type *type;
	struct es_space_hot *hot; /* NULL: cut off */
	const char *tuples;
	uint64_t capacity; /* tuples, as recorded */
	uint64_t slots;	   /* tuples that the file still holds */
	struct es_space_profile_row *profile; /* NULL: cut off or absent */
	struct es_space_matrix_row *matrix;   /* as profile */
	uint32_t instance;
	uint32_t mode_first;  /* ES_MODE_..., at the beginning */
	uint32_t owner;	      /* owner given to es_record_add_ring */
	uint32_t stop_offset; /* in a tuple; UINT32_MAX: it has no stop */
	uint32_t profile_ops, profile_classes;
	uint32_t matrix_peers, matrix_categories;
	struct es_space_chunk *chunks; /* NULL: absent or cut off */
	uint32_t chunk_tuples;
	struct es__kept *kept; /* what is read instead of the ring, or NULL */
};

/* The tuples of a ring without those that were found damaged.  Their numbers
   are the last ones of the ring's. */
struct es__kept {
	uint64_t first;
	uint64_t end;
	uint64_t reset;
	uint64_t left_out; /* number of damaged tuples */
	bool inside;
	_Alignas(uint64_t) char tuples[];
};

struct es_space {
	char *name;
	char *base;
	uint64_t bytes; /* of the mapping: the size of the file at open */
	bool writable;
	bool borrowed;	   /* base is the caller's, who knows the findings */
	bool sealed;	   /* the recording had ended when it was opened */
	bool live_damaged; /* `live` cannot be used */
	const struct es_space_head *head;
	struct es_space_live *live; /* NULL: cut off */
	struct es_tuple_type *types;
	struct es_tuple_field *fields;
	struct es__ring *rings;
	uint32_t ring_count;		   /* includes added ones */
	const struct es_space_part **rows; /* parts with rows or a log */
	uint32_t rows_count;
	uint32_t part_count; /* when it was opened */
	uint64_t tuples;     /* when it was opened */
	uint64_t unchecked;  /* tuples of these without a checksum */
	uint32_t damaged;    /* number of damaged places */
	char **damage;
	size_t damage_count, damage_room;
};

/* Returns true if a space is the one that a server keeps of a process. */
static inline bool
es__space_is_kept(const struct es_space_head *head)
{
	return memcmp(head->magic, ES_SPACE_KEPT_MAGIC, sizeof(head->magic)) ==
	    0;
}

/* Returns true if the file is a copy, also one that is kept. */
static inline bool
es__space_is_copy(const struct es_space_head *head)
{
	return memcmp(head->magic, ES_SPACE_COPY_MAGIC, sizeof(head->magic)) ==
	    0 ||
	    es__space_is_kept(head);
}

#endif
