/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/ring.c - finds and checks the parts of one collector
 */

#include "collectors/space/ring_private.h"

#include "collectors/space/damage_private.h"
#include "collectors/space/read_private.h"
#include "collectors/space/seal_private.h"
#include "libpaths/log.h"

#include <string.h>
#include <time.h>

/* Attempts to read the counts of a copy that is being updated: its writer may
   be without a core for several time slices. */
#define RING_TRIES 1000
#define RING_PAUSE_NS 100000

bool
es__ring_inside(uint64_t offset, uint64_t count, uint64_t bytes, uint64_t from,
    uint64_t to)
{
	uint64_t all;

	return offset % 8 == 0 && offset >= from && offset <= to &&
	    !__builtin_mul_overflow(count, bytes, &all) && all <= to - offset;
}

size_t
es__ring_place_bytes(const struct es_space *space)
{
	return space->head->version == 2 ? ES_SPACE_RING_BYTES_2 :
					   sizeof(struct es_space_ring);
}

/* Returns true when the table of chunks lies in [lo, hi) of the file, or there
   is none in this format. */
static bool
ring_has_chunks(const struct es_space *space, const struct es_space_ring *place,
    uint64_t lo, uint64_t hi)
{
	if (space->head->version == 2)
		return true;
	return place->chunk_tuples > 0 &&
	    place->chunk_tuples <= place->capacity &&
	    es__ring_inside(place->chunks_offset,
		es_space_chunk_count(place->capacity, place->chunk_tuples),
		sizeof(struct es_space_chunk), lo, hi);
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
		sizeof(struct es_space_matrix_row), lo, hi) &&
	    ring_has_chunks(space, place, lo, hi);
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
	if (from->chunk_tuples > 0)
		ring->chunks = es__ring_part(space, from->chunks_offset,
		    es_space_chunk_count(from->capacity, from->chunk_tuples) *
			sizeof(*ring->chunks));
	stop = es_tuple_field_find(ring->type, "stop");
	ring->stop_offset = stop != NULL ? stop->offset : UINT32_MAX;
}

/* Returns true if the place of the next slot follows from the counts.  Between
   reserve and fill it is either that of `filled` or that of `reserved`.  While
   the ring grows it is still 0, or was when it was read. */
static bool
ring_next_agrees(const struct es__ring *ring, uint64_t filled)
{
	struct es_space_hot *hot = ring->hot;
	uint64_t next = hot->next;
	uint64_t reserved =
	    atomic_load_explicit(&hot->reserved, memory_order_acquire);
	uint32_t bytes = ring->type->bytes;
	uint64_t slots, base;

	es_space_fence(memory_order_acquire);
	slots = es__read_slots(ring);
	base = atomic_load_explicit(&hot->base, memory_order_relaxed);
	/* The writer goes on: the counts read here are of different moments. */
	if (atomic_load_explicit(&hot->filled, memory_order_relaxed) != filled)
		return true;
	return reserved - filled <= 1 &&
	    (next == filled % slots * bytes ||
		next == reserved % slots * bytes ||
		(next == 0 && 2 * (filled - base) == slots));
}

/* Returns true if counts and rows must have their checksums: the recording has
   ended, and nothing was recorded after that. */
static bool
ring_is_sealed(const struct es_space *space, const struct es_space_hot *hot)
{
	uint64_t sealed =
	    atomic_load_explicit(&hot->sealed, memory_order_relaxed);
	uint64_t completed =
	    atomic_load_explicit(&hot->completed, memory_order_relaxed);

	if (!space->sealed || space->head->version < 4)
		return space->sealed && completed <= sealed;
	return completed +
	    atomic_load_explicit(&hot->reserved, memory_order_relaxed) ==
	    sealed;
}

/* Returns true if the recording has ended and `reserved` alone is one too
   large.  A process that goes on after the end leaves that behind only if it is
   killed between reserve and fill, a few ns; so it is damage. */
static bool
ring_is_ahead(const struct es_space *space, const struct es_space_hot *hot)
{
	/* Relaxed: the caller has read them in order. */
	uint64_t reserved =
	    atomic_load_explicit(&hot->reserved, memory_order_relaxed);
	uint64_t completed =
	    atomic_load_explicit(&hot->completed, memory_order_relaxed);

	return space->sealed && space->head->version >= 4 &&
	    reserved ==
	    atomic_load_explicit(&hot->filled, memory_order_relaxed) + 1 &&
	    reserved + completed ==
	    atomic_load_explicit(&hot->sealed, memory_order_relaxed) + 1;
}

