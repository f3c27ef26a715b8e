/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_at.c - finds the waits of all threads in an interval of time
 *
 * Reads the spans of operations on paths, then those of the MPI calls of each
 * thread.
 */

#include "scopes/waits_at.h"

#include "scopes/mpi.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/waiter_private.h"
#include "scopes/path/waits_spans_private.h"

#include "libpaths/log.h"

struct es_waits {
	struct es_analysis *a;
	struct es__spans spans;
	struct es__spans_walk walk;
	/* All operations on paths have been read. */
	bool walked;
	const struct es_mpi_trace *trace; /* NULL: there are no MPI calls */
	/* Next call; its ring is a number in input.rings. */
	struct es_mpi_at at;
	bool entered; /* `at` is set for the current ring */
	struct es__mpi_call call;
};

static const struct es_timebase *
ring_base(const struct es_waits *w)
{
	const struct es_mpi_trace_input *input = es_mpi_trace_input(w->trace);

	return &input->ranks[input->rings[w->at.ring].rank].base;
}

static int64_t
ring_start_ns(const struct es_waits *w, uint32_t n)
{
	struct es_mpi_at at = { w->at.ring, n };

	return es_time_ns(ring_base(w),
	    es_mpi_trace_tuple(es_mpi_trace_input(w->trace), at)->start);
}

/* Finds the last call of a ring that starts at or before the interval, or the
   first one. */
static void
ring_enter(struct es_waits *w, uint32_t count)
{
	const struct es_mpi_trace_input *input = es_mpi_trace_input(w->trace);
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ring_start_ns(w, middle) <= w->spans.from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	w->at.n = low > 0 ? low - 1 : 0;
	while (w->at.n > 0 && !es_mpi_trace_is_call(input, w->at))
		w->at.n--;
	w->entered = true;
}

/* Returns the thread of a ring; PATHS_NONE: unknown. */
static uint32_t
ring_thread(const struct es_waits *w, uint32_t ring)
{
	return ring == PATHS_NONE ?
	    PATHS_NONE :
	    es_mpi_trace_input(w->trace)->rings[ring].thread;
}

/* Makes the span of the whole call at `at`. */
static struct es_waits_span
call_span(const struct es_waits *w)
{
	const struct es_mpi_trace_input *input = es_mpi_trace_input(w->trace);
	const struct es_tuple_mpi *tuple = es_mpi_trace_tuple(input, w->at);
	uint32_t thread = ring_thread(w, w->at.ring);
	/* A thread that calls MPI has a single collector. */
	const struct es__list *heads = &w->a->graph.heads[thread];
	uint32_t collector = heads->count > 0 ? heads->ids[0] : PATHS_NONE;
	int64_t start_ns = ring_start_ns(w, w->at.n);

	return (struct es_waits_span){ .waiter = thread,
		.culprit = PATHS_NONE,
		.pattern = ES_WAITS_UNEXPLAINED,
		.start_ns = start_ns,
		.stop_ns = start_ns,
		.collector = collector,
		.stage = PATHS_NONE,
		.site = es_mpi_find_site(es_run_mpi(w->a->run),
		    input->rings[w->at.ring].rank, tuple->site),
		.seq = collector == PATHS_NONE ?
		    tuple->seq :
		    es_collector_seq(&w->a->run->collectors[collector],
			tuple->seq),
		.op = es_operation_name(ES_OPERATION_MPI, tuple->op),
		.since_ns = start_ns };
}

/* Adds the next span of a call, up to a time. */
static paths_status
call_add(struct es_waits *w, struct es_waits_span *span, int64_t stop_ns,
    const struct es__mpi_wait *wait)
{
	paths_status st;

	if (stop_ns <= span->start_ns)
		return PATHS_OK;
	span->stop_ns = stop_ns;
	span->culprit =
	    wait == NULL ? PATHS_NONE : ring_thread(w, wait->culprit);
	span->pattern = wait == NULL ? ES_WAITS_UNEXPLAINED :
				       es__wait_pattern_name(wait->pattern);
	st = es__spans_add(&w->spans, span);
	span->start_ns = stop_ns;
	return st;
}

