/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/check.c - checks every definition in a space file
 *
 * A file with wrong definitions is refused.  The parts behind the definitions
 * may be cut off: es_space_damage reports the missing parts, and the rest is
 * read.
 */

#include "collectors/space/check_private.h"

#include "collectors/space/checksum_private.h"
#include "collectors/space/damage_private.h"
#include "collectors/space/live_private.h"
#include "collectors/space/part_private.h"
#include "collectors/space/ring_private.h"
#include "collectors/space/verify_private.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

static paths_status
check_refuse(const struct es_space *space, const char *what)
{
	return paths_log_fail(PATHS_EDAMAGED, "%s: %s", space->name, what);
}

static bool
check_text(const char *text, size_t bytes)
{
	return memchr(text, 0, bytes) != NULL;
}

/* Returns the checksum that the definitions should have. */
static uint32_t
check_sum(const struct es_space *space)
{
	const struct es_space_head *h = space->head;
	const char *from = space->base + ES_SPACE_CHECKED;
	size_t count = h->definitions_bytes - ES_SPACE_CHECKED;

	return h->version == 2 ? es__checksum_2(from, count) :
				 es__checksum(0, from, count);
}

static paths_status
check_identity(const struct es_space *space)
{
	const struct es_space_head *h = space->head;

	if (space->bytes == 0)
		return check_refuse(space, "the file is empty");
	if (space->bytes < sizeof(*h))
		return check_refuse(space, "cut short in its head");
	if (memcmp(h->magic, ES_SPACE_MAGIC, sizeof(h->magic)) != 0 &&
	    !es__space_is_copy(h))
		return check_refuse(space, "not an event space");
	if (h->byte_order == __builtin_bswap32(ES_SPACE_BYTE_ORDER))
		return paths_log_fail(PATHS_EABI,
		    "%s: written in the other byte order", space->name);
	if (h->byte_order != ES_SPACE_BYTE_ORDER)
		return check_refuse(space, "its byte order mark is changed");
	if (h->version < ES_SPACE_VERSION_OLDEST ||
	    h->version > ES_SPACE_VERSION)
		return paths_log_fail(PATHS_EABI,
		    "%s: format version %u; this reads versions %u to %u",
		    space->name, h->version, ES_SPACE_VERSION_OLDEST,
		    ES_SPACE_VERSION);
	if (h->definitions_bytes < ES_SPACE_PAGE ||
	    h->definitions_bytes > h->file_bytes)
		return check_refuse(space, "its definitions have no size");
	if (h->definitions_bytes > space->bytes)
		return check_refuse(space, "cut short in its definitions");
	if (h->checksum != check_sum(space))
		return check_refuse(space, "its definitions were changed");
	return PATHS_OK;
}

/* Checks that texts end and tables lie in the file, because a hostile file may
   have a right checksum. */
static paths_status
check_head(const struct es_space *space)
{
	const struct es_space_head *h = space->head;
	uint64_t end = h->definitions_bytes;

	if (h->head_bytes != ES_SPACE_PAGE ||
	    !check_text(h->process_name, sizeof(h->process_name)) ||
	    !check_text(h->host_name, sizeof(h->host_name)) ||
	    !check_text(h->clock_domain, sizeof(h->clock_domain)))
		return check_refuse(space, "its head is damaged");
	if (!es__ring_inside(h->types_offset, h->type_count,
		sizeof(struct es_space_type), ES_SPACE_PAGE, end) ||
	    !es__ring_inside(h->fields_offset, h->field_count,
		sizeof(struct es_space_field), ES_SPACE_PAGE, end) ||
	    !es__ring_inside(h->collectors_offset, h->collector_count,
		es__ring_place_bytes(space), ES_SPACE_PAGE, end) ||
	    !es__ring_inside(h->map_offset, h->map_bytes, 1, ES_SPACE_PAGE,
		end - 1) ||
	    space->base[h->map_offset + h->map_bytes] != 0)
		return check_refuse(space, "a table lies outside the file");
	if (!es__ring_inside(h->live_offset, 1, sizeof(struct es_space_live),
		end, h->file_bytes))
		return check_refuse(space, "its live part lies outside");
	return PATHS_OK;
}

static paths_status
check_type(struct es_space *space, const struct es_space_type *from,
    struct es_tuple_type *type)
{
	const struct es_space_head *h = space->head;
	const struct es_space_field *f =
	    (const struct es_space_field *)(space->base + h->fields_offset);

