/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/change.c - finds what has changed in an event space, besides
 * its tuples
 *
 * A region is an array of units: rows, words, or the bytes of a log.  A hash of
 * each unit tells if it has changed since it was returned.
 */

#include "collectors/change.h"

#include "collectors/space/part_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Attempts to read a row that its process does not change meanwhile. */
#define CHANGE_TRIES 8

/* The mode and the epoch of a collector. */
#define CHANGE_WORDS_AT offsetof(struct es_space_hot, mode)
#define CHANGE_WORDS_BYTES \
	(offsetof(struct es_space_hot, sealed) - CHANGE_WORDS_AT)

/* In the order of a pass. */
enum change_kind {
	CHANGE_HEADER, /* of a part */
	CHANGE_ROWS,   /* of a collector */
	CHANGE_WORDS,
	CHANGE_PART, /* rows of a part */
	CHANGE_LOG,
	CHANGE_KINDS
};

struct change_region {
	enum change_kind kind;
	uint64_t offset;  /* in the file */
	size_t unit;	  /* bytes */
	uint64_t room;	  /* units, at most */
	uint64_t *hashes; /* of the units that were returned; 0: was not */
	size_t hash_room;
	uint64_t sent; /* bytes of a log that were returned */
};

struct es_change {
	const struct es_space *space;
	struct change_region *regions;
	size_t count, room;
	uint32_t rings, parts; /* that the regions include */
	uint64_t parts_end;    /* offset behind them */
	/* The place of the pass. */
	enum change_kind kind;
	size_t region;
	uint64_t unit;
};

paths_status
es_change_open(struct es_change **change)
{
	*change = calloc(1, sizeof(**change));
	return *change != NULL ? PATHS_OK :
				 paths_log_fail(PATHS_ENOMEM, "no memory");
}

void
es_change_close(struct es_change *c)
{
	if (c == NULL)
		return;
	for (size_t n = 0; n < c->count; n++)
		free(c->regions[n].hashes);
	free(c->regions);
	free(c);
}

/* --- regions ------------------------------------------------------------- */

static bool
change_add(struct es_change *c, enum change_kind kind, const void *at,
    size_t unit, uint64_t room)
{
	if (at == NULL || room == 0)
		return true;
	if (!paths__array_grow(&c->regions, c->count, &c->room,
		sizeof(*c->regions)))
		return false;
	c->regions[c->count++] = (struct change_region){
		.kind = kind,
		.offset = (uint64_t)((const char *)at - c->space->base),
		.unit = unit,
		.room = room,
	};
	return true;
}

static bool
change_add_ring(struct es_change *c, const struct es__ring *ring)
{
	return ring->hot == NULL ||
	    (change_add(c, CHANGE_ROWS, ring->profile, sizeof(*ring->profile),
		 (uint64_t)ring->profile_ops * ring->profile_classes) &&
		change_add(c, CHANGE_ROWS, ring->matrix, sizeof(*ring->matrix),
		    (uint64_t)ring->matrix_peers * ring->matrix_categories) &&
		change_add(c, CHANGE_WORDS,
		    (const char *)ring->hot + CHANGE_WORDS_AT,
		    CHANGE_WORDS_BYTES, 1));
}

/* Returns true if the rows of a part are not damaged. */
static bool
change_has_rows(const struct es_change *c, const struct es_space_part *part)
{
	for (uint32_t n = 0; n < c->space->rows_count; n++)
		if (c->space->rows[n] == part)
			return true;
	return false;
}

static bool
change_add_part(struct es_change *c, const struct es_space_part *part)
{
	if (!change_add(c, CHANGE_HEADER, part, ES_SPACE_PART_RING, 1))
		return false;
	if (part->kind == ES_PART_RING || !change_has_rows(c, part))
		return true;
	return change_add(c,
	    part->kind == ES_PART_LOG ? CHANGE_LOG : CHANGE_PART, part + 1,
	    part->row_bytes, part->room);
}

/* Adds the collectors and parts that the regions do not include yet. */
static bool
change_add_all(struct es_change *c)
{
	const struct es_space_part *part;

	for (; c->rings < c->space->ring_count; c->rings++)
		if (!change_add_ring(c, &c->space->rings[c->rings]))
			return false;
	if (c->parts == 0)
		c->parts_end = c->space->head->file_bytes;
	for (; c->parts < c->space->part_count; c->parts++) {
		part = es__part_at(c->space, c->parts_end);
		if (part == NULL ||
		    c->space->bytes - c->parts_end < ES_SPACE_PAGE)
			break;
		if (!change_add_part(c, part))
			return false;
		c->parts_end += part->bytes;
	}
	return true;
}

