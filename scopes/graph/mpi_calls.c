/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_calls.c - calls that wait for calls of other threads that
 * post nothing, in a graph of an MPI trace
 */

#include "scopes/graph/mpi_calls_private.h"

#include "scopes/match/peer_progress_private.h"
#include "scopes/mpi/waits_rma_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* ---- tables */

/* The waits of a call, by its first tuple. */
struct calls_waits {
	uint64_t key; /* 0: none */
	struct es__graph_awaited list[ES__GRAPH_CALLS];
	size_t count;
};

/* The begin or end of a call that others wait for. */
struct calls_post {
	uint64_t key;	/* 0: none */
	uint32_t slot;	/* PATHS_NONE: not posted yet */
	uint32_t waits; /* calls that wait for it */
};

static bool
key_used(const void *item)
{
	return *(const uint64_t *)item != 0;
}

static uint64_t
key_hash(const void *item)
{
	return (*(const uint64_t *)item * UINT64_C(0x9e3779b97f4a7c15)) >> 24;
}

static bool
key_equal(const void *a, const void *b)
{
	return *(const uint64_t *)a == *(const uint64_t *)b;
}

static const struct paths__hash_kind waits_kind = {
	.bytes = sizeof(struct calls_waits),
	.used = key_used,
	.hash = key_hash,
	.equal = key_equal,
};

static const struct paths__hash_kind post_kind = {
	.bytes = sizeof(struct calls_post),
	.used = key_used,
	.hash = key_hash,
	.equal = key_equal,
};

static struct calls_waits *
waits_of(const struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	uint64_t key = es__graph_post_key(call, false);

	return w->calls.waits.count == 0 ?
	    NULL :
	    paths__hash_find(&w->calls.waits, &waits_kind, &key);
}

static struct calls_post *
post_of(const struct es__graph_mpi_work *w, struct es_mpi_at at, bool ends)
{
	uint64_t key = es__graph_post_key(at, ends);

	return w->calls.posts.count == 0 ?
	    NULL :
	    paths__hash_find(&w->calls.posts, &post_kind, &key);
}

/* ---- finding */

/* A call while its waits are found. */
struct caller {
	int64_t until_ns; /* end of its waits for messages, or its enter */
	int64_t exit_ns;
	struct es__peer_progress last;
	struct calls_waits waits;
};

static void
caller_add(struct caller *caller, struct es__graph_awaited awaited)
{
	if (caller->waits.count < ES__GRAPH_CALLS)
		caller->waits.list[caller->waits.count++] = awaited;
}

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

/* Finds the wait for a peer's progress of the call whose tuples begin at
   `call`, if all of its messages are in the window. */
static void
caller_progress(const struct es__graph_mpi_work *w, struct es_mpi_at call,
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
		caller_half(w, caller,
		    es__peer_progress_persistent(w->trace, at));
		caller_half(w, caller, link->received);
	}
	if (caller->last.stop_ns != INT64_MIN)
		caller_add(caller,
		    (struct es__graph_awaited){ caller->last.comes, false,
			true });
}

/* Finds the waits of one-sided communication.  A call that ends before the one
   that it waits for can have waited for its begin only. */
static void
caller_windows(const struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, struct caller *caller)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[call.ring].rank];
	const struct es__mpi_doubts doubts = { .a = NULL };
	struct es__mpi_rma_wait wait;

	for (; scan->rma.call_count > 0 && call.n < end; call.n++) {
		es__mpi_waits_rma_call(w->trace, &doubts, call, &wait);
		for (uint32_t n = 0; n < wait.count; n++) {
			struct es_mpi_at at = wait.parts[n].call;
			uint64_t stop = es__graph_work_tuple(w, at)->stop;
			bool ends = wait.parts[n].ends && stop != 0 &&
			    es__graph_work_ns(w, at.ring, stop) <=
				caller->exit_ns;

			caller_add(caller,
			    (struct es__graph_awaited){ at, ends, false });
		}
	}
}

