/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/verify.c - leaves out the damaged tuples of a space
 *
 * A chunk whose checksum is wrong is left out as a whole.  Tuples without a
 * checksum are left out one by one when their values are impossible.  The
 * process may be recording meanwhile: a chunk that is overwritten while it is
 * checked counts as one without a checksum.
 */

#include "collectors/space/verify_private.h"

#include "collectors/space/damage_private.h"
#include "collectors/space/plausible_private.h"
#include "collectors/space/read_private.h"
#include "collectors/space/seal_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* State of a tuple. */
enum mark { MARK_OPEN, MARK_CHECKED, MARK_LEFT_OUT };

/* A ring that is being checked. */
struct verify {
	struct es_space *space;
	struct es__ring *ring;
	uint32_t n;	     /* its number */
	struct es__window w; /* its tuples at the beginning */
	uint8_t *marks;	     /* enum mark of each tuple in w */
	uint64_t left_out;   /* number of tuples marked so */
};

/* Returns the address of a tuple. */
static const char *
verify_tuple(const struct verify *v, uint64_t number)
{
	return v->ring->tuples + number % v->w.slots * v->ring->type->bytes;
}

/* Marks the tuples [first, end) that are in the window.  A tuple that was left
   out stays so.  Returns the number of those that were marked now. */
static uint64_t
verify_mark(struct verify *v, uint64_t first, uint64_t end, enum mark mark)
{
	uint64_t count = 0;

	first = first > v->w.first ? first : v->w.first;
	end = end < v->w.end ? end : v->w.end;
	if (first >= end)
		return 0;
	if (v->left_out == 0) {
		memset(&v->marks[first - v->w.first], mark, end - first);
		return end - first;
	}
	for (uint64_t n = first; n < end; n++) {
		uint8_t *was = &v->marks[n - v->w.first];

		if (*was == MARK_LEFT_OUT)
			continue;
		*was = (uint8_t)mark;
		count++;
	}
	return count;
}

/* Leaves out the tuples [first, end), and reports them. */
static paths_status
verify_leave_out(struct verify *v, uint64_t entry, uint64_t first, uint64_t end)
{
	v->left_out += verify_mark(v, first, end, MARK_LEFT_OUT);
	return es__damage_place(v->space,
	    "collector %u (instance %u), chunk %llu: tuples %llu to %llu are "
	    "left out: their checksum is wrong",
	    v->n, v->ring->instance, (unsigned long long)entry,
	    (unsigned long long)first, (unsigned long long)end - 1);
}

static uint64_t
verify_entries(const struct verify *v)
{
	return es_space_chunk_count(v->ring->capacity, v->ring->chunk_tuples);
}

/* Returns the end of the chunk of a slot. */
static uint64_t
verify_chunk_end(const struct verify *v, uint64_t slot)
{
	uint32_t tuples = v->ring->chunk_tuples;
	uint64_t end = slot - slot % tuples + tuples;

	return end < v->w.slots ? end : v->w.slots;
}

/* Leaves out the tuples that a damaged entry may be for: those of its chunk,
   which are of the newest lap or of the one before. */
static paths_status
verify_leave_out_entry(struct verify *v, uint64_t entry)
{
	uint64_t capacity = v->w.slots;
	uint64_t lap = v->w.end - v->w.end % capacity;
	bool last = entry + 1 == verify_entries(v);
	/* The last entry is for the oldest tuples. */
	uint64_t slot =
	    last ? v->w.first % capacity : entry * v->ring->chunk_tuples;
	uint64_t end = verify_chunk_end(v, slot);

	if (lap > 0)
		v->left_out += verify_mark(v, lap - capacity + slot,
		    lap - capacity + end, MARK_LEFT_OUT);
	return verify_leave_out(v, entry, lap + slot, lap + end);
}

