/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/read.c - reads tuples while they are being written
 *
 * A seqlock of counts: the writer raises `reserved` before it overwrites a
 * slot.  A reader copies tuples, reads `reserved` again, and drops the tuples
 * that may have been overwritten.  Readers never write, and the writer never
 * waits.
 */

#include "collectors/space/read_private.h"

#include "libpaths/log.h"

#include <string.h>

/* Attempts of a reader that the writer overtakes. */
#define READ_TRIES 8

/* Reduces a window to the tuples in the slots that a file cut short still has.
   When these are two pieces, keeps the longer one. */
static void
window_cut(struct es__window *w, uint64_t capacity, uint64_t slots)
{
	/* Number of the first tuple of the newest lap, which is in slot 0. */
	uint64_t lap = w->end - w->end % capacity;
	uint64_t new_end = w->end - lap < slots ? w->end : lap + slots;
	uint64_t old_first = w->first;
	uint64_t old_end;

	if (lap <= w->first) { /* all tuples are of one lap */
		uint64_t end = new_end > w->first ? new_end : w->first;

		w->inside = w->inside && end == w->end;
		w->end = end;
		return;
	}
	old_end = lap - capacity + slots;
	if (old_end < old_first)
		old_end = old_first;
	if (old_end - old_first > new_end - lap) {
		w->first = old_first;
		w->end = old_end;
		w->inside = false;
	} else {
		w->first = lap;
		w->inside = w->inside && new_end == w->end;
		w->end = new_end;
	}
}

uint64_t
es__read_slots(const struct es__ring *ring)
{
	/* Acquire: pairs with the release in record_grow. */
	uint64_t slots =
	    atomic_load_explicit(&ring->hot->limit, memory_order_acquire) /
	    ring->type->bytes;

	return slots == 0 || slots > ring->capacity ? ring->capacity : slots;
}

struct es__window
es__read_window(const struct es__ring *ring)
{
	struct es__window w = { 0 };
	struct es_space_hot *hot = ring->hot;
	const struct es__kept *kept = ring->kept;
	uint64_t reserved;

	if (kept != NULL)
		return (struct es__window){ .first = kept->first,
			.end = kept->end,
			.reset = kept->reset,
			.inside = kept->inside };
	if (hot == NULL)
		return w;
	/* Acquire: pairs with the release in es_record_fill. */
	w.end = atomic_load_explicit(&hot->filled, memory_order_acquire);
	w.inside =
	    atomic_load_explicit(&hot->completed, memory_order_acquire) < w.end;
	reserved = atomic_load_explicit(&hot->reserved, memory_order_acquire);
	/* Tuples up to w.end are in the same slots if the ring has grown since:
	   those that are not, are below its base. */
	w.slots = es__read_slots(ring);
	w.first = atomic_load_explicit(&hot->base, memory_order_relaxed);
	w.reset = atomic_load_explicit(&hot->reset, memory_order_relaxed);
	if (reserved < w.end) /* only in a damaged file */
		reserved = w.end;
	if (reserved > w.slots && reserved - w.slots > w.first)
		w.first = reserved - w.slots;
	if (w.first > w.end)
		w.first = w.end;
	if (ring->slots < w.slots)
		window_cut(&w, w.slots, ring->slots);
	if (w.reset > w.end)
		w.reset = w.end;
	if (w.first < w.reset)
		w.first = w.reset;
	w.inside = w.inside && w.end > w.first;
	return w;
}

static const struct es__ring *
read_ring(const struct es_space *space, uint32_t n)
{
	if (n < space->ring_count)
		return &space->rings[n];
	(void)paths_log_fail(PATHS_ENOENT, "%s: no collector %u", space->name,
	    n);
	return NULL;
}

paths_status
es_space_collector(const struct es_space *space, uint32_t n,
    struct es_space_collector *collector)
{
	const struct es__ring *ring = read_ring(space, n);
	struct es__window w;

	if (ring == NULL)
		return PATHS_ENOENT;
	w = es__read_window(ring);
	*collector = (struct es_space_collector){
		.type = ring->type,
		.instance = ring->instance,
		.owner = ring->owner,
		.mode = ring->hot == NULL ? 0 :
					    ES_MODE_ALL &
			atomic_load_explicit(&ring->hot->mode,
			    memory_order_relaxed),
		.mode_first = ring->mode_first,
		.capacity = ring->capacity,
		.count = w.end,
		.reset = w.reset,
		.first = w.first,
		.left_out = ring->kept != NULL ? ring->kept->left_out : 0,
		.inside = w.inside,
		.profile_ops = ring->profile_ops,
		.profile_classes = ring->profile_classes,
		.matrix_peers = ring->matrix_peers,
		.matrix_categories = ring->matrix_categories,
	};
	collector->discarded = w.first - w.reset - collector->left_out;
	return PATHS_OK;
}

