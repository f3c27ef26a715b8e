/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/ring.c - finds and checks the parts of one collector
 */

#include "collectors/space/ring_private.h"

#include "collectors/space/damage_private.h"
#include "libpaths/log.h"

bool
es__ring_inside(uint64_t offset, uint64_t count, uint64_t bytes, uint64_t from,
    uint64_t to)
{
	uint64_t all;

	return offset % 8 == 0 && offset >= from && offset <= to &&
	    !__builtin_mul_overflow(count, bytes, &all) && all <= to - offset;
}

/* Returns true when all parts of a collector lie in [lo, hi) of the file. */
static bool
ring_is_inside(const struct es_space *space, const struct es_space_ring *place,
    uint64_t lo, uint64_t hi)
{
	const struct es_space_head *h = space->head;

	return place->type < h->type_count &&
	    place->tuple_bytes == space->types[place->type].bytes &&
	    place->capacity > 0 &&
	    es__ring_inside(place->hot_offset, 1, sizeof(struct es_space_hot),
		lo, hi) &&
	    es__ring_inside(place->ring_offset, place->capacity,
		place->tuple_bytes, lo, hi) &&
	    es__ring_inside(place->profile_offset,
		(uint64_t)place->profile_ops * place->profile_classes,
		sizeof(struct es_space_profile_row), lo, hi) &&
	    es__ring_inside(place->matrix_offset,
		(uint64_t)place->matrix_peers * place->matrix_categories,
		sizeof(struct es_space_matrix_row), lo, hi);
}

void *
es__ring_part(const struct es_space *space, uint64_t offset, uint64_t bytes)
{
	if (offset > space->bytes || bytes > space->bytes - offset)
		return NULL;
	return space->base + offset;
}

static void
ring_find_parts(const struct es_space *space, const struct es_space_ring *from,
    struct es__ring *ring)
{
	uint64_t left = from->ring_offset < space->bytes ?
	    (space->bytes - from->ring_offset) / from->tuple_bytes :
	    0;
	const struct es_tuple_field *stop;

	ring->hot = es__ring_part(space, from->hot_offset, sizeof(*ring->hot));
	ring->tuples = space->base + from->ring_offset;
	ring->slots = left < from->capacity ? left : from->capacity;
	ring->profile = es__ring_part(space, from->profile_offset,
	    (uint64_t)from->profile_ops * from->profile_classes *
		sizeof(*ring->profile));
	ring->matrix = es__ring_part(space, from->matrix_offset,
	    (uint64_t)from->matrix_peers * from->matrix_categories *
		sizeof(*ring->matrix));
	stop = es_tuple_field_find(ring->type, "stop");
	ring->stop_offset = stop != NULL ? stop->offset : UINT32_MAX;
}

static bool
ring_counts_agree(const struct es__ring *ring)
{
	/* Read in this order, no count is below the one before it. */
	uint64_t completed =
	    atomic_load_explicit(&ring->hot->completed, memory_order_acquire);
	uint64_t filled =
	    atomic_load_explicit(&ring->hot->filled, memory_order_acquire);
	uint64_t reserved =
	    atomic_load_explicit(&ring->hot->reserved, memory_order_acquire);

	return completed <= filled && filled <= reserved;
}

/* Returns the damage to a collector, or NULL. */
static const char *
ring_damage(const struct es__ring *ring)
{
	if (ring->hot == NULL)
		return "is cut off";
	if (!ring_counts_agree(ring))
		return "has counts that contradict each other";
	if (ring->profile == NULL || ring->matrix == NULL)
		return "has lost its profile or matrix: the file is cut short";
	if (ring->slots < ring->capacity)
		return "has lost tuples: the file is cut short";
	return NULL;
}

paths_status
es__ring_check(struct es_space *space, uint32_t n,
    const struct es_space_ring *place, uint64_t from, uint64_t to)
{
	struct es__ring *ring = &space->rings[n];
	const char *damage;

	if (!ring_is_inside(space, place, from, to))
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: a collector lies outside the file", space->name);
	*ring = (struct es__ring){
		.type = &space->types[place->type],
		.capacity = place->capacity,
		.instance = place->instance,
		.profile_ops = place->profile_ops,
		.profile_classes = place->profile_classes,
		.matrix_peers = place->matrix_peers,
		.matrix_categories = place->matrix_categories,
	};
	ring_find_parts(space, place, ring);
	damage = ring_damage(ring);
	if (damage == NULL || ++space->damaged > ES__DAMAGE_MAX)
		return PATHS_OK;
	return es__damage_add(space, "%s: collector %u (instance %u) %s",
	    space->name, n, ring->instance, damage);
}