	if (!check_text(from->name, sizeof(from->name)) ||
	    !check_text(from->about, sizeof(from->about)) ||
	    from->field_first > h->field_count ||
	    from->field_count > h->field_count - from->field_first)
		return check_refuse(space, "a tuple type is damaged");
	*type = (struct es_tuple_type){
		.name = from->name,
		.about = from->about,
		.bytes = from->bytes,
		.field_count = from->field_count,
		.fields = &space->fields[from->field_first],
	};
	f += from->field_first;
	for (uint32_t i = 0; i < from->field_count; i++, f++) {
		if (!check_text(f->name, sizeof(f->name)) ||
		    !check_text(f->unit, sizeof(f->unit)) ||
		    !check_text(f->about, sizeof(f->about)))
			return check_refuse(space, "a field has no name");
		space->fields[from->field_first + i] = (struct es_tuple_field){
			.name = f->name,
			.kind = (enum paths_type_kind)f->kind,
			.offset = f->offset,
			.bytes = f->bytes,
			.unit = f->unit,
			.about = f->about,
		};
	}
	if (es_tuple_type_check(type) != PATHS_OK)
		return check_refuse(space, "a tuple type breaks its rules");
	return PATHS_OK;
}

static paths_status
check_types(struct es_space *space)
{
	const struct es_space_head *h = space->head;
	const struct es_space_type *from =
	    (const struct es_space_type *)(space->base + h->types_offset);

	for (uint32_t i = 0; i < h->type_count; i++) {
		paths_status st = check_type(space, &from[i], &space->types[i]);

		if (st != PATHS_OK)
			return st;
	}
	return PATHS_OK;
}

static paths_status
check_rings(struct es_space *space)
{
	const struct es_space_head *h = space->head;
	const char *places = space->base + h->collectors_offset;
	size_t bytes = es__ring_place_bytes(space);
	paths_status st = PATHS_OK;

	if (space->bytes < h->file_bytes)
		st = es__damage_add(space,
		    "%s: cut short: %llu bytes of %llu are there", space->name,
		    (unsigned long long)space->bytes,
		    (unsigned long long)h->file_bytes);
	for (uint32_t i = 0; i < h->collector_count && st == PATHS_OK; i++)
		st = es__ring_check(space, i, places + i * bytes,
		    h->definitions_bytes, h->file_bytes);
	if (st == PATHS_OK)
		st = es__part_check(space);
	return st;
}

/* Checks tuples, unless they were checked elsewhere, or are opened by a process
   that records or switches modes: such a one does not read them. */
static paths_status
check_tuples(struct es_space *space)
{
	paths_status st = PATHS_OK;

	if (!space->writable && !space->borrowed)
		st = es__verify(space);
	if (st == PATHS_OK && space->damaged > ES__DAMAGE_MAX)
		st = es__damage_add(space, "%s: %u more places are damaged",
		    space->name, space->damaged - ES__DAMAGE_MAX);
	return st;
}

static paths_status
check_memory(struct es_space *space)
{
	const struct es_space_head *h = space->head;

	uint32_t parts = es__part_count(space);

	/* Parts that a live process adds from now on are ignored. */
	space->part_count = parts;
	/* The counts are bounded by the size of the file; see check_head. */
	space->types = calloc(h->type_count + (size_t)1, sizeof(*space->types));
	space->fields =
	    calloc(h->field_count + (size_t)1, sizeof(*space->fields));
	space->ring_count = h->collector_count;
	space->rings = calloc(h->collector_count + (size_t)parts + 1,
	    sizeof(*space->rings));
	space->rows = calloc(parts + (size_t)1, sizeof(*space->rows));
	if (space->types == NULL || space->fields == NULL ||
	    space->rings == NULL || space->rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	return PATHS_OK;
}

paths_status
es__space_check(struct es_space *space)
{
	paths_status st;

	space->head = (const struct es_space_head *)space->base;
	st = check_identity(space);
	if (st == PATHS_OK)
		st = check_head(space);
	if (st == PATHS_OK)
		st = check_memory(space);
	if (st == PATHS_OK)
		st = check_types(space);
	if (st == PATHS_OK) {
		space->live = es__ring_part(space, space->head->live_offset,
		    sizeof(*space->live));
		st = es__live_check(space);
	}
	if (st == PATHS_OK)
		st = check_rings(space);
	if (st == PATHS_OK)
		st = check_tuples(space);
	return st;
}