/* Returns true if an entry can be for `count` tuples from `first` on. */
static bool
verify_fits(const struct verify *v, uint64_t entry, uint64_t first,
    uint32_t count)
{
	uint32_t tuples = v->ring->chunk_tuples;
	uint64_t slot = first % v->w.slots;

	return count > 0 && count <= verify_chunk_end(v, slot) - slot &&
	    (entry + 1 == verify_entries(v) ||
		(slot / tuples == entry && slot % tuples == 0));
}

/* Returns true if tuple `first` is overwritten, or is being overwritten. */
static bool
verify_is_gone(const struct verify *v, uint64_t first)
{
	uint64_t reserved =
	    atomic_load_explicit(&v->ring->hot->reserved, memory_order_acquire);

	return reserved > v->w.slots && reserved - v->w.slots > first;
}

/* Checks the tuples of an entry. */
static paths_status
verify_chunk(struct verify *v, uint64_t entry, uint64_t first, uint32_t count,
    uint32_t sum)
{
	uint32_t bytes = v->ring->type->bytes;
	uint64_t slot = first % v->w.slots;
	uint32_t found;

	if (slot + count > v->ring->slots)
		return PATHS_OK; /* cut off */
	found = es__seal_chunk(first + 1, count, v->ring->tuples + slot * bytes,
	    bytes);
	/* The release is in es_record_reserve. */
	es_space_fence(memory_order_acquire);
	if (verify_is_gone(v, first))
		return PATHS_OK;
	if (found != sum)
		return verify_leave_out(v, entry, first, first + count);
	(void)verify_mark(v, first, first + count, MARK_CHECKED);
	return PATHS_OK;
}

static paths_status
verify_entry(struct verify *v, uint64_t n)
{
	struct es_space_chunk *entry = &v->ring->chunks[n];
	/* Acquire: pairs with the release in chunk_enter. */
	uint64_t number =
	    atomic_load_explicit(&entry->number, memory_order_acquire);
	uint32_t count = entry->count, sum = entry->checksum;

	es_space_fence(memory_order_acquire);
	/* The process is writing it if it changes meanwhile. */
	if (number == 0 ||
	    atomic_load_explicit(&entry->number, memory_order_relaxed) !=
		number)
		return PATHS_OK;
	/* The ring has grown since: its new chunks are not in the window.  Or
	   the entry is for a chunk of the smaller ring, overwritten since. */
	if (es__read_slots(v->ring) != v->w.slots ||
	    number - 1 <
		atomic_load_explicit(&v->ring->hot->base, memory_order_relaxed))
		return PATHS_OK;
	if (!verify_fits(v, n, number - 1, count) ||
	    number - 1 + count > atomic_load_explicit(&v->ring->hot->completed,
				     memory_order_acquire))
		return verify_leave_out_entry(v, n);
	if (verify_is_gone(v, number - 1))
		return PATHS_OK;
	return verify_chunk(v, n, number - 1, count, sum);
}

/* The tuples without a checksum whose values are impossible. */
struct found {
	uint64_t count;
	uint64_t first; /* number of the first one */
	const char *reason;
};

/* Leaves out a tuple without a checksum if its values are impossible. */
static void
verify_open(struct verify *v, const struct es__plausible *limits, uint64_t n,
    uint64_t before, struct found *found)
{
	uint8_t *mark = &v->marks[n - v->w.first];
	struct es__neighbours at = { .before = before < n ?
		    verify_tuple(v, before) :
		    NULL,
		.tuple = verify_tuple(v, n),
		.oldest = n == 0,
		.newest = n + 2 >= v->w.end };
	const char *reason;

	if (n + 1 < v->w.end && mark[1] != MARK_LEFT_OUT)
		at.after = verify_tuple(v, n + 1);
	reason = es__plausible_reason(limits, &at);
	/* The process may have overwritten the older of them meanwhile. */
	es_space_fence(memory_order_acquire);
	if (reason == NULL || verify_is_gone(v, before < n ? before : n))
		return;
	*mark = MARK_LEFT_OUT;
	v->left_out++;
	if (found->count++ == 0) {
		found->first = n;
		found->reason = reason;
	}
}

