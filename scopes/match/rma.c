/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma.c - finds epochs, calls and locks of one-sided communication
 * in a trace
 */

#include "scopes/match/rma_private.h"

#include "scopes/match/place_private.h"
#include "scopes/match/trace_private.h"

#include <stdlib.h>
#include <string.h>

/* Returns the action of a function of the role ES_MPI_ROLE_WINDOW. */
static enum es__mpi_rma_action
action_of_window(const char *name)
{
	static const struct {
		const char *name;
		enum es__mpi_rma_action action;
	} actions[] = {
		{ "MPI_Win_create", ES__MPI_RMA_MEET },
		{ "MPI_Win_create_dynamic", ES__MPI_RMA_MEET },
		{ "MPI_Win_allocate", ES__MPI_RMA_MEET },
		{ "MPI_Win_allocate_shared", ES__MPI_RMA_MEET },
		{ "MPI_Win_free", ES__MPI_RMA_MEET },
		{ "MPI_Win_fence", ES__MPI_RMA_MEET },
		{ "MPI_Win_post", ES__MPI_RMA_POST },
		{ "MPI_Win_start", ES__MPI_RMA_START },
		{ "MPI_Win_complete", ES__MPI_RMA_COMPLETE },
		{ "MPI_Win_wait", ES__MPI_RMA_WAIT },
		{ "MPI_Win_test", ES__MPI_RMA_TEST },
		{ "MPI_Win_lock", ES__MPI_RMA_LOCK },
		{ "MPI_Win_lock_all", ES__MPI_RMA_LOCK_ALL },
		{ "MPI_Win_unlock", ES__MPI_RMA_UNLOCK },
		{ "MPI_Win_unlock_all", ES__MPI_RMA_UNLOCK_ALL },
		{ "MPI_Win_flush", ES__MPI_RMA_FLUSH },
		{ "MPI_Win_flush_local", ES__MPI_RMA_FLUSH },
		{ "MPI_Win_flush_all", ES__MPI_RMA_FLUSH_ALL },
		{ "MPI_Win_flush_local_all", ES__MPI_RMA_FLUSH_ALL },
	};

	for (size_t n = 0; n < sizeof(actions) / sizeof(actions[0]); n++)
		if (strcmp(name, actions[n].name) == 0)
			return actions[n].action;
	return ES__MPI_RMA_NOTHING;
}

enum es__mpi_rma_action
es__mpi_rma_action(const struct es_mpi_function *function)
{
	switch (function->role) {
	case ES_MPI_ROLE_PUT:
	case ES_MPI_ROLE_GET:
		return ES__MPI_RMA_ACCESS;
	case ES_MPI_ROLE_WINDOW:
		return action_of_window(function->name);
	default:
		return ES__MPI_RMA_NOTHING;
	}
}

static const struct es__mpi_rma *
rma_of(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return &trace->scans[trace->input.rings[at.ring].rank].rma;
}

const struct es__mpi_rma_call *
es__mpi_rma_find(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	const struct es__mpi_rma *rma = rma_of(trace, at);
	size_t n = es__mpi_place_find(&trace->input, rma->calls,
	    rma->call_count, sizeof(*rma->calls), at);

	if (n == rma->call_count || !es__mpi_place_equal(rma->calls[n].at, at))
		return NULL;
	return &rma->calls[n];
}

const struct es__mpi_reach *
es__mpi_rma_reaches(const struct es_mpi_trace *trace, struct es_mpi_at close,
    size_t *count)
{
	const struct es__mpi_rma *rma = rma_of(trace, close);
	size_t first = es__mpi_place_find(&trace->input, rma->reaches,
	    rma->reach_count, sizeof(*rma->reaches), close);

	*count = 0;
	while (first + *count < rma->reach_count &&
	    es__mpi_place_equal(rma->reaches[first + *count].close, close))
		++*count;
	return &rma->reaches[first];
}

int
es__mpi_lock_compare(const struct es__mpi_lock *a, const struct es__mpi_lock *b)
{
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->window != b->window)
		return a->window < b->window ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

/* Binary search.  Returns the index of the first lock that equals `like` or is
   after it; behind: of the first lock that is after it. */
static size_t
lock_find(const struct es__mpi_locks *locks, const struct es__mpi_lock *like,
    bool behind)
{
	size_t low = 0, high = locks->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = es__mpi_lock_compare(&locks->list[middle], like);

		if (order < 0 || (behind && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct es__mpi_lock *
es__mpi_rma_locks(const struct es_mpi_trace *trace,
    const struct es__mpi_lock *like, size_t *count)
{
	size_t first = lock_find(&trace->locks, like, false);

	*count = lock_find(&trace->locks, like, true) - first;
	return &trace->locks.list[first];
}

void
es__mpi_rma_pack(const struct es__mpi_rma *rma, struct es__pack *pack)
{
	es__pack_put_array(pack, rma->epochs, rma->epoch_count,
	    sizeof(*rma->epochs));
	es__pack_put_array(pack, rma->meetings, rma->meeting_count,
	    sizeof(*rma->meetings));
	es__pack_put_array(pack, rma->calls, rma->call_count,
	    sizeof(*rma->calls));
	es__pack_put_array(pack, rma->reaches, rma->reach_count,
	    sizeof(*rma->reaches));
}

void
es__mpi_rma_unpack(struct es__mpi_rma *rma, struct es__pack *pack)
{
	rma->epochs =
	    es__pack_get_array(pack, &rma->epoch_count, sizeof(*rma->epochs));
	rma->meetings = es__pack_get_array(pack, &rma->meeting_count,
	    sizeof(*rma->meetings));
	rma->calls =
	    es__pack_get_array(pack, &rma->call_count, sizeof(*rma->calls));
	rma->reaches =
	    es__pack_get_array(pack, &rma->reach_count, sizeof(*rma->reaches));
	rma->epoch_room = rma->epoch_count;
	rma->meeting_room = rma->meeting_count;
	rma->call_room = rma->call_count;
	rma->reach_room = rma->reach_count;
}

void
es__mpi_rma_fini(struct es__mpi_rma *rma)
{
	free(rma->epochs);
	free(rma->meetings);
	free(rma->calls);
	free(rma->reaches);
}
