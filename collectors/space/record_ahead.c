/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_ahead.c - provides the memory of rings before their
 * writers need it
 *
 * A ring doubles its memory as it fills: its file is sparse, and its address
 * does not change.  space_format.h says how the writer takes it into use.
 */

#include "collectors/space/record_ahead_private.h"

#include "collectors/space/record_file_private.h"

#include "libpaths/log.h"

/* Memory is provided for the tuples that a ring holds, for this part of its
   slots, and for some times as many tuples as it has recorded since the last
   call.  A ring whose writer is even faster overwrites its oldest tuples until
   the next call. */
#define AHEAD_PART 4
#define AHEAD_FACTOR 4

static bool
ahead_is_power(uint64_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

paths_status
es__record_ahead_check(const struct es_record_collector *want)
{
	uint64_t first = want->first;

	if (first == 0 ||
	    (first >= ES_RECORD_FIRST_LEAST && ahead_is_power(first) &&
		first <= want->capacity && ahead_is_power(want->capacity)))
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "a ring of %llu tuples cannot begin with %llu",
	    (unsigned long long)want->capacity, (unsigned long long)first);
}

uint64_t
es__record_ahead_first(const struct es_record_collector *want)
{
	return (want->first != 0 ? want->first : want->capacity) *
	    want->type->bytes;
}

void
es__record_ahead_init(struct es_space_hot *hot,
    const struct es_record_collector *want)
{
	uint64_t bytes = es__record_ahead_first(want);

	atomic_store_explicit(&hot->limit, bytes, memory_order_relaxed);
	atomic_store_explicit(&hot->ready, bytes, memory_order_relaxed);
	hot->wrap = bytes;
}

paths_status
es__record_ahead_provide(const struct es_record *record, uint64_t offset,
    char *at, uint64_t bytes)
{
	uint64_t to_page = ES_SPACE_PAGE - offset % ES_SPACE_PAGE;
	paths_status st = es__record_file_allocate(record, offset, bytes);

	if (st != PATHS_OK)
		return st;
	*(volatile char *)at = 0;
	for (uint64_t n = to_page; n < bytes; n += ES_SPACE_PAGE)
		*(volatile char *)(at + n) = 0;
	return PATHS_OK;
}

/* Returns the size of the memory that a ring needs before the next call. */
static uint64_t
ahead_bytes(struct es__chunks *ring)
{
	struct es_space_hot *hot = ring->hot;
	/* Relaxed: a stale value delays or hastens the growth. */
	uint64_t base = atomic_load_explicit(&hot->base, memory_order_relaxed);
	uint64_t slots =
	    atomic_load_explicit(&hot->limit, memory_order_relaxed) /
	    ring->tuple_bytes;
	uint64_t filled =
	    atomic_load_explicit(&hot->filled, memory_order_relaxed);
	uint64_t held = filled - base < slots ? filled - base : slots;
	uint64_t want =
	    held + slots / AHEAD_PART + AHEAD_FACTOR * (filled - ring->seen);

	ring->seen = filled;
	while (slots < want && slots < ring->capacity)
		slots *= 2;
	return slots * ring->tuple_bytes;
}

enum es__ahead
es__record_ahead(struct es_record *record, struct es__chunks *ring)
{
	/* Relaxed: this thread alone writes it. */
	uint64_t ready =
	    atomic_load_explicit(&ring->hot->ready, memory_order_relaxed);
	uint64_t bytes;
	paths_status st;

	if (record->full || ready == ring->capacity * ring->tuple_bytes)
		return ES__AHEAD_FULL;
	bytes = ahead_bytes(ring);
	if (bytes <= ready)
		return ES__AHEAD_IDLE;
	/* Without the descriptor, which the program may have closed, there is
	   no disk space to be had. */
	record->full = !es__record_file_is_same(&record->exit);
	if (record->full)
		return ES__AHEAD_FULL;
	st = es__record_ahead_provide(record, ring->offset + ready,
	    ring->tuples + ready, bytes - ready);
	if (st != PATHS_OK) {
		paths_log_warn("%s; its rings do not grow", paths_log_last());
		record->full = true;
		return ES__AHEAD_FULL;
	}
	/* Release: pairs with the acquire in record_grow. */
	atomic_store_explicit(&ring->hot->ready, bytes, memory_order_release);
	return ES__AHEAD_GREW;
}