/* Returns the number of the next tuple without a checksum, from n on, or the
   end of the window. */
static uint64_t
verify_next_open(const struct verify *v, uint64_t n)
{
	const uint8_t *mark = &v->marks[n - v->w.first];

	if (*mark != MARK_OPEN)
		mark = memchr(mark, MARK_OPEN, v->w.end - n);
	return mark == NULL ? v->w.end :
			      v->w.first + (uint64_t)(mark - v->marks);
}

/* Returns the number of the last tuple in [first, end) that is not left out, or
   `otherwise`. */
static uint64_t
verify_last_kept(const struct verify *v, uint64_t first, uint64_t end,
    uint64_t otherwise)
{
	while (end > first)
		if (v->marks[--end - v->w.first] != MARK_LEFT_OUT)
			return end;
	return otherwise;
}

static paths_status
verify_all_open(struct verify *v)
{
	struct es__plausible limits;
	struct found found = { 0 };
	uint64_t before = UINT64_MAX; /* the last one that is not left out */

	es__plausible_init(&limits, v->space, v->ring);
	for (uint64_t from = v->w.first; from < v->w.end;) {
		uint64_t n = verify_next_open(v, from);

		before = verify_last_kept(v, from, n, before);
		if (n < v->w.end) {
			v->space->unchecked++;
			verify_open(v, &limits, n, before, &found);
			before = verify_last_kept(v, n, n + 1, before);
		}
		from = n + 1;
	}
	if (found.count == 0)
		return PATHS_OK;
	return es__damage_place(v->space,
	    "collector %u (instance %u): %llu tuples without a checksum are "
	    "left out; the first is %llu: %s",
	    v->n, v->ring->instance, (unsigned long long)found.count,
	    (unsigned long long)found.first, found.reason);
}

/* Copies the tuples that are not left out. */
static paths_status
verify_keep(struct verify *v)
{
	uint32_t bytes = v->ring->type->bytes;
	uint64_t count = v->w.end - v->w.first - v->left_out;
	struct es__kept *kept = malloc(sizeof(*kept) + count * bytes);
	char *to;

	if (kept == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    v->space->name);
	*kept = (struct es__kept){ .first = v->w.end - count,
		.end = v->w.end,
		.reset = v->w.reset,
		.left_out = v->left_out };
	to = kept->tuples;
	for (uint64_t n = v->w.first; n < v->w.end; n++) {
		if (v->marks[n - v->w.first] == MARK_LEFT_OUT)
			continue;
		memcpy(to, verify_tuple(v, n), bytes);
		to += bytes;
		kept->inside = v->w.inside && n + 1 == v->w.end;
	}
	v->ring->kept = kept;
	return PATHS_OK;
}

/* Checks the tuples of a ring that has marks. */
static paths_status
verify_marked(struct verify *v)
{
	paths_status st = PATHS_OK;

	for (uint64_t n = 0;
	     st == PATHS_OK && v->ring->chunks != NULL && n < verify_entries(v);
	     n++)
		st = verify_entry(v, n);
	if (st == PATHS_OK)
		st = verify_all_open(v);
	if (st == PATHS_OK && v->left_out > 0)
		st = verify_keep(v);
	return st;
}

static paths_status
verify_ring(struct es_space *space, uint32_t n)
{
	struct es__ring *ring = &space->rings[n];
	struct verify v = { .space = space,
		.ring = ring,
		.n = n,
		.w = es__read_window(ring) };
	uint64_t count = v.w.end - v.w.first;
	paths_status st;

	if (count == 0)
		return PATHS_OK;
	space->tuples += count;
	v.marks = calloc(count, sizeof(*v.marks));
	if (v.marks == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	st = verify_marked(&v);
	free(v.marks);
	return st;
}

paths_status
es__verify(struct es_space *space)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < space->ring_count && st == PATHS_OK; n++)
		st = verify_ring(space, n);
	return st;
}