/* Returns true if the numbers of a ring that grows can be right. */
static bool
ring_base_agrees(const struct es__ring *ring)
{
	struct es_space_hot *hot = ring->hot;
	uint64_t limit =
	    atomic_load_explicit(&hot->limit, memory_order_acquire);
	uint64_t base = atomic_load_explicit(&hot->base, memory_order_relaxed);
	uint64_t slots = limit / ring->type->bytes;

	if (slots * ring->type->bytes != limit || slots > ring->capacity ||
	    base > atomic_load_explicit(&hot->reserved, memory_order_acquire))
		return false;
	/* It took these slots into use when it held half as many tuples, from
	   base on, which was in slot 0. */
	return base == 0 ||
	    ((slots & (slots - 1)) == 0 && (base & (slots - 1)) == 0);
}

static bool
ring_counts_agree_now(const struct es_space *space, const struct es__ring *ring)
{
	struct es_space_hot *hot = ring->hot;
	/* Read in this order, no count is below the one before it. */
	uint64_t completed =
	    atomic_load_explicit(&hot->completed, memory_order_acquire);
	uint64_t filled =
	    atomic_load_explicit(&hot->filled, memory_order_acquire);
	uint64_t reserved =
	    atomic_load_explicit(&hot->reserved, memory_order_acquire);

	if (completed > filled || filled > reserved || !ring_base_agrees(ring))
		return false;
	/* A snapshot has the checksum of its counts also before the end; its
	   `reserved` is that of a later moment. */
	return space->head->version == 2 ||
	    atomic_load_explicit(&hot->checksum, memory_order_relaxed) ==
	    es__seal_hot(hot) ||
	    (!ring_is_sealed(space, hot) && !ring_is_ahead(space, hot) &&
		ring_next_agrees(ring, filled));
}

/* As ring_counts_agree_now.  The checksum of the counts of a copy follows them
   at once. */
static bool
ring_counts_agree(const struct es_space *space, const struct es__ring *ring)
{
	const struct timespec pause = { .tv_nsec = RING_PAUSE_NS };
	bool agree = ring_counts_agree_now(space, ring);

	for (int try = 0;
	     !agree && try < RING_TRIES && es__space_is_copy(space->head);
	     try++) {
		(void)nanosleep(&pause, NULL);
		agree = ring_counts_agree_now(space, ring);
	}
	return agree;
}

/* Returns true if profile and matrix have their checksum, or none is due. */
static bool
ring_rows_agree(const struct es_space *space, const struct es__ring *ring,
    const struct es_space_ring *place)
{
	return !ring_is_sealed(space, ring->hot) ||
	    atomic_load_explicit(&ring->hot->rows_checksum,
		memory_order_relaxed) ==
	    es__seal_summary(place, ring->profile, ring->matrix);
}

/* Returns the damage to a collector, or NULL.  Takes away the damaged parts
   that have checksums. */
static const char *
ring_damage(const struct es_space *space, struct es__ring *ring,
    const struct es_space_ring *place)
{
	if (ring->hot == NULL)
		return "is cut off";
	if (!ring_counts_agree(space, ring)) {
		if (space->head->version > 2)
			ring->hot = NULL;
		return ring->hot == NULL ?
		    "is left out: its counts are damaged" :
		    "has counts that contradict each other";
	}
	if (ring->profile == NULL || ring->matrix == NULL)
		return "has lost its profile or matrix: the file is cut short";
	if (!ring_rows_agree(space, ring, place)) {
		ring->profile = NULL;
		ring->matrix = NULL;
		return "is left out of profile and matrix: its rows are "
		       "damaged";
	}
	if (ring->slots < ring->capacity)
		return "has lost tuples: the file is cut short";
	return NULL;
}

paths_status
es__ring_check(struct es_space *space, uint32_t n, const char *bytes,
    uint64_t from, uint64_t to)
{
	struct es__ring *ring = &space->rings[n];
	struct es_space_ring place = { 0 };
	const char *damage;

	memcpy(&place, bytes, es__ring_place_bytes(space));
	if (!ring_is_inside(space, &place, from, to))
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: a collector lies outside the file", space->name);
	*ring = (struct es__ring){
		.type = &space->types[place.type],
		.capacity = place.capacity,
		.instance = place.instance,
		.mode_first = place.mode & ES_MODE_ALL,
		.profile_ops = place.profile_ops,
		.profile_classes = place.profile_classes,
		.matrix_peers = place.matrix_peers,
		.matrix_categories = place.matrix_categories,
		.chunk_tuples = place.chunk_tuples,
	};
	ring_find_parts(space, &place, ring);
	damage = ring_damage(space, ring, &place);
	if (damage == NULL)
		return PATHS_OK;
	return es__damage_place(space, "collector %u (instance %u) %s", n,
	    ring->instance, damage);
}
