/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/layout.c - computes all offsets of an event-space file
 *
 * Sizes come from a path map, so each sum and product is checked for overflow;
 * es__layout_init reports an overflow once, at its end.
 */

#include "collectors/space/layout_private.h"

#include "collectors/space/chunk_private.h"
#include "collectors/space/record_ahead_private.h"
#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
layout_align(struct es__layout *l, uint64_t to)
{
	uint64_t end;

	if (__builtin_add_overflow(l->end, to - 1, &end))
		l->too_large = true;
	else
		l->end = end & ~(to - 1);
}

/* Appends `count` items of `bytes` bytes each.  Returns their offset. */
static uint64_t
layout_put(struct es__layout *l, uint64_t count, uint64_t bytes)
{
	uint64_t offset = l->end;
	uint64_t all;

	if (__builtin_mul_overflow(count, bytes, &all) ||
	    __builtin_add_overflow(l->end, all, &l->end) ||
	    l->end > INT64_MAX) {
		l->too_large = true;
		l->end = offset;
	}
	return offset;
}

static uint32_t
layout_type(struct es__layout *l, const struct es_tuple_type *type)
{
	for (uint32_t i = 0; i < l->head.type_count; i++) {
		if (es_tuple_type_equal(l->types[i], type))
			return i;
	}
	l->types[l->head.type_count] = type;
	l->head.field_count += type->field_count;
	return l->head.type_count++;
}

/* The type of added rings comes last; es_record_add_ring expects it there. */
static paths_status
layout_added(struct es__layout *l)
{
	paths_status st = es_tuple_type_check(l->spec->added);

	if (st == PATHS_OK) {
		l->types[l->head.type_count++] = l->spec->added;
		l->head.field_count += l->spec->added->field_count;
	}
	return st;
}

static paths_status
layout_rings(struct es__layout *l)
{
	for (uint32_t i = 0; i < l->spec->collector_count; i++) {
		const struct es_record_collector *c = &l->spec->collectors[i];
		paths_status st = es_tuple_type_check(c->type);

		if (st == PATHS_OK)
			st = es__record_ahead_check(c);
		if (st != PATHS_OK)
			return st;
		if (c->capacity == 0)
			return paths_log_fail(PATHS_EINVAL,
			    "collector %u: a ring of no tuples", i);
		l->rings[i] = (struct es_space_ring){
			.instance = c->instance,
			.type = layout_type(l, c->type),
			.tuple_bytes = c->type->bytes,
			.mode = c->mode,
			.capacity = c->capacity,
			.chunk_tuples = es__chunk_tuples(c),
			.profile_ops = c->profile_ops,
			.profile_classes = c->profile_classes,
			.matrix_peers = c->matrix_peers,
			.matrix_categories = c->matrix_categories,
		};
	}
	return l->spec->added != NULL ? layout_added(l) : PATHS_OK;
}

static void
layout_definitions(struct es__layout *l)
{
	struct es_space_head *h = &l->head;

	l->end = ES_SPACE_PAGE;
	h->types_offset =
	    layout_put(l, h->type_count, sizeof(struct es_space_type));
	h->fields_offset =
	    layout_put(l, h->field_count, sizeof(struct es_space_field));
	h->collectors_offset =
	    layout_put(l, h->collector_count, sizeof(struct es_space_ring));
	h->map_offset = layout_put(l, 1, l->spec->map_bytes);
	layout_put(l, 1, 1); /* the terminating 0 */
	h->definitions_bytes = l->end;
}

static void
layout_parts(struct es__layout *l)
{
	struct es_space_head *h = &l->head;

	layout_align(l, ES_SPACE_PAGE);
	h->live_offset = layout_put(l, 1, ES_SPACE_ALIGN);
	for (uint32_t i = 0; i < h->collector_count; i++)
		l->rings[i].hot_offset = layout_put(l, 1, ES_SPACE_ALIGN);
	for (uint32_t i = 0; i < h->collector_count; i++) {
		struct es_space_ring *r = &l->rings[i];

		r->profile_offset =
		    layout_put(l, (uint64_t)r->profile_ops * r->profile_classes,
			sizeof(struct es_space_profile_row));
		r->matrix_offset = layout_put(l,
		    (uint64_t)r->matrix_peers * r->matrix_categories,
		    sizeof(struct es_space_matrix_row));
		layout_align(l, ES_SPACE_ALIGN);
	}
	for (uint32_t i = 0; i < h->collector_count; i++) {
		struct es_space_ring *r = &l->rings[i];

		r->chunks_offset = layout_put(l,
		    es_space_chunk_count(r->capacity, r->chunk_tuples),
		    sizeof(struct es_space_chunk));
		layout_align(l, ES_SPACE_ALIGN);
	}
	l->rings_offset = l->end;
	for (uint32_t i = 0; i < h->collector_count; i++) {
		/* A ring that grows shares no page with another one. */
		if (l->spec->collectors[i].first != 0)
			layout_align(l, ES_SPACE_PAGE);
		l->rings[i].ring_offset = layout_put(l, l->rings[i].capacity,
		    l->rings[i].tuple_bytes);
		layout_align(l, ES_SPACE_ALIGN);
	}
	layout_align(l, ES_SPACE_PAGE);
	h->file_bytes = l->end;
}

static void
layout_process(struct es__layout *l)
{
	struct es_space_head *h = &l->head;

	h->version = ES_SPACE_VERSION;
	h->byte_order = ES_SPACE_BYTE_ORDER;
	h->head_bytes = ES_SPACE_PAGE;
	h->process = l->spec->process;
	h->pid = (uint64_t)getpid();
	h->hz = paths_clock_hz();
	h->resolution = paths_clock_resolution();
	paths_clock_pair(&h->start);
	snprintf(h->process_name, sizeof(h->process_name), "%s",
	    l->spec->process_name);
	if (gethostname(h->host_name, sizeof(h->host_name) - 1) != 0)
		h->host_name[0] = 0;
	snprintf(h->clock_domain, sizeof(h->clock_domain), "%s",
	    paths_clock_domain());
	h->collector_count = l->spec->collector_count;
	h->map_bytes = l->spec->map_bytes;
}

paths_status
es__layout_init(struct es__layout *l, const struct es_record_spec *spec)
{
	uint32_t count = spec->collector_count;
	paths_status st;

	memset(l, 0, sizeof(*l));
	l->spec = spec;
	l->types = calloc(count + (size_t)1, sizeof(*l->types));
	l->rings = calloc(count + (size_t)1, sizeof(*l->rings));
	if (l->types == NULL || l->rings == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the space of process %s",
		    spec->process_name);
	layout_process(l);
	st = layout_rings(l);
	if (st != PATHS_OK)
		return st;
	layout_definitions(l);
	layout_parts(l);
	if (l->too_large || l->end > SIZE_MAX)
		return paths_log_fail(PATHS_ERANGE,
		    "the rings of process %s are larger than a file can be",
		    l->spec->process_name);
	return PATHS_OK;
}

void
es__layout_fini(struct es__layout *l)
{
	free(l->types);
	free(l->rings);
}
