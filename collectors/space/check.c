/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/check.c - trust nothing that a space file says
 *
 * Definitions that do not hold refuse the file.  What lies behind them may be
 * cut off: then es_space_damage tells what is missing, and the rest is read.
 */

#include "collectors/space/space_private.h"

#include "libpaths/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of damage; a last one counts what has no line. */
#define DAMAGE_MAX 32u

paths_status
es__space_damage(struct es_space *space, const char *fmt, ...)
{
	va_list args;
	char *line;
	int length;

	va_start(args, fmt);
	length = vasprintf(&line, fmt, args);
	va_end(args);
	if (length < 0)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	space->damage[space->damage_count++] = line;
	return PATHS_OK;
}

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

bool
es__space_inside(uint64_t offset, uint64_t count, uint64_t bytes, uint64_t from,
    uint64_t to)
{
	uint64_t all;

	return offset % 8 == 0 && offset >= from && offset <= to &&
	    !__builtin_mul_overflow(count, bytes, &all) && all <= to - offset;
}

static paths_status
check_identity(const struct es_space *space)
{
	const struct es_space_head *h = space->head;

	if (space->bytes == 0)
		return check_refuse(space, "the file is empty");
	if (space->bytes < sizeof(*h))
		return check_refuse(space, "cut short in its head");
	if (memcmp(h->magic, ES_SPACE_MAGIC, sizeof(h->magic)) != 0)
		return check_refuse(space, "not an event space");
	if (h->byte_order == __builtin_bswap32(ES_SPACE_BYTE_ORDER))
		return paths_log_fail(PATHS_EABI,
		    "%s: written in the other byte order", space->name);
	if (h->byte_order != ES_SPACE_BYTE_ORDER)
		return check_refuse(space, "its byte order mark is changed");
	if (h->version != ES_SPACE_VERSION)
		return paths_log_fail(PATHS_EABI,
		    "%s: format version %u; this reads version %u", space->name,
		    h->version, ES_SPACE_VERSION);
	if (h->definitions_bytes < ES_SPACE_PAGE ||
	    h->definitions_bytes > h->file_bytes)
		return check_refuse(space, "its definitions have no size");
	if (h->definitions_bytes > space->bytes)
		return check_refuse(space, "cut short in its definitions");
	if (h->checksum !=
	    es__space_checksum(space->base + ES_SPACE_CHECKED,
		h->definitions_bytes - ES_SPACE_CHECKED))
		return check_refuse(space, "its definitions were changed");
	return PATHS_OK;
}

