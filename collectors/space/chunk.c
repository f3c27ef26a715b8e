/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/chunk.c - adds the checksums of the tuples of a ring
 *
 * Used by a thread that does not record.  It reads tuples behind `completed`
 * of the ring, so the recording thread need not know of it.  When the recording
 * thread overtakes it, the checksum is dropped: a seqlock, as in read.c.
 */

#include "collectors/space/chunk_private.h"

#include "collectors/space/seal_private.h"

uint32_t
es__chunk_tuples(const struct es_record_collector *want)
{
	uint32_t tuples = ES_SPACE_CHUNK_BYTES / want->type->bytes;

	if (tuples == 0)
		return 1;
	/* Chunks stay the same when the ring grows: a power of two. */
	if (want->first != 0) {
		tuples = UINT32_C(1) << (31 - __builtin_clz(tuples));
		return want->first < tuples ? (uint32_t)want->first : tuples;
	}
	return want->capacity < tuples ? (uint32_t)want->capacity : tuples;
}

void
es__chunk_init(struct es__chunks *c, const struct es_space_ring *place,
    char *base)
{
	*c = (struct es__chunks){
		.hot = (struct es_space_hot *)(base + place->hot_offset),
		.tuples = base + place->ring_offset,
		.offset = place->ring_offset,
		.entries =
		    (struct es_space_chunk *)(base + place->chunks_offset),
		.capacity = place->capacity,
		.tuple_bytes = place->tuple_bytes,
		.chunk_tuples = place->chunk_tuples,
	};
}

/* Returns the number of the first tuple behind the chunk of tuple n. */
static uint64_t
chunk_end(const struct es__chunks *c, uint64_t n)
{
	uint64_t slot = n % c->slots;
	uint64_t end = slot - slot % c->chunk_tuples + c->chunk_tuples;

	return n - slot + (end < c->slots ? end : c->slots);
}

/* Returns the number of the first tuple in the chunk of tuple n. */
static uint64_t
chunk_start(const struct es__chunks *c, uint64_t n)
{
	return n - n % c->slots % c->chunk_tuples;
}

/* Writes an entry for the tuples [first, end). */
static void
chunk_enter(const struct es__chunks *c, struct es_space_chunk *entry,
    uint64_t first, uint64_t end)
{
	uint32_t count = (uint32_t)(end - first), sum;

	/* A reader that finds the new count or checksum finds number 0. */
	atomic_store_explicit(&entry->number, 0, memory_order_relaxed);
	es_space_fence(memory_order_release);
	sum = es__seal_chunk(first + 1, count,
	    c->tuples + first % c->slots * c->tuple_bytes, c->tuple_bytes);
	/* The release is in es_record_reserve. */
	es_space_fence(memory_order_acquire);
	if (atomic_load_explicit(&c->hot->reserved, memory_order_relaxed) >
	    first + c->slots)
		return;
	entry->count = count;
	entry->checksum = sum;
	/* Release: pairs with the acquire in verify_entry. */
	atomic_store_explicit(&entry->number, first + 1, memory_order_release);
}

static struct es_space_chunk *
chunk_entry(const struct es__chunks *c, uint64_t n)
{
	return &c->entries[n % c->slots / c->chunk_tuples];
}

/* Adds the complete chunks from tuple `from` on that have no checksum.  Returns
   the number of the first tuple behind them. */
static uint64_t
chunk_close(const struct es__chunks *c, uint64_t from, uint64_t completed)
{
	uint64_t n = chunk_start(c, from) == from ? from : chunk_end(c, from);
	uint64_t end;

	for (; (end = chunk_end(c, n)) <= completed; n = end) {
		struct es_space_chunk *entry = chunk_entry(c, n);

		/* Relaxed: this thread alone writes it. */
		if (atomic_load_explicit(&entry->number,
			memory_order_relaxed) != n + 1 ||
		    entry->count != end - n)
			chunk_enter(c, entry, n, end);
	}
	return n;
}

/* Returns the number of the oldest tuple that the ring has. */
static uint64_t
chunk_oldest(const struct es__chunks *c)
{
	/* Relaxed: chunk_enter reads it again. */
	uint64_t reserved =
	    atomic_load_explicit(&c->hot->reserved, memory_order_relaxed);
	uint64_t base =
	    atomic_load_explicit(&c->hot->base, memory_order_relaxed);

	return reserved > base + c->slots ? reserved - c->slots : base;
}

/* Returns the number of tuples that are complete, and sets the number of slots
   in use, which is valid for them. */
static uint64_t
chunk_completed(struct es__chunks *c)
{
	/* Acquire: the tuples below are complete. */
	uint64_t completed =
	    atomic_load_explicit(&c->hot->completed, memory_order_acquire);

	/* Acquire: pairs with the release in record_grow. */
	c->slots = atomic_load_explicit(&c->hot->limit, memory_order_acquire) /
	    c->tuple_bytes;
	return completed;
}

void
es__chunk_close(struct es__chunks *c)
{
	uint64_t completed = chunk_completed(c);
	uint64_t step = completed - c->completed;

	if (step == 0 && c->quiet)
		return;
	c->completed = completed;
	c->quiet = step == 0;
	(void)chunk_close(c, completed < c->slots ? 0 : chunk_oldest(c) + step,
	    completed);
}

void
es__chunk_finish(struct es__chunks *c)
{
	uint64_t completed = chunk_completed(c);
	uint64_t oldest = chunk_oldest(c);
	uint64_t next = chunk_close(c, oldest, completed);
	uint64_t old_end = chunk_end(c, oldest);

	c->quiet = false;
	if (completed > next)
		chunk_enter(c, chunk_entry(c, next), next, completed);
	/* The tuples of the oldest chunk, if its beginning is overwritten. */
	if (oldest != chunk_start(c, oldest) && old_end <= completed)
		chunk_enter(c,
		    &c->entries[es_space_chunk_count(c->capacity,
				    c->chunk_tuples) -
			1],
		    oldest, old_end);
}
