/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/part.c - finds and checks the parts added to a space
 *
 * Parts are consecutive, and the first one begins where the space ended when it
 * was created.  A part without a magic ends the list: the process is still
 * writing that part, or died while it wrote.
 */

#include "collectors/space/part_private.h"

#include "collectors/space/damage_private.h"
#include "collectors/space/ring_private.h"
#include "collectors/space/seal_private.h"
#include "libpaths/log.h"

#include <string.h>

/* Returns true if a header has its checksum, or this format has none.  A header
   whose ring is cut off cannot be checked. */
static bool
part_header_agrees(const struct es_space *space,
    const struct es_space_part *part, uint64_t at)
{
	uint64_t bytes = sizeof(*part) +
	    (part->kind == ES_PART_RING ? sizeof(struct es_space_ring) : 0);

	return space->head->version == 2 || space->bytes - at < bytes ||
	    part->checksum == es__seal_part(part);
}

const struct es_space_part *
es__part_at(const struct es_space *space, uint64_t at)
{
	const struct es_space_part *part;

	if (at > space->bytes || space->bytes - at < sizeof(*part))
		return NULL;
	part = (const struct es_space_part *)(space->base + at);
	if (memcmp(part->magic, ES_SPACE_PART_MAGIC, sizeof(part->magic)) != 0)
		return NULL;
	/* The writer publishes the magic last; see part_publish_locked. */
	es_space_fence(memory_order_acquire);
	if (part->bytes < ES_SPACE_PAGE || part->bytes % ES_SPACE_PAGE != 0 ||
	    part->bytes > INT64_MAX - at ||
	    !part_header_agrees(space, part, at))
		return NULL;
	return part;
}

/* Returns the offset of the first part, or UINT64_MAX if the space does not end
   at a page boundary. */
static uint64_t
part_first(const struct es_space *space)
{
	uint64_t at = space->head->file_bytes;

	return at % ES_SPACE_PAGE == 0 ? at : UINT64_MAX;
}

uint32_t
es__part_count(const struct es_space *space)
{
	const struct es_space_part *part;
	uint64_t at = part_first(space);
	uint32_t count = 0;

	for (; (part = es__part_at(space, at)) != NULL; at += part->bytes)
		count++;
	return count;
}

static bool
part_holds_rows(const struct es_space_part *part)
{
	bool row = part->kind == ES_PART_LOG ?
	    part->row_bytes == 1 :
	    part->row_bytes > 0 && part->row_bytes % 8 == 0;

	return row &&
	    part->room <= (part->bytes - sizeof(*part)) / part->row_bytes;
}

/* Returns true if the rows that had a checksum still have it.  Logs get one
   while they are written, others at the end. */
static bool
part_rows_agree(const struct es_space *space, const struct es_space_part *part)
{
	/* Relaxed: the rows are in the file longer than their checksum.  It is
	   read before `used`, which it is not above. */
	uint64_t sealed =
	    atomic_load_explicit(&part->sealed, memory_order_relaxed);
	uint64_t used = atomic_load_explicit(&part->used, memory_order_acquire);
	uint64_t count = sealed >> 32;
	uint64_t there =
	    (uint64_t)(space->base + space->bytes - (const char *)(part + 1)) /
	    part->row_bytes;

	if (space->head->version == 2 || used > UINT32_MAX)
		return used <= part->room || space->head->version == 2;
	if (used > part->room || count > used ||
	    (space->sealed && count != used))
		return false;
	if ((!space->sealed && part->kind != ES_PART_LOG) || count > there)
		return true;
	return (sealed == 0 && !space->sealed) ||
	    sealed == es__seal_rows(part, count);
}

static paths_status
part_take_rows(struct es_space *space, const struct es_space_part *part)
{
	if (!part_holds_rows(part))
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: a part of rows is damaged", space->name);
	if (!part_rows_agree(space, part))
		return es__damage_place(space,
		    "rows of type %u of thread %u, at byte %llu, are left out: "
		    "they are damaged",
		    part->what, part->owner,
		    (unsigned long long)((const char *)part - space->base));
	space->rows[space->rows_count++] = part;
	return PATHS_OK;
}

static paths_status
part_take(struct es_space *space, const struct es_space_part *part, uint64_t at)
{
	paths_status st;

	switch (part->kind) {
	case ES_PART_RING:
		/* The file is cut short before the tuples of the ring. */
		if (space->bytes - at < ES_SPACE_PART_TUPLES)
			return PATHS_OK;
		st = es__ring_check(space, space->ring_count,
		    (const char *)(part + 1), at, at + part->bytes);
		if (st == PATHS_OK)
			space->rings[space->ring_count++].owner = part->owner;
		return st;
	case ES_PART_ROWS:
	case ES_PART_LOG:
		return part_take_rows(space, part);
	default:
		return es__damage_add(space, "%s: a part of unknown kind %u",
		    space->name, part->kind);
	}
}

/* Reports the parts that are missing, the first of which is at an offset. */
static paths_status
part_check_count(struct es_space *space, uint64_t at)
{
	const struct es_space_live *live = space->live;
	uint32_t count;

	if (space->head->version == 2 || live == NULL)
		return PATHS_OK;
	/* Acquire: a part that is counted is in the file.  Parts that were
	   added after es__part_count are ignored. */
	count = atomic_load_explicit(&live->parts, memory_order_acquire);
	if (count <= space->part_count || at == space->bytes ||
	    es__part_at(space, at) != NULL)
		return PATHS_OK;
	return es__damage_place(space,
	    "part %u, at byte %llu, and those behind it are left out: its "
	    "header is damaged",
	    space->part_count, (unsigned long long)at);
}

paths_status
es__part_check(struct es_space *space)
{
	const struct es_space_part *part;
	uint64_t at = part_first(space);
	bool reported = false;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < space->part_count &&
	     (part = es__part_at(space, at)) != NULL;
	     at += part->bytes, n++) {
		if (part->kind > ES_PART_LOG && reported)
			continue;
		reported = reported || part->kind > ES_PART_LOG;
		st = part_take(space, part, at);
	}
	if (st == PATHS_OK && at != UINT64_MAX && at > space->bytes &&
	    space->bytes >= space->head->file_bytes)
		st = es__damage_add(space,
		    "%s: cut short: %llu bytes of %llu are there", space->name,
		    (unsigned long long)space->bytes, (unsigned long long)at);
	if (st == PATHS_OK && at <= space->bytes)
		st = part_check_count(space, at);
	return st;
}

paths_status
es_space_rows(const struct es_space *space, uint32_t n,
    struct es_space_rows *rows)
{
	const struct es_space_part *part;
	uint64_t there, used;

	if (n >= space->rows_count)
		return paths_log_fail(PATHS_ENOENT, "%s: no rows %u",
		    space->name, n);
	part = space->rows[n];
	there = (uint64_t)(space->base + space->bytes - (char *)(part + 1)) /
	    part->row_bytes;
	/* Acquire: the rows below this count are complete. */
	used = atomic_load_explicit(&part->used, memory_order_acquire);
	if (used > part->room)
		used = part->room;
	*rows = (struct es_space_rows){
		.kind = (enum es_space_part_kind)part->kind,
		.what = part->what,
		.owner = part->owner,
		.row_bytes = part->row_bytes,
		.count = used < there ? used : there,
		.rows = part + 1,
	};
	return PATHS_OK;
}
