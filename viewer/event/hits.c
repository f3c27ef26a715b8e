/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/hits.c - all operations that match a search
 *
 * The list has room for twice its length.  When it is full, it is sorted and
 * cut, so an operation costs a comparison or less.
 */

#include "viewer/event/hits.h"

#include "viewer/event/search_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define HITS_ROOM (2 * ESV_HITS_LISTED)

struct hits {
	struct esv_hits hits; /* first member */
	struct esv__search search;
	int64_t t0_ns, t1_ns;
	bool longest;
	uint64_t read, all; /* tuples */
	/* The place where reading goes on: a thread, a collector of its heads
	   and the next tuple. */
	uint32_t thread, head;
	uint64_t next;
};

static int64_t
hit_ns(const struct esv_event *e)
{
	return e->stop_ns < e->start_ns ? INT64_MAX : e->stop_ns - e->start_ns;
}

static int
compare_start(const void *a, const void *b)
{
	const struct esv_event *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static int
compare_longest(const void *a, const void *b)
{
	int64_t x = hit_ns(a), y = hit_ns(b);

	return x != y ? (x > y ? -1 : 1) : compare_start(a, b);
}

/* Sorts the list and leaves out those after its end. */
static void
hits_sort(struct hits *h)
{
	struct esv_hits *hits = &h->hits;

	qsort(hits->events, hits->event_count, sizeof(*hits->events),
	    h->longest ? compare_longest : compare_start);
	if (hits->event_count > ESV_HITS_LISTED)
		hits->event_count = ESV_HITS_LISTED;
}

static void
hits_list(struct hits *h, const struct esv_event *event)
{
	if (h->hits.event_count == HITS_ROOM)
		hits_sort(h);
	h->hits.events[h->hits.event_count++] = *event;
}

static void
hits_add(struct hits *h, const struct esv__ops *ops, uint64_t n)
{
	struct esv_hits *hits = &h->hits;
	struct esv_event event;
	unsigned bin = 0;
	int64_t ns;

	esv__ops_event(ops, n, &event);
	hits->count++;
	ns = hit_ns(&event);
	if (ns == INT64_MAX) {
		hits->unreturned++;
	} else {
		for (int64_t left = ns; left > 0; left >>= 1)
			bin++;
		hits->bins[bin]++;
		/* Times of a damaged run may have any value. */
		if (__builtin_add_overflow(hits->sum_ns, ns, &hits->sum_ns))
			hits->sum_ns = INT64_MAX;
	}
	if (hits->column_count > 0 && event.start_ns >= 0) {
		double column = (double)event.start_ns * hits->column_count /
		    (double)(h->search.model->span_ns + 1);

		if (column < hits->column_count)
			hits->columns[(uint32_t)column]++;
	}
	hits_list(h, &event);
}

/* Reads tuples of a collector from h->next on.  Returns true at its end. */
static bool
hits_collector(struct hits *h, const struct esv__ops *ops, uint64_t *tuples)
{
	uint64_t end = ops->collector->count;

	if (end - h->next > *tuples)
		end = h->next + *tuples;
	*tuples -= end - h->next;
	h->read += end - h->next;
	for (; h->next < end; h->next++) {
		int64_t start = esv__ops_start(ops, h->next);

		if (start >= h->t0_ns && start < h->t1_ns &&
		    esv__search_matches(&h->search, ops, h->next))
			hits_add(h, ops, h->next);
	}
	return h->next == ops->collector->count;
}

/* Reads tuples of the thread h->thread.  Returns true at its end. */
static bool
hits_thread(struct hits *h, uint64_t *tuples)
{
	const uint32_t *head, *end;
	struct esv__ops ops;

	if (!esv__search_thread(&h->search, h->thread))
		return true;
	esv__ops_heads(h->search.model, h->thread, &head, &end);
	for (; h->head < (uint32_t)(end - head); h->head++) {
		if (esv__ops_open(h->search.model, head[h->head], &ops) &&
		    !hits_collector(h, &ops, tuples))
			return false;
		h->next = 0;
	}
	return true;
}

void
esv_hits_run(struct esv_hits *hits, uint64_t tuples)
{
	struct hits *h = (struct hits *)hits;
	uint32_t count = h->search.model->thread_count;

	while (h->thread < count && hits_thread(h, &tuples)) {
		h->thread++;
		h->head = 0;
	}
	hits_sort(h);
	hits->done = h->thread == count ? 1 :
	    h->all == 0			? 0 :
					  (double)h->read / (double)h->all;
}

/* Counts the tuples of the threads that the search is of. */
static uint64_t
hits_tuples(const struct hits *h)
{
	const struct esv_model *model = h->search.model;
	uint64_t all = 0;

	for (uint32_t thread = 0; thread < model->thread_count; thread++) {
		const uint32_t *head, *end;
		struct esv__ops ops;

		if (!esv__search_thread(&h->search, thread))
			continue;
		esv__ops_heads(model, thread, &head, &end);
		for (; head < end; head++)
			if (esv__ops_open(model, *head, &ops))
				all += ops.collector->count;
	}
	return all;
}

static paths_status
hits_init(struct hits *h, const struct esv_hits_ask *ask)
{
	paths_status st = esv__search_parse(&h->search, ask->what);

	if (st != PATHS_OK)
		return st;
	h->t0_ns = ask->t0_ns;
	h->t1_ns = ask->t1_ns;
	h->longest = ask->longest;
	h->hits.column_count = ask->column_count;
	h->hits.columns =
	    calloc((size_t)ask->column_count + 1, sizeof(*h->hits.columns));
	h->hits.events = malloc(HITS_ROOM * sizeof(*h->hits.events));
	if (h->hits.columns == NULL || h->hits.events == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a search");
	h->all = hits_tuples(h);
	return PATHS_OK;
}

paths_status
esv_hits_open(struct esv_model *model, const struct esv_hits_ask *ask,
    struct esv_hits **hits)
{
	struct hits *h;
	paths_status st = esv__ops_check(model);

	if (st != PATHS_OK)
		return st;
	if (ask->t1_ns <= ask->t0_ns || ask->column_count > ESV_HITS_COLUMNS)
		return paths_log_fail(PATHS_EINVAL,
		    "the interval is empty, or over %u columns",
		    ESV_HITS_COLUMNS);
	h = calloc(1, sizeof(*h));
	if (h == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a search");
	h->search.model = model;
	st = hits_init(h, ask);
	if (st != PATHS_OK) {
		esv_hits_close(&h->hits);
		return st;
	}
	*hits = &h->hits;
	return PATHS_OK;
}

void
esv_hits_close(struct esv_hits *hits)
{
	struct hits *h = (struct hits *)hits;

	if (h == NULL)
		return;
	esv__search_fini(&h->search);
	free(hits->columns);
	free(hits->events);
	free(h);
}
