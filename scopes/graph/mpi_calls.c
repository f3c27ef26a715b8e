/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_calls.c - calls that wait for calls of other threads that
 * post nothing, in a graph of an MPI trace
 */

#include "scopes/graph/mpi_calls_private.h"

#include "scopes/match/peer_progress_private.h"
#include "scopes/match/place_private.h"
#include "scopes/match/rma_dependence_private.h"
#include "scopes/mpi/waits_rma_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables */

/* The waits of a call, by its first tuple. */
struct calls_waits {
	uint64_t key; /* 0: none */
	struct es__graph_awaited *list;
	size_t count;
};

/* The begin or end of a call that others wait for. */
struct calls_post {
	uint64_t key;	/* 0: none */
	uint32_t slot;	/* PATHS_NONE: not posted yet */
	uint32_t waits; /* calls that wait for it, and epochs of other ranks
			   whose calls may do so */
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
};

static paths_status
calls_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

static paths_status
caller_add(struct es__graph_calls *calls, struct es__graph_awaited awaited)
{
	if (!paths__array_grow(&calls->found, calls->found_count,
		&calls->found_room, sizeof(*calls->found)))
		return calls_no_memory();
	calls->found[calls->found_count++] = awaited;
	return PATHS_OK;
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
static paths_status
caller_progress(struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, struct caller *caller)
{
	struct es_mpi_at at;

	for (at = call; at.n < end; at.n++) {
		const struct es_mpi_trace_link *link =
		    es__mpi_link(w->trace, at);

		if (es__graph_work_message_later(w, at))
			return PATHS_OK;
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
	return caller->last.stop_ns == INT64_MIN ?
	    PATHS_OK :
	    caller_add(&w->calls,
		(struct es__graph_awaited){ .at = caller->last.comes,
		    .progress = true });
}

/* Adds a call whose begin the current call waits for. */
static paths_status
caller_epoch(void *to, struct es_mpi_at at)
{
	return caller_add(to, (struct es__graph_awaited){ .at = at });
}

/* Adds the call that a part of a wait is for, if it is not there.  A call that
   ends before the one that it waits for can have waited for its begin only. */
static paths_status
caller_part(struct es__graph_mpi_work *w, const struct caller *caller,
    const struct es__mpi_rma_part *part)
{
	uint64_t stop = es__graph_work_tuple(w, part->call)->stop;
	bool ends = part->ends && stop != 0 &&
	    es__graph_work_ns(w, part->call.ring, stop) <= caller->exit_ns;

	for (size_t n = 0; n < w->calls.found_count; n++) {
		const struct es__graph_awaited *found = &w->calls.found[n];

		if (found->ends == ends &&
		    es__mpi_place_equal(found->at, part->call))
			return PATHS_OK;
	}
	return caller_add(&w->calls,
	    (struct es__graph_awaited){ .at = part->call,
		.ends = ends,
		.lock = part->pattern == ES__WAIT_LOCK });
}

/* Finds the waits of one-sided communication. */
static paths_status
caller_windows(struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, const struct caller *caller)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[call.ring].rank];
	const struct es__mpi_doubts doubts = { .a = NULL };
	struct es__mpi_rma_wait wait;
	paths_status st = PATHS_OK;

	for (; scan->rma.call_count > 0 && st == PATHS_OK && call.n < end;
	     call.n++) {
		st = es__rma_dependence_awaited(&w->windows, call, caller_epoch,
		    &w->calls);
		es__mpi_waits_rma_call(w->trace, &doubts, call, &wait);
		for (uint32_t n = 0; st == PATHS_OK && n < wait.count; n++)
			st = caller_part(w, caller, &wait.parts[n]);
	}
	return st;
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

/* Returns the post of the begin or end of a call that one more waits for; NULL:
   no memory. */
static struct calls_post *
post_await(struct es__graph_mpi_work *w, struct es_mpi_at at, bool ends)
{
	struct calls_post post = { es__graph_post_key(at, ends), PATHS_NONE,
		0 };
	struct calls_post *found =
	    paths__hash_put(&w->calls.posts, &post_kind, &post);

	if (found != NULL)
		found->waits++;
	return found;
}

/* Notes the calls that a call waits for, and that they are to be posted. */
static paths_status
caller_note(struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	struct calls_waits waits = { .key = es__graph_post_key(call, false) };
	struct es__graph_awaited *found = w->calls.found;

	for (size_t n = 0; n < w->calls.found_count; n++) {
		if (awaited_is_past(w, &found[n]))
			continue;
		if (post_await(w, found[n].at, found[n].ends) == NULL)
			return calls_no_memory();
		found[waits.count++] = found[n];
	}
	if (waits.count == 0)
		return PATHS_OK;
	waits.list = malloc(waits.count * sizeof(*waits.list));
	if (waits.list == NULL)
		return calls_no_memory();
	memcpy(waits.list, found, waits.count * sizeof(*waits.list));
	if (paths__hash_put(&w->calls.waits, &waits_kind, &waits) != NULL)
		return PATHS_OK;
	free(waits.list);
	return calls_no_memory();
}

static paths_status
calls_find(struct es__graph_mpi_work *w, struct es_mpi_at call, uint32_t end)
{
	const struct es_tuple_mpi *t = es__graph_work_tuple(w, call);
	struct caller caller = { .last = { .stop_ns = INT64_MIN } };
	paths_status st;

	if (t->stop == 0 ||
	    es__graph_work_kind(w, call)->role == ES_MPI_ROLE_TEST ||
	    waits_of(w, call) != NULL)
		return PATHS_OK;
	caller.until_ns = es__graph_work_start(w, call);
	caller.exit_ns = es__graph_work_ns(w, call.ring, t->stop);
	w->calls.found_count = 0;
	st = caller_windows(w, call, end, &caller);
	if (st == PATHS_OK &&
	    es__peer_progress_may_be(caller.until_ns, caller.exit_ns))
		st = caller_progress(w, call, end, &caller);
	return st == PATHS_OK ? caller_note(w, call) : st;
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

/* Lets the post of the begin of a call stay for the epochs of other ranks that
   may wait for it. */
static paths_status
post_stay(struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	uint32_t waiting =
	    es__rma_dependence_waiting(&w->windows, call, w->left);

	for (; waiting > 0; waiting--)
		if (post_await(w, call, false) == NULL)
			return calls_no_memory();
	return PATHS_OK;
}

/* Drops a post that the last call that waits for it has left. */
static void
post_release(struct es__graph_mpi_work *w, struct calls_post *post)
{
	if (--post->waits > 0)
		return;
	if (post->slot != PATHS_NONE)
		es__graph_slot_give(&w->posts, post->slot);
	paths__hash_drop(&w->calls.posts, &post_kind, post);
}

paths_status
es__graph_calls_post(struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end, bool ends, int64_t ns)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[call.ring].rank];
	struct es_mpi_at at = call;
	paths_status st = PATHS_OK;

	for (;
	     !ends && scan->rma.epoch_count > 0 && st == PATHS_OK && at.n < end;
	     at.n++)
		st = post_stay(w, at);
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

/* Releases the post of the begin of a call, for an epoch that is left. */
static void
leave_epoch(void *to, struct es_mpi_at at)
{
	struct es__graph_mpi_work *w = to;

	post_release(w, post_of(w, at, false));
}

void
es__graph_calls_leave(struct es__graph_mpi_work *w, struct es_mpi_at call,
    uint32_t end)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[call.ring].rank];
	struct calls_waits *waits = waits_of(w, call);

	if (waits != NULL) {
		for (size_t n = 0; n < waits->count; n++)
			post_release(w,
			    post_of(w, waits->list[n].at, waits->list[n].ends));
		free(waits->list);
		paths__hash_drop(&w->calls.waits, &waits_kind, waits);
	}
	for (; scan->rma.call_count > 0 && call.n < end; call.n++)
		es__rma_dependence_leave(&w->windows, call, w->entered,
		    leave_epoch, w);
}

void
es__graph_calls_fini(struct es__graph_calls *calls)
{
	const struct calls_waits *waits = calls->waits.slots;

	for (size_t n = 0; n < calls->waits.room; n++)
		free(waits[n].list);
	free(calls->waits.slots);
	free(calls->posts.slots);
	free(calls->found);
}