/* Gets the one or two parts of the ring that hold tuples
   [first, first + count) of the window. */
static void
read_span(const struct es__ring *ring, const struct es__window *w,
    uint64_t first, uint64_t count, struct es_space_span spans[2])
{
	uint64_t slot, older;

	if (ring->kept != NULL) {
		spans[0] = (struct es_space_span){
			.tuples = ring->kept->tuples +
			    (first - ring->kept->first) * ring->type->bytes,
			.first = first,
			.count = count,
		};
		spans[1] = (struct es_space_span){ .first = first + count };
		return;
	}
	slot = w->slots == 0 ? 0 : first % w->slots;
	older = count < w->slots - slot ? count : w->slots - slot;
	spans[0] = (struct es_space_span){
		.tuples = ring->tuples + slot * ring->type->bytes,
		.first = first,
		.count = older,
	};
	spans[1] = (struct es_space_span){
		.tuples = ring->tuples,
		.first = first + older,
		.count = count - older,
	};
}

paths_status
es_space_span(const struct es_space *space, uint32_t n,
    struct es_space_span spans[2])
{
	const struct es__ring *ring = read_ring(space, n);
	struct es__window w;

	if (ring == NULL)
		return PATHS_ENOENT;
	w = es__read_window(ring);
	read_span(ring, &w, w.first, w.end - w.first, spans);
	return PATHS_OK;
}

static void
read_copy(const struct es__ring *ring, const struct es__window *w,
    const struct es_space_run *run, char *to)
{
	struct es_space_span spans[2];
	size_t bytes;

	read_span(ring, w, run->first, run->count, spans);
	for (int i = 0; i < 2; i++) {
		if (spans[i].count == 0)
			continue;
		bytes = spans[i].count * ring->type->bytes;
		memcpy(to, spans[i].tuples, bytes);
		to += bytes;
	}
}

/* Returns the part of the wanted tuples that is in the window. */
static struct es_space_run
read_clip(const struct es__window *w, const struct es_space_run *want)
{
	struct es_space_run run = { .first = want->first };

	if (run.first < w->first)
		run.first = w->first;
	if (run.first >= w->end)
		return run;
	run.count = w->end - run.first;
	if (run.count > want->count)
		run.count = want->count;
	run.inside =
	    w->inside && run.count > 0 && run.first + run.count == w->end;
	return run;
}

/* Drops the tuples that were overwritten while they were copied.  Those that
   the ring still has are in the slots from which they were copied, even if it
   has grown meanwhile. */
static void
read_drop(const struct es__ring *ring, struct es_space_run *run, char *tuples)
{
	uint64_t gone, lost = 0;

	if (ring->kept != NULL)
		return;
	/* The release is in es_record_reserve. */
	es_space_fence(memory_order_acquire);
	gone = es__read_window(ring).first;
	if (gone > run->first)
		lost = gone - run->first;
	if (lost == 0)
		return;
	if (lost >= run->count) {
		run->first = gone;
		run->count = 0;
		run->inside = false;
		return;
	}
	run->first += lost;
	run->count -= lost;
	memmove(tuples, tuples + lost * ring->type->bytes,
	    run->count * ring->type->bytes);
}

paths_status
es_space_read(const struct es_space *space, uint32_t n,
    struct es_space_run *run, void *tuples)
{
	const struct es__ring *ring = read_ring(space, n);
	struct es_space_run want = *run;
	char *last;

	if (ring == NULL)
		return PATHS_ENOENT;
	for (int try = 0; try < READ_TRIES; try++) {
		struct es__window w = es__read_window(ring);

		*run = read_clip(&w, &want);
		if (run->count == 0)
			break;
		read_copy(ring, &w, run, tuples);
		read_drop(ring, run, tuples);
		if (run->count > 0)
			break;
	}
	if (run->inside && ring->stop_offset != UINT32_MAX) {
		/* The stop may be half written while the operation returns. */
		last = (char *)tuples + (run->count - 1) * ring->type->bytes;
		memset(last + ring->stop_offset, 0, sizeof(uint64_t));
	}
	return PATHS_OK;
}