/* Returns whether a call was taken whose begin or end was not posted. */
static bool
awaited_is_past(const struct es__graph_mpi_work *w,
    const struct es__graph_awaited *awaited)
{
	const uint32_t *taken = awaited->ends ? w->left : w->entered;

	return awaited->at.n < taken[awaited->at.ring] &&
	    post_of(w, awaited->at, awaited->ends) == NULL;
}

/* Notes what a call waits for, and that this is to be posted. */
static paths_status
caller_note(struct es__graph_mpi_work *w, struct es_mpi_at call,
    const struct caller *caller)
{
	struct calls_waits waits = { .key = es__graph_post_key(call, false) };

	for (size_t n = 0; n < caller->waits.count; n++) {
		const struct es__graph_awaited *awaited =
		    &caller->waits.list[n];
		struct calls_post post = { es__graph_post_key(awaited->at,
					       awaited->ends),
			PATHS_NONE, 0 };
		struct calls_post *found;

		if (awaited_is_past(w, awaited))
			continue;
		found = paths__hash_put(&w->calls.posts, &post_kind, &post);
		if (found == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a graph");
		found->waits++;
		waits.list[waits.count++] = *awaited;
	}
	return waits.count == 0 ||
		paths__hash_put(&w->calls.waits, &waits_kind, &waits) != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

static paths_status
calls_find(struct es__graph_mpi_work *w, struct es_mpi_at call, uint32_t end)
{
	const struct es_tuple_mpi *t = es__graph_work_tuple(w, call);
	struct caller caller = { .last = { .stop_ns = INT64_MIN } };

	if (t->stop == 0 ||
	    es__graph_work_kind(w, call)->role == ES_MPI_ROLE_TEST ||
	    waits_of(w, call) != NULL)
		return PATHS_OK;
	caller.until_ns = es__graph_work_start(w, call);
	caller.exit_ns = es__graph_work_ns(w, call.ring, t->stop);
	caller_windows(w, call, end, &caller);
	if (es__peer_progress_may_be(caller.until_ns, caller.exit_ns))
		caller_progress(w, call, end, &caller);
	return caller_note(w, call, &caller);
}

paths_status
es__graph_calls_find(struct es__graph_mpi_work *w)
{
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < w->trace->input.ring_count;
	     r++) {
		struct es_mpi_at call = { r, w->left[r] };
		uint32_t window = es__graph_work_window(w, r), end;

		for (; st == PATHS_OK && call.n < window; call.n = end) {
			end = es__graph_work_call_end(w, call);
			st = calls_find(w, call, end);
		}
	}
	return st;
}

/* ---- taking calls */

const struct es__graph_awaited *
es__graph_calls_of(const struct es__graph_mpi_work *w, struct es_mpi_at call,
    size_t *count)
{
	const struct calls_waits *waits = waits_of(w, call);

	*count = waits != NULL ? waits->count : 0;
	return waits != NULL ? waits->list : NULL;
}

paths_status
es__graph_calls_post(struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, bool ends, int64_t ns)
{
	paths_status st = PATHS_OK;

	for (; w->calls.posts.count > 0 && st == PATHS_OK && call.n < end;
	     call.n++) {
		struct calls_post *post = post_of(w, call, ends);

		if (post != NULL)
			st = es__graph_post_slot(&w->posts, call.ring, ns,
			    &post->slot);
	}
	return st;
}

uint32_t
es__graph_calls_slot(const struct es__graph_mpi_work *w,
    const struct es__graph_awaited *awaited)
{
	return post_of(w, awaited->at, awaited->ends)->slot;
}

void
es__graph_calls_leave(struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	struct calls_waits *waits = waits_of(w, call);

	if (waits == NULL)
		return;
	for (size_t n = 0; n < waits->count; n++) {
		struct calls_post *post =
		    post_of(w, waits->list[n].at, waits->list[n].ends);

		if (--post->waits > 0)
			continue;
		if (post->slot != PATHS_NONE)
			es__graph_slot_give(&w->posts, post->slot);
		paths__hash_drop(&w->calls.posts, &post_kind, post);
	}
	paths__hash_drop(&w->calls.waits, &waits_kind, waits);
}

void
es__graph_calls_fini(struct es__graph_calls *calls)
{
	free(calls->waits.slots);
	free(calls->posts.slots);
}
