/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes.c - finds the delays that caused the waiting of all
 * threads
 *
 * Takes the waits backward, so that all costs of a wait are known before the
 * wait is taken.  A wait passes costs on to the earlier waits of the late
 * thread: an amount for each ns that this thread waited in an interval of time.
 */

#include "scopes/graph/causes_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/heap.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* Bytes of waits whose memory is given back at a time. */
#define CAUSES_DROP (UINT64_C(16) * 1024 * 1024)

/* Costs that are passed on to the waits of a thread in an interval: `share` ns
   for each ns that the thread waited. */
struct share {
	int64_t begin_ns, until_ns;
	double share;
};

/* The shares of a thread, while its waits are taken backward. */
struct heir {
	/* heap: shares whose intervals end before the waits taken so far. */
	struct share *later;
	/* heap: shares whose intervals contain the current time. */
	struct share *current;
	size_t later_count, later_room, current_count, current_room;
	double sum; /* sum of the shares in `current` */
};

struct work {
	struct es__graph_causes *causes;
	int64_t from_ns;    /* waits before it do not count */
	struct heir *heirs; /* of each thread */
	struct share spare;
};

static bool
share_ends_later(const void *context, const void *a, const void *b)
{
	(void)context;
	return ((const struct share *)a)->until_ns >
	    ((const struct share *)b)->until_ns;
}

static bool
share_begins_later(const void *context, const void *a, const void *b)
{
	(void)context;
	return ((const struct share *)a)->begin_ns >
	    ((const struct share *)b)->begin_ns;
}

static const struct paths__heap_kind later_kind = {
	.bytes = sizeof(struct share),
	.before = share_ends_later,
};

static const struct paths__heap_kind current_kind = {
	.bytes = sizeof(struct share),
	.before = share_begins_later,
};

static void
heap_drop(struct work *w, struct share *list, size_t *count,
    const struct paths__heap_kind *kind)
{
	struct paths__heap heap = { .items = list,
		.count = --*count,
		.spare = &w->spare };

	list[0] = list[*count];
	if (*count > 0)
		paths__heap_sink(&heap, kind, 0);
}

static void
heap_add(struct work *w, struct share *list, size_t *count,
    const struct paths__heap_kind *kind, struct share share)
{
	struct paths__heap heap = { .items = list,
		.count = *count + 1,
		.spare = &w->spare };

	list[*count] = share;
	paths__heap_rise(&heap, kind, (*count)++);
}