paths_status
es_change_begin(struct es_change *c, const struct es_space *space)
{
	c->space = space;
	c->kind = CHANGE_HEADER;
	c->region = 0;
	c->unit = 0;
	return change_add_all(c) ? PATHS_OK :
				   paths_log_fail(PATHS_ENOMEM, "no memory");
}

/* --- units --------------------------------------------------------------- */

/* Returns a hash that is not 0.  Most units are words. */
static uint64_t
change_hash(const void *from, size_t bytes)
{
	uint64_t hash = bytes, word = 0;
	const char *at = from;

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		at += sizeof(word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash | 1;
}

static bool
change_is_zero(const char *bytes, size_t count)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Returns the number of units that exist. */
static uint64_t
change_used(const struct es_change *c, const struct change_region *r)
{
	const struct es_space_part *part;
	uint64_t used = r->room;

	if (r->kind == CHANGE_PART || r->kind == CHANGE_LOG) {
		part =
		    (const struct es_space_part *)(c->space->base + r->offset) -
		    1;
		/* Acquire: the rows below this count are complete. */
		used = atomic_load_explicit(&part->used, memory_order_acquire);
	}
	if (used > r->room)
		used = r->room;
	if (used > (c->space->bytes - r->offset) / r->unit)
		used = (c->space->bytes - r->offset) / r->unit;
	return used;
}

/* Copies a unit as it was at one moment, unless it changes at each try. */
static void
change_copy(void *to, const void *from, size_t bytes)
{
	for (int try = 0; try < CHANGE_TRIES; try++) {
		memcpy(to, from, bytes);
		es_space_fence(memory_order_acquire);
		if (memcmp(to, from, bytes) == 0)
			return;
	}
}

/* Gets the bytes that were appended to a log.  Returns false if there is
   none. */
static bool
change_log(struct es_change *c, struct change_region *r,
    struct es_change_piece *piece)
{
	uint64_t used = change_used(c, r);
	uint64_t left = used > r->sent ? used - r->sent : 0;

	if (left == 0)
		return false;
	piece->bytes = left < piece->room ? (size_t)left : piece->room;
	piece->offset = r->offset + r->sent;
	memcpy(piece->to, c->space->base + piece->offset, piece->bytes);
	r->sent += piece->bytes;
	return true;
}

/* Copies a unit and returns its hash; 0: it is as it was. */
static uint64_t
change_unit(const struct es_change *c, const struct change_region *r, void *to)
{
	const char *from = c->space->base + r->offset + c->unit * r->unit;
	uint64_t hash;

	/* Besides counts, which a copy keeps itself, a header is constant. */
	if (r->kind == CHANGE_HEADER && r->hashes[0] != 0)
		return 0;
	change_copy(to, from, r->unit);
	hash = change_hash(to, r->unit);
	/* A copy begins with zeros. */
	if (hash == r->hashes[c->unit] ||
	    (r->hashes[c->unit] == 0 && r->kind == CHANGE_ROWS &&
		change_is_zero(to, r->unit)))
		return 0;
	return hash;
}

/* Gives a region hashes for its units.  Without memory, fewer are returned. */
static uint64_t
change_make_hashes(struct change_region *r, uint64_t used)
{
	size_t before = r->hash_room;

	if (!paths__array_reserve(&r->hashes, used, &r->hash_room,
		sizeof(*r->hashes)))
		return before;
	memset(r->hashes + before, 0,
	    (r->hash_room - before) * sizeof(*r->hashes));
	return used;
}

/* Gets the next unit that has changed.  Returns false if there is none. */
static bool
change_rows(struct es_change *c, struct change_region *r,
    struct es_change_piece *piece)
{
	uint64_t used = change_make_hashes(r, change_used(c, r));

	piece->bytes = 0;
	for (; c->unit < used; c->unit++) {
		uint64_t hash;

		if (piece->room < r->unit)
			return true;
		hash = change_unit(c, r, piece->to);
		if (hash == 0)
			continue;
		piece->bytes = r->unit;
		piece->offset = r->offset + c->unit * r->unit;
		r->hashes[c->unit++] = hash;
		return true;
	}
	return false;
}

bool
es_change_next(struct es_change *c, bool logs, struct es_change_piece *piece)
{
	const enum change_kind end = logs ? CHANGE_KINDS : CHANGE_LOG;

	for (; c->kind < end; c->kind++, c->region = 0) {
		for (; c->region < c->count; c->region++, c->unit = 0) {
			struct change_region *r = &c->regions[c->region];

			if (r->kind == c->kind &&
			    (r->kind == CHANGE_LOG ? change_log(c, r, piece) :
						     change_rows(c, r, piece)))
				return true;
		}
	}
	return false;
}