/* Divides the call at the current place, and goes to the next one. */
static paths_status
call_divide(struct es_waits *w, struct es_waits_span *span)
{
	struct es__mpi_call *call = &w->call;
	paths_status st = es__mpi_call_waits(w->trace, w->at, call);

	if (st == PATHS_OK && call->lead.ns > 0)
		st = call_add(w, span, call->enter_ns + call->lead.ns,
		    &call->lead);
	if (st == PATHS_OK && call->wait.ns > 0)
		st = call_add(w, span,
		    call->enter_ns + call->lead.ns + call->wait.ns,
		    &call->wait);
	if (st == PATHS_OK && call->behind.ns > 0)
		st = call_add(w, span, call->behind_ns, NULL);
	if (st == PATHS_OK && call->behind.ns > 0)
		st = call_add(w, span, call->behind_ns + call->behind.ns,
		    &call->behind);
	if (st == PATHS_OK)
		st = call_add(w, span, call->exit_ns - call->completion.ns,
		    NULL);
	if (st == PATHS_OK && call->completion.ns > 0)
		st = call_add(w, span, call->exit_ns, &call->completion);
	w->at.n = call->end;
	return st;
}

/* Adds the call at the current place, which has not returned. */
static paths_status
call_unfinished(struct es_waits *w, struct es_waits_span *span, uint32_t count)
{
	const struct es_mpi_trace_input *input = es_mpi_trace_input(w->trace);

	do
		w->at.n++;
	while (w->at.n < count && !es_mpi_trace_is_call(input, w->at));
	span->stop_ns = w->at.n < count ? ring_start_ns(w, w->at.n) : INT64_MAX;
	span->pattern = ES_WAITS_UNFINISHED;
	return es__spans_add(&w->spans, span);
}

/* Finds the spans of the next call in the interval. */
static paths_status
waits_calls(struct es_waits *w)
{
	const struct es_mpi_trace_input *input =
	    w->trace == NULL ? NULL : es_mpi_trace_input(w->trace);
	paths_status st = PATHS_OK;

	while (input != NULL && st == PATHS_OK && w->spans.count == 0 &&
	    w->at.ring < input->ring_count) {
		uint32_t count = (uint32_t)input->rings[w->at.ring].count;
		struct es_waits_span span;

		if (!w->entered)
			ring_enter(w, count);
		if (w->at.n >= count ||
		    ring_start_ns(w, w->at.n) > w->spans.to_ns) {
			w->at.ring++;
			w->entered = false;
			continue;
		}
		span = call_span(w);
		st = es_mpi_trace_tuple(input, w->at)->stop == 0 ?
		    call_unfinished(w, &span, count) :
		    call_divide(w, &span);
	}
	return st;
}

paths_status
es_waits_next(struct es_waits *waits, struct es_waits_span *span)
{
	struct es__spans *spans = &waits->spans;
	paths_status st = PATHS_OK;

	if (spans->next == spans->count) {
		spans->next = spans->count = 0;
		if (!waits->walked)
			st = es__spans_fill(&waits->walk, spans);
		if (st == PATHS_OK && spans->count == 0) {
			waits->walked = true;
			st = waits_calls(waits);
		}
	}
	if (st != PATHS_OK)
		return st;
	if (spans->count == 0)
		return PATHS_ENOENT;
	*span = spans->list[spans->next++];
	return PATHS_OK;
}

paths_status
es_waits_open(struct es_analysis *analysis, int64_t from_ns, int64_t to_ns,
    struct es_waits **waits)
{
	struct es_waits *w = calloc(1, sizeof(*w));
	struct es__traced *traced = NULL;
	paths_status st;

	if (w == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	w->a = analysis;
	w->spans.from_ns = from_ns;
	w->spans.to_ns = to_ns;
	st = es__spans_open(&w->walk, analysis);
	if (st == PATHS_OK)
		st = es__traced_whole(analysis, &traced);
	if (st == PATHS_OK) {
		w->trace = traced == NULL ? NULL : traced->trace;
		*waits = w;
	} else {
		es_waits_close(w);
	}
	return st;
}

void
es_waits_close(struct es_waits *waits)
{
	if (waits == NULL)
		return;
	es__spans_close(&waits->walk);
	free(waits->spans.list);
	free(waits->call.parts);
	free(waits);
}