/* The checksum holds; what follows is against files made to deceive. */
static paths_status
check_head(const struct es_space *space)
{
	const struct es_space_head *h = space->head;
	uint64_t end = h->definitions_bytes;

	if (h->head_bytes != ES_SPACE_PAGE ||
	    !check_text(h->process_name, sizeof(h->process_name)) ||
	    !check_text(h->host_name, sizeof(h->host_name)) ||
	    !check_text(h->clock_domain, sizeof(h->clock_domain)))
		return check_refuse(space, "its head does not hold");
	if (!es__space_inside(h->types_offset, h->type_count,
		sizeof(struct es_space_type), ES_SPACE_PAGE, end) ||
	    !es__space_inside(h->fields_offset, h->field_count,
		sizeof(struct es_space_field), ES_SPACE_PAGE, end) ||
	    !es__space_inside(h->collectors_offset, h->collector_count,
		sizeof(struct es_space_ring), ES_SPACE_PAGE, end) ||
	    !es__space_inside(h->map_offset, h->map_bytes, 1, ES_SPACE_PAGE,
		end - 1) ||
	    space->base[h->map_offset + h->map_bytes] != 0)
		return check_refuse(space, "a table lies outside the file");
	if (!es__space_inside(h->live_offset, 1, sizeof(struct es_space_live),
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
		return check_refuse(space, "a tuple type does not hold");
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

/* Everything a collector claims lies in [lo, hi) of the file. */
static bool
check_claims(const struct es_space *space, const struct es_space_ring *place,
    uint64_t lo, uint64_t hi)
{
	const struct es_space_head *h = space->head;

	return place->type < h->type_count &&
	    place->tuple_bytes == space->types[place->type].bytes &&
	    place->capacity > 0 &&
	    es__space_inside(place->hot_offset, 1, sizeof(struct es_space_hot),
		lo, hi) &&
	    es__space_inside(place->ring_offset, place->capacity,
		place->tuple_bytes, lo, hi) &&
	    es__space_inside(place->profile_offset,
		(uint64_t)place->profile_ops * place->profile_classes,
		sizeof(struct es_space_profile_row), lo, hi) &&
	    es__space_inside(place->matrix_offset,
		(uint64_t)place->matrix_peers * place->matrix_categories,
		sizeof(struct es_space_matrix_row), lo, hi);
}

/* A part of the file; NULL where it is cut off. */
static void *
check_part(const struct es_space *space, uint64_t offset, uint64_t bytes)
{
	if (offset > space->bytes || bytes > space->bytes - offset)
		return NULL;
	return space->base + offset;
}

static void
check_ring_parts(const struct es_space *space, const struct es_space_ring *from,
    struct es__ring *ring)
{
	uint64_t left = from->ring_offset < space->bytes ?
	    (space->bytes - from->ring_offset) / from->tuple_bytes :
	    0;
	const struct es_tuple_field *stop;

	ring->hot = check_part(space, from->hot_offset, sizeof(*ring->hot));
	ring->tuples = space->base + from->ring_offset;
	ring->slots = left < from->capacity ? left : from->capacity;
	ring->profile = check_part(space, from->profile_offset,
	    (uint64_t)from->profile_ops * from->profile_classes *
		sizeof(*ring->profile));
	ring->matrix = check_part(space, from->matrix_offset,
	    (uint64_t)from->matrix_peers * from->matrix_categories *
		sizeof(*ring->matrix));
	stop = es_tuple_field_find(ring->type, "stop");
	ring->stop_offset = stop != NULL ? stop->offset : UINT32_MAX;
}

static bool
check_counts(const struct es__ring *ring)
{
	/* In this order: each is never behind the one before it. */
	uint64_t completed =
	    atomic_load_explicit(&ring->hot->completed, memory_order_acquire);
	uint64_t filled =
	    atomic_load_explicit(&ring->hot->filled, memory_order_acquire);
	uint64_t reserved =
	    atomic_load_explicit(&ring->hot->reserved, memory_order_acquire);

	return completed <= filled && filled <= reserved;
}

/* What is wrong with a collector; NULL when nothing is. */
static const char *
check_ring_damage(const struct es__ring *ring)
{
	if (ring->hot == NULL)
		return "is cut off";
	if (!check_counts(ring))
		return "has counts that contradict each other";
	if (ring->profile == NULL || ring->matrix == NULL)
		return "has lost its profile or matrix: the file is cut short";
	if (ring->slots < ring->capacity)
		return "has lost tuples: the file is cut short";
	return NULL;
}

paths_status
es__space_check_ring(struct es_space *space, uint32_t n,
    const struct es_space_ring *place, uint64_t from, uint64_t to)
{
	struct es__ring *ring = &space->rings[n];
	const char *damage;

	if (!check_claims(space, place, from, to))
		return check_refuse(space, "a collector lies outside the file");
	*ring = (struct es__ring){
		.type = &space->types[place->type],
		.capacity = place->capacity,
		.instance = place->instance,
		.profile_ops = place->profile_ops,
		.profile_classes = place->profile_classes,
		.matrix_peers = place->matrix_peers,
		.matrix_categories = place->matrix_categories,
	};
	check_ring_parts(space, place, ring);
	damage = check_ring_damage(ring);
	if (damage == NULL || ++space->damaged > DAMAGE_MAX)
		return PATHS_OK;
	return es__space_damage(space, "%s: collector %u (instance %u) %s",
	    space->name, n, ring->instance, damage);
}

static paths_status
check_rings(struct es_space *space)
{
	const struct es_space_head *h = space->head;
	const struct es_space_ring *places =
	    (const struct es_space_ring *)(space->base + h->collectors_offset);
	paths_status st = PATHS_OK;

	if (space->bytes < h->file_bytes)
		st = es__space_damage(space,
		    "%s: cut short: %llu bytes of %llu are there", space->name,
		    (unsigned long long)space->bytes,
		    (unsigned long long)h->file_bytes);
	for (uint32_t i = 0; i < h->collector_count && st == PATHS_OK; i++)
		st = es__space_check_ring(space, i, &places[i],
		    h->definitions_bytes, h->file_bytes);
	if (st == PATHS_OK)
		st = es__space_check_parts(space);
	if (st == PATHS_OK && space->damaged > DAMAGE_MAX)
		st = es__space_damage(space,
		    "%s: %u more collectors are damaged", space->name,
		    space->damaged - DAMAGE_MAX);
	return st;
}

static paths_status
check_memory(struct es_space *space)
{
	const struct es_space_head *h = space->head;

	uint32_t parts = es__space_count_parts(space);

	/* Of those that a live process adds from now on nothing is seen. */
	space->part_count = parts;
	/* The counts are bounded by the size of the file; see check_head. */
	space->types = calloc(h->type_count + (size_t)1, sizeof(*space->types));
	space->fields =
	    calloc(h->field_count + (size_t)1, sizeof(*space->fields));
	space->ring_count = h->collector_count;
	space->rings = calloc(h->collector_count + (size_t)parts + 1,
	    sizeof(*space->rings));
	space->rows = calloc(parts + (size_t)1, sizeof(*space->rows));
	space->damage = calloc(DAMAGE_MAX + 3, sizeof(*space->damage));
	if (space->types == NULL || space->fields == NULL ||
	    space->rings == NULL || space->rows == NULL ||
	    space->damage == NULL)
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
		space->live = check_part(space, space->head->live_offset,
		    sizeof(*space->live));
		st = check_rings(space);
	}
	return st;
}
