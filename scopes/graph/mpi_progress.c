/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_progress.c - calls that wait for the progress of a peer, in a
 * graph of an MPI trace
 */

#include "scopes/graph/mpi_progress_private.h"

#include "scopes/match/peer_progress_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* A call that waits, by its first tuple; or a tuple that is waited for. */
struct progress {
	struct es_mpi_at at;
	bool used;
	struct es_mpi_at comes; /* what the call waits for */
	uint32_t slot, waits;	/* of what is waited for: the calls */
};

static bool
progress_used(const void *item)
{
	return ((const struct progress *)item)->used;
}

static uint64_t
progress_hash(const void *item)
{
	const struct progress *p = item;

	return (((uint64_t)p->at.ring << 32 | p->at.n) *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
progress_equal(const void *a, const void *b)
{
	const struct progress *p = a, *other = b;

	return p->at.ring == other->at.ring && p->at.n == other->at.n;
}

static const struct paths__hash_kind kind = {
	.bytes = sizeof(struct progress),
	.used = progress_used,
	.hash = progress_hash,
	.equal = progress_equal,
};

static struct progress *
progress_at(const struct paths__hash *table, struct es_mpi_at at)
{
	return table->count == 0 ?
	    NULL :
	    paths__hash_find(table, &kind, &(struct progress){ .at = at });
}

/* ---- finding */

/* A call while its wait is found. */
struct caller {
	int64_t until_ns; /* end of its other waits, or its enter */
	int64_t exit_ns;
	struct es__peer_progress last;
};

static void
caller_until(const struct es__graph_mpi_work *w, struct caller *caller,
    struct es_mpi_at half)
{
	int64_t ns = es__graph_work_start(w, half);

	if (ns < caller->exit_ns && ns > caller->until_ns)
		caller->until_ns = ns;
}

/* Returns whether a send that ends with a tuple waits for its receive. */
static bool
caller_send_waits(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	return es__mpi_at_known(link->sent) &&
	    (es__mpi_kind(w->trace, link->send)->synchronous ||
		es__graph_work_tuple(w, at)->bytes > w->graph->eager_bytes);
}

static void
caller_half(const struct es__graph_mpi_work *w, struct caller *caller,
    struct es_mpi_at half)
{
	struct es__peer_progress found;

	if (es__mpi_at_known(half) &&
	    es__peer_progress_find(w->trace, half, caller->until_ns,
		caller->exit_ns, &found) &&
	    found.stop_ns > caller->last.stop_ns)
		caller->last = found;
}

/* Finds the wait of the call whose tuples begin at `call`, if all of its messages
   are in the window. */
static void
caller_find(const struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, struct caller *caller)
{
	struct es_mpi_at at;

	for (at = call; at.n < end; at.n++) {
		const struct es_mpi_trace_link *link =
		    es__mpi_link(w->trace, at);

		if (es__graph_work_message_later(w, at))
			return;
		if (es__mpi_at_known(link->received))
			caller_until(w, caller,
			    es__mpi_message_sent(w->trace, link->received));
		if (caller_send_waits(w, at))
			caller_until(w, caller, link->sent);
	}
	for (at = call; at.n < end; at.n++) {
		const struct es_mpi_trace_link *link =
		    es__mpi_link(w->trace, at);

		caller_half(w, caller, link->sent);
		caller_half(w, caller, link->received);
	}
}

/* Notes that a call waits for a tuple. */
static paths_status
progress_note(struct es__graph_progress *p, struct es_mpi_at call,
    struct es_mpi_at comes)
{
	const struct progress one = { .at = call,
		.used = true,
		.comes = comes };
	const struct progress other = { .at = comes,
		.used = true,
		.slot = PATHS_NONE };
	struct progress *awaited = progress_at(&p->awaited, comes);

	if (awaited == NULL)
		awaited = paths__hash_put(&p->awaited, &kind, &other);
	if (awaited == NULL || paths__hash_put(&p->calls, &kind, &one) == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	awaited->waits++;
	return PATHS_OK;
}

static paths_status
progress_call(struct es__graph_mpi_work *w, struct es_mpi_at call, uint32_t end)
{
	const struct es_tuple_mpi *t = es__graph_work_tuple(w, call);
	struct caller caller = { .last = { .stop_ns = INT64_MIN } };

	if (t->stop == 0 ||
	    es__graph_work_kind(w, call)->role == ES_MPI_ROLE_TEST ||
	    progress_at(&w->progress.calls, call) != NULL)
		return PATHS_OK;
	caller.until_ns = es__graph_work_start(w, call);
	caller.exit_ns = es__graph_work_ns(w, call.ring, t->stop);
	if (!es__peer_progress_may_be(caller.until_ns, caller.exit_ns))
		return PATHS_OK;
	caller_find(w, call, end, &caller);
	/* The begin of a call that has passed was not posted. */
	return caller.last.stop_ns == INT64_MIN ||
		caller.last.comes.n < w->entered[caller.last.comes.ring] ?
	    PATHS_OK :
	    progress_note(&w->progress, call, caller.last.comes);
}

paths_status
es__graph_progress_find(struct es__graph_mpi_work *w)
{
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < w->trace->input.ring_count;
	     r++) {
		struct es_mpi_at call = { r, w->left[r] };
		uint32_t window = es__graph_work_window(w, r), end;

		for (; st == PATHS_OK && call.n < window; call.n = end) {
			end = es__graph_work_call_end(w, call);
			st = progress_call(w, call, end);
		}
	}
	return st;
}

/* ---- taking calls */

struct es_mpi_at
es__graph_progress_of(const struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	const struct progress *p = progress_at(&w->progress.calls, call);

	return p != NULL ? p->comes : ES__MPI_NOWHERE;
}

paths_status
es__graph_progress_enter(struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, int64_t ns)
{
	paths_status st = PATHS_OK;

	for (; w->progress.awaited.count > 0 && st == PATHS_OK && call.n < end;
	     call.n++) {
		struct progress *p = progress_at(&w->progress.awaited, call);

		if (p != NULL)
			st = es__graph_post_slot(&w->posts, call.ring, ns,
			    &p->slot);
	}
	return st;
}

uint32_t
es__graph_progress_slot(const struct es__graph_mpi_work *w,
    struct es_mpi_at call)
{
	const struct progress *p = progress_at(&w->progress.calls, call);

	return p != NULL ? progress_at(&w->progress.awaited, p->comes)->slot :
			   PATHS_NONE;
}

void
es__graph_progress_leave(struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	struct es__graph_progress *p = &w->progress;
	struct progress *one = progress_at(&p->calls, call), *awaited;

	if (one == NULL)
		return;
	awaited = progress_at(&p->awaited, one->comes);
	if (--awaited->waits == 0) {
		if (awaited->slot != PATHS_NONE)
			es__graph_slot_give(&w->posts, awaited->slot);
		paths__hash_drop(&p->awaited, &kind, awaited);
	}
	paths__hash_drop(&p->calls, &kind, one);
}

void
es__graph_progress_fini(struct es__graph_progress *progress)
{
	free(progress->calls.slots);
	free(progress->awaited.slots);
}
