/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/seq.c - extends the sequence numbers of a run to 64 bits
 *
 * A tuple has the lower 32 bits of its number.  Within a collector the number
 * of the first tuple that is retained is enough to extend the others.
 *
 * Collectors of a path may retain different first tuples, but tuples are
 * numbered in 64 bits.  A collector that recorded every operation of a path
 * gave tuple n to operation n; operations that failed or were not recorded move
 * the two apart, by less than 2^31.  So the number of the first operation is
 * the one that is nearest to the number of its tuple.
 *
 * It can be negative if nothing was recorded before a large number was reached.
 * Then 2^32 are added to all collectors above the same element, so that these
 * still agree.
 */

#include "scopes/run/seq_private.h"

#include "libpaths/log.h"
#include "scopes/operation.h"

#include <stdlib.h>
#include <string.h>

/* Returns the instance in which the operations of a collector end. */
static uint32_t
seq_end(const struct paths_map *map, const struct es_collector *c)
{
	uint32_t item = c->item, next;

	while ((next = paths_map_next(map, item)) != PATHS_NONE)
		item = next;
	return map->items[item].instance;
}

/* Sets the number of the first tuple of a path. */
static void
seq_nearest(struct es_collector *c)
{
	uint32_t seq = es_operation_get(c, 0)->seq;

	c->seq = c->first + (uint64_t)(int32_t)(seq - (uint32_t)c->first);
}

/* Sets the number of the first tuple of another type, if it has one. */
static void
seq_first(struct es_collector *c)
{
	const struct es_tuple_field *field =
	    es_tuple_field_find(c->type, "seq");
	uint32_t seq;

	if (field == NULL || field->kind != PATHS_TYPE_U32)
		return;
	memcpy(&seq, (const char *)es_collector_tuple(c, 0) + field->offset,
	    sizeof(seq));
	c->seq = seq;
}

static bool
seq_counts_path(const struct es_collector *c)
{
	return c->count > 0 && es_operation_type(c) == ES_OPERATION_PATH;
}

paths_status
es__seq_extend(struct es_run *run)
{
	bool *negative = calloc((size_t)run->map->instance_count + 1, 1);

	if (negative == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	for (uint32_t n = 0; n < run->collector_count; n++) {
		struct es_collector *c = &run->collectors[n];

		if (!seq_counts_path(c)) {
			if (c->count > 0)
				seq_first(c);
			continue;
		}
		seq_nearest(c);
		negative[seq_end(run->map, c)] |= (int64_t)c->seq < 0;
	}
	for (uint32_t n = 0; n < run->collector_count; n++) {
		struct es_collector *c = &run->collectors[n];

		if (seq_counts_path(c) && negative[seq_end(run->map, c)])
			c->seq += UINT64_C(1) << 32;
	}
	free(negative);
	return PATHS_OK;
}