/* Adds a share to those of a thread. */
static paths_status
heir_add(struct work *w, struct heir *heir, struct share share)
{
	if (!paths__array_grow(&heir->later, heir->later_count,
		&heir->later_room, sizeof(share)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for causes");
	heap_add(w, heir->later, &heir->later_count, &later_kind, share);
	return PATHS_OK;
}

/* Moves the shares whose interval contains a time from `later` to `current`. */
static paths_status
heir_begin(struct work *w, struct heir *heir, int64_t ns)
{
	while (heir->later_count > 0 && heir->later[0].until_ns >= ns) {
		struct share share = heir->later[0];

		heap_drop(w, heir->later, &heir->later_count, &later_kind);
		if (share.begin_ns >= ns)
			continue;
		if (!paths__array_grow(&heir->current, heir->current_count,
			&heir->current_room, sizeof(share)))
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for causes");
		heap_add(w, heir->current, &heir->current_count, &current_kind,
		    share);
		heir->sum += share.share;
	}
	return PATHS_OK;
}

/* Computes the costs that are passed on to a wait: each share, times the length
   of the part of the wait that is in its interval. */
static paths_status
heir_take(struct work *w, struct heir *heir, const struct es__graph_wait *wait,
    double *passed)
{
	int64_t begin_ns = wait->until_ns - wait->wait_ns;
	paths_status st = heir_begin(w, heir, wait->until_ns);

	*passed = 0;
	if (st != PATHS_OK)
		return st;
	/* The waits that follow are earlier, so these shares are no longer
	   needed. */
	while (
	    heir->current_count > 0 && heir->current[0].begin_ns >= begin_ns) {
		struct share share = heir->current[0];

		if (share.begin_ns < wait->until_ns)
			*passed += share.share *
			    (double)(wait->until_ns - share.begin_ns);
		heir->sum -= share.share;
		heap_drop(w, heir->current, &heir->current_count,
		    &current_kind);
	}
	/* Removes the rounding errors of additions and subtractions. */
	if (heir->current_count == 0)
		heir->sum = 0;
	*passed += heir->sum * (double)wait->wait_ns;
	return PATHS_OK;
}

static struct es__graph_cause *
work_cause(const struct work *w, uint32_t thread, uint32_t class)
{
	return &w->causes
		    ->list[(size_t)thread * w->causes->class_count + class];
}

/* Returns the part of a wait that is inside the interval. */
static double
work_length(const struct work *w, const struct es__graph_wait *wait)
{
	int64_t ns = wait->until_ns - w->from_ns;

	return ns <= 0 ? 0 : (double)(ns < wait->wait_ns ? ns : wait->wait_ns);
}

/* Takes a wait.  A wait before the measured interval has length 0, but passes
   the costs of later waits on. */
static paths_status
work_wait(struct work *w, const struct es__graph_wait *wait)
{
	const struct es__graph_delay *delays =
	    (const struct es__graph_delay *)(wait + 1);
	struct es__graph_cause *own = work_cause(w, wait->waiter, wait->class);
	double all = (double)(wait->delayed_ns + wait->passed_ns);
	double length = work_length(w, wait), passed, ratio;
	paths_status st = heir_take(w, &w->heirs[wait->waiter], wait, &passed);

	w->causes->waited += length;
	if (st != PATHS_OK)
		return st;
	own->propagating += passed > 0 ? length : 0;
	if (all <= 0) {
		own->direct += length;
		return PATHS_OK;
	}
	ratio = length < all ? length / all : 1;
	own->indirect += ratio * (double)wait->passed_ns;
	own->direct += length - ratio * (double)wait->passed_ns;
	for (uint32_t n = 0; n < wait->count; n++) {
		struct es__graph_cause *cause =
		    work_cause(w, wait->late, delays[n].class);

		cause->short_term += ratio * (double)delays[n].ns;
		cause->long_term += passed / all * (double)delays[n].ns;
	}
	return wait->passed_ns == 0 ?
	    PATHS_OK :
	    heir_add(w, &w->heirs[wait->late],
		(struct share){ wait->begin_ns, wait->until_ns,
		    ratio + passed / all });
}

/* Takes all waits, backward. */
static paths_status
work_waits(struct work *w, const struct es__spool *waits)
{
	uint64_t at = waits->size, dropped = at, bytes;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && at > 0) {
		memcpy(&bytes, waits->bytes + at - sizeof(bytes),
		    sizeof(bytes));
		at -= bytes;
		st = work_wait(w,
		    (const struct es__graph_wait *)(const void *)(waits->bytes +
			at));
		if (dropped - at >= CAUSES_DROP) {
			es__spool_drop(waits, at, dropped);
			dropped = at;
		}
	}
	return st;
}

static paths_status
causes_work(const struct es__graph_causing *causing,
    struct es__graph_causes *causes)
{
	const struct es__graph *graph = causing->graph;
	struct work w = { .causes = causes,
		.from_ns =
		    causing->measured ? graph->from_ns : graph->start_ns };
	paths_status st;

	causes->list =
	    calloc((size_t)causes->thread_count * causes->class_count + 1,
		sizeof(*causes->list));
	w.heirs = calloc((size_t)graph->thread_count + 1, sizeof(*w.heirs));
	st = causes->list != NULL && w.heirs != NULL ?
	    work_waits(&w, &causing->waits) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for causes");
	for (uint32_t n = 0; w.heirs != NULL && n < graph->thread_count; n++) {
		free(w.heirs[n].later);
		free(w.heirs[n].current);
	}
	free(w.heirs);
	return st;
}

paths_status
es__graph_causes_begin(const struct es__graph *graph,
    const struct es__graph_classes *classes, const char *dir,
    struct es__graph_causing *causing)
{
	paths_status st;

	*causing = (struct es__graph_causing){ .graph = graph,
		.causes = { .thread_count = graph->thread_count,
		    .class_count = classes->count } };
	st = es__spool_open(dir, &causing->waits);
	return st == PATHS_OK ? es__graph_find_begin(graph, classes,
				    &causing->waits, &causing->find) :
				st;
}

paths_status
es__graph_causes_end(struct es__graph_causing *causing, paths_status st,
    struct es__graph_causes *causes)
{
	es__graph_find_end(causing->find);
	if (st == PATHS_OK)
		st = es__spool_finish(&causing->waits);
	if (st == PATHS_OK)
		st = causes_work(causing, &causing->causes);
	if (st == PATHS_OK && causing->kept != NULL)
		*causing->kept = causing->waits;
	else
		es__spool_close(&causing->waits);
	if (st == PATHS_OK)
		*causes = causing->causes;
	else
		free(causing->causes.list);
	return st;
}

paths_status
es__graph_causes(const struct es__graph *graph,
    const struct es__graph_classes *classes, const char *dir,
    struct es__graph_causes *causes)
{
	struct es__graph_causing causing;
	struct es__graph_pass pass;
	paths_status st = es__graph_causes_begin(graph, classes, dir, &causing);

	if (st == PATHS_OK) {
		pass = es__graph_find_pass(causing.find);
		st = es__graph_pass(graph, &pass, 1);
	}
	return es__graph_causes_end(&causing, st, causes);
}
