/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_await.c - finds what a call of an MPI trace waits for
 */

#include "scopes/graph/mpi_await_private.h"

#include "scopes/graph/mpi_calls_private.h"
#include "scopes/match/dependence_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

static paths_status
await_add(struct es__graph_mpi_work *w, struct es__graph_await await)
{
	if (!paths__array_grow(&w->awaits, w->await_count, &w->await_room,
		sizeof(*w->awaits)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	w->awaits[w->await_count++] = await;
	return PATHS_OK;
}

/* Takes the message that is received with a tuple. */
static paths_status
await_send(struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);
	struct es__graph_post *post = es__graph_post_find(&w->posts,
	    es__mpi_message_sent(w->trace, link->received), false);
	bool probe = es__graph_work_kind(w, at)->role == ES_MPI_ROLE_PROBE;

	if (post == NULL) {
		w->graph->account.cycles++;
		return PATHS_OK;
	}
	w->graph->account.messages += !probe;
	return await_add(w,
	    (struct es__graph_await){ .kind = ES__GRAPH_AWAIT_SEND,
		.slot = post->slot,
		.bytes = es__graph_work_tuple(w, at)->bytes });
}

/* Notes that messages of a size are sent without their receive.  Waits of such
   sends that are in the log are taken back in the end. */
static void
eager_grow(struct es__graph *graph, uint64_t bytes)
{
	graph->eager_bytes = bytes;
	if (graph->waited_bytes <= bytes)
		es__graph_unsettle(graph);
}

/* Takes the send that ends with a tuple. */
static paths_status
await_receive(struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	struct es_mpi_at receive = es__mpi_link(w->trace, at)->sent;
	uint64_t bytes = es__graph_work_tuple(w, at)->bytes;
	const struct es__mpi_kind *kind =
	    es__mpi_kind(w->trace, es__mpi_link(w->trace, at)->send);
	const struct es__graph_post *post;

	if (kind->buffered)
		return PATHS_OK;
	if (!es__mpi_at_known(receive) ||
	    !es__graph_work_send_may_wait(w, at, receive)) {
		/* The send ended before the receive began. */
		if (bytes > w->graph->eager_bytes && !kind->synchronous &&
		    receive.ring != PATHS_NONE)
			eager_grow(w->graph, bytes);
		return PATHS_OK;
	}
	post = es__graph_post_find(&w->posts, receive, true);
	if (post == NULL) {
		w->graph->account.cycles++;
		return PATHS_OK;
	}
	if (kind->synchronous)
		w->graph->coupled_bytes = UINT64_MAX;
	else if (bytes > w->graph->coupled_bytes)
		w->graph->coupled_bytes = bytes;
	return await_add(w,
	    (struct es__graph_await){ .kind = ES__GRAPH_AWAIT_RECEIVE,
		.slot = post->slot,
		.bytes = bytes,
		.sure = kind->synchronous });
}

/* Takes the collective that ends with a tuple. */
static paths_status
await_members(struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	struct es__graph_meeting_walk walk;
	uint64_t bytes = es__graph_work_tuple(w, at)->bytes;
	uint32_t slot;
	paths_status st = es__graph_meeting_walk(&w->meetings,
	    es__mpi_link(w->trace, at)->collective, &walk);

	w->graph->account.collectives++;
	while (st == PATHS_OK && es__graph_meeting_next(&walk, &slot))
		if (slot != PATHS_NONE)
			st = await_add(w,
			    (struct es__graph_await){
				.kind = ES__GRAPH_AWAIT_MEMBER,
				.slot = slot,
				.bytes = bytes });
		else
			w->graph->account.cycles++;
	return st;
}

paths_status
es__graph_await_calls(struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	size_t count;
	const struct es__graph_awaited *list =
	    es__graph_calls_of(w, call, &count);
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < count; n++) {
		uint32_t slot = es__graph_calls_slot(w, &list[n]);

		if (slot == PATHS_NONE) {
			w->graph->account.cycles++;
			continue;
		}
		/* A library that needs no receive needs no progress, either. */
		st = await_add(w,
		    (struct es__graph_await){ .kind = list[n].progress ?
			    ES__GRAPH_AWAIT_RECEIVE :
			    ES__GRAPH_AWAIT_CALL,
			.slot = slot,
			.sure = list[n].progress });
	}
	return st;
}

paths_status
es__graph_await_tuple(struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);
	paths_status st = PATHS_OK;

	if (es__mpi_at_known(link->received))
		st = await_send(w, at);
	if (st == PATHS_OK && !es__mpi_at_none(link->sent))
		st = await_receive(w, at);
	return st == PATHS_OK && link->collective != PATHS_NONE ?
	    await_members(w, at) :
	    st;
}
