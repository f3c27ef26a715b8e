/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_window.c - finds the ranks that a call on a window waits
 * for
 */

#include "scopes/mpi/wait_for_window_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* A thread in a call on a window. */
struct window_wait {
	const struct es__in_flight *in_flight;
	const struct es_mpi_trace *trace;
	const struct es__inside_thread *thread;
	enum es__mpi_rma_action action;
	const struct es__mpi_epoch *epoch;
	struct es__wait_for_ranks *ranks;
};

static paths_status
ranks_add(struct es__wait_for_ranks *ranks, uint32_t rank)
{
	if (!paths__array_grow(&ranks->list, ranks->count, &ranks->room,
		sizeof(*ranks->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	ranks->list[ranks->count++] = rank;
	return PATHS_OK;
}

static bool
epoch_is_lock(const struct es__mpi_epoch *e)
{
	return e->kind == ES__MPI_EPOCH_SHARED ||
	    e->kind == ES__MPI_EPOCH_EXCLUSIVE;
}

/* Returns whether the thread may wait in an epoch of its window. */
static bool
window_is_in(const struct window_wait *w, const struct es__mpi_epoch *e)
{
	if (e->comm != w->thread->comm || e->window != (uint32_t)w->thread->tag)
		return false;
	switch (w->action) {
	case ES__MPI_RMA_START:
	case ES__MPI_RMA_COMPLETE:
		return e->kind == ES__MPI_EPOCH_ACCESS;
	case ES__MPI_RMA_WAIT:
		return e->kind == ES__MPI_EPOCH_EXPOSURE;
	case ES__MPI_RMA_LOCK:
	case ES__MPI_RMA_FLUSH:
	case ES__MPI_RMA_UNLOCK:
		return epoch_is_lock(e) && w->thread->peer >= 0 &&
		    e->target == (uint32_t)w->thread->peer;
	default:
		return false;
	}
}

/* Finds the last epoch that the thread may wait in. */
static void
window_find(struct window_wait *w)
{
	const struct es__mpi_rma *rma = &w->trace->scans[w->thread->rank].rma;

	for (size_t n = rma->epoch_count; w->epoch == NULL && n-- > 0;)
		if (window_is_in(w, &rma->epochs[n]))
			w->epoch = &rma->epochs[n];
}

/* Adds the ranks of a group that have not posted, or not completed. */
static paths_status
window_group(const struct window_wait *w)
{
	const struct es__mpi_meeting *m =
	    &w->trace->scans[w->thread->rank].rma.meetings[w->epoch->first];
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < w->epoch->count; n++)
		if (!es__in_flight_is_traced(w->in_flight, m[n].other))
			return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < w->epoch->count; n++) {
		const struct es__mpi_rma *other =
		    &w->trace->scans[m[n].other].rma;

		if (m[n].met == PATHS_NONE ||
		    (w->action == ES__MPI_RMA_WAIT &&
			es__mpi_at_none(other->epochs[m[n].met].close)))
			st = ranks_add(w->ranks, m[n].other);
	}
	return st;
}

static int64_t
opened_ns(const struct window_wait *w, uint32_t rank,
    const struct es__mpi_epoch *e)
{
	return es_time_ns(&w->trace->input.ranks[rank].base,
	    es_mpi_trace_tuple(&w->trace->input, e->open)->start);
}

/* Returns whether another rank holds a lock for which the thread waits.  In
   calls other than lock calls, the rank that locked first holds it. */
static bool
window_is_held(const struct window_wait *w, const struct es__mpi_lock *lock)
{
	const struct es__mpi_epoch *e =
	    &w->trace->scans[lock->rank].rma.epochs[lock->epoch];

	if (lock->rank == w->thread->rank || !es__mpi_at_none(e->close) ||
	    es_mpi_trace_tuple(&w->trace->input, e->open)->stop == 0)
		return false;
	return w->action == ES__MPI_RMA_LOCK ||
	    opened_ns(w, lock->rank, e) <
	    opened_ns(w, w->thread->rank, w->epoch);
}

/* Adds the ranks with a lock of a kind for a target. */
static paths_status
window_holders(const struct window_wait *w, uint32_t target,
    enum es__mpi_epoch_kind kind)
{
	const struct es__mpi_lock like = { .comm = w->epoch->comm,
		.window = w->epoch->window,
		.target = target,
		.kind = kind };
	const struct es__mpi_lock *locks;
	paths_status st = PATHS_OK;
	size_t count;

	locks = es__mpi_rma_locks(w->trace, &like, &count);
	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		if (es__in_flight_is_traced(w->in_flight, locks[n].rank) &&
		    window_is_held(w, &locks[n]))
			st = ranks_add(w->ranks, locks[n].rank);
	return st;
}

/* Adds the ranks that hold a lock which conflicts with the lock of the
   thread. */
static paths_status
window_lock(const struct window_wait *w)
{
	uint32_t target = w->epoch->target;
	paths_status st = window_holders(w, target, ES__MPI_EPOCH_EXCLUSIVE);

	if (st != PATHS_OK || w->epoch->kind != ES__MPI_EPOCH_EXCLUSIVE)
		return st;
	st = window_holders(w, target, ES__MPI_EPOCH_SHARED);
	return st == PATHS_OK ?
	    window_holders(w, PATHS_NONE, ES__MPI_EPOCH_SHARED) :
	    st;
}

paths_status
es__wait_for_window(const struct es__in_flight *in_flight,
    const struct es__inside_thread *thread, struct es__wait_for_ranks *ranks)
{
	struct window_wait w = { .in_flight = in_flight,
		.trace = in_flight->trace,
		.thread = thread,
		.action = es__in_flight_kind(in_flight, thread)->rma,
		.ranks = ranks };

	if (thread->tag <= 0 ||
	    !es__in_flight_is_traced(in_flight, thread->rank))
		return PATHS_OK;
	window_find(&w);
	if (w.epoch == NULL)
		return PATHS_OK;
	return epoch_is_lock(w.epoch) ? window_lock(&w) : window_group(&w);
}
