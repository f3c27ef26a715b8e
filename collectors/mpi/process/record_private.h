/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/record_private.h - records an MPI call
 *
 * The functions are the steps that call_private.h lists.  They run at each
 * call, and make no allocation, lock, system call or division; but at most
 * ES_CPU_HZ times a second they read how long the thread had no core.
 *
 * The modes record:
 *	trace		stamps, site, a tuple
 *	profile		stamps, site, a profile row
 *	matrix		rows of mpi_count_matrix and mpi_count_collective
 *	any		the words of struct es_mpi_thread, which show the call
 *			that a hung process is in
 */

#ifndef COLLECTORS_MPI_PROCESS_RECORD_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_RECORD_PRIVATE_H

#include "collectors/mpi/process/call_private.h"
#include "collectors/mpi/process/cell_private.h"
#include "collectors/mpi/process/cpu_sample_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/thread_private.h"
#include "collectors/mpi/site/site_private.h"

#include "libpaths/clock.h"

#define MPI_MODE_STAMPED (ES_MODE_TRACE | ES_MODE_PROFILE)

static MPI_INLINE bool
mpi_mode_is_stamped(uint32_t mode)
{
	return __builtin_expect((mode & MPI_MODE_STAMPED) != 0, 1);
}

/* The modes that count without tracing, for long runs. */
#define MPI_MODE_COUNTED (ES_MODE_PROFILE | ES_MODE_MATRIX)

/* The thread of a call, and its mode. */
struct mpi_look {
	struct mpi_thread *thread;
	uint32_t mode;
};

/* Returns the calling thread, which is registered at its first call, and the
   mode of its process. */
static MPI_INLINE struct mpi_look
mpi_look(void)
{
	struct mpi_thread *t = mpi_self;

	if (__builtin_expect(t == NULL, 0))
		t = mpi_thread_attach();
	/* Relaxed: a thread may see a new mode later. */
	return (struct mpi_look){ t,
		atomic_load_explicit(&t->control->mode, memory_order_relaxed) };
}

/* Returns the calling thread, and the mode that an entry stub has read. */
static MPI_INLINE struct mpi_look
mpi_look_at(uint32_t mode)
{
	return (struct mpi_look){ mpi_self, mode };
}

/* Returns whether a call is passed on without mpi_enter. */
static MPI_INLINE bool
mpi_is_off(struct mpi_look look)
{
	return __builtin_expect(look.mode == ES_MODE_OFF, 0) &&
	    look.thread->process != NULL;
}

/* Returns whether a call that begins to receive or tests is passed on without
   mpi_enter.  Only modes with stamps count received messages: the matrix is
   counted by senders, so it needs no requests. */
static MPI_INLINE bool
mpi_is_off_to_receivers(struct mpi_look look)
{
	return __builtin_expect((look.mode & MPI_MODE_STAMPED) == 0, 0) &&
	    look.thread->process != NULL;
}

/* Returns whether the mode of a call counts received messages. */
static MPI_INLINE bool
mpi_sees_receives(const struct mpi_call *call)
{
	return mpi_mode_is_stamped(call->mode);
}

/*
 * Begins a call.  Returns false when it is not recorded: the mode is off, the
 * call is nested, or there is no process.  The caller then calls
 * mpi_enter_unrecorded, or no function here at all.
 *
 * address	return address in the program: __builtin_return_address(0) of
 *		the wrapper
 * here		an address in the stack frame of the wrapper
 */
static MPI_INLINE bool
mpi_enter(struct mpi_call *call, uint32_t function, const void *address,
    const void *here, struct mpi_look look)
{
	struct mpi_thread *t = look.thread;
	uint32_t mode = look.mode;

	if (__builtin_expect(mode == ES_MODE_OFF, 0)) {
		if (t->process != NULL) {
			/* A gap in seq shows that calls are missing.  Calls
			   that an entry stub passes on leave no gap. */
			t->seq++;
			return false;
		}
		mode = mpi_process_join(t);
		if (mode == ES_MODE_OFF)
			return false;
	}
	if (__builtin_expect((uintptr_t)here < t->outermost, 0)) {
		if (t->function != function)
			es_record_add(&t->row->nested, 1);
		return false;
	}
	if (__builtin_expect((mode & ES_MODE_TRACE) != 0 &&
		    t->ring.tuples == NULL,
		0))
		mode = mpi_thread_ring(t, mode);
	t->outermost = (uintptr_t)here;
	t->function = function;
	*call = (struct mpi_call){
		.thread = t,
		.address = address,
		.peer = -1,
		.tag = -1,
		.site =
		    mpi_mode_is_stamped(mode) ? mpi_site_find(t, address) : 0,
		.function = (uint16_t)function,
		.mode = mode,
	};
	return true;
}

/* Prepares a call that mpi_enter refused, for hooks that need it. */
static inline void
mpi_enter_unrecorded(struct mpi_call *call, uint32_t function,
    const void *address, const void *here)
{
	*call = (struct mpi_call){
		.thread = mpi_self,
		.address = address,
		.peer = -1,
		.tag = -1,
		.function = (uint16_t)function,
		.here = here,
	};
}

/* Shows readers the call that begins now. */
static MPI_INLINE void
mpi_show(const struct mpi_call *call)
{
	struct es_mpi_thread *row = call->thread->row;

	/* Relaxed; the release of `inside` publishes all of it. */
	atomic_store_explicit(&row->comm, call->comm, memory_order_relaxed);
	atomic_store_explicit(&row->peer, call->peer, memory_order_relaxed);
	atomic_store_explicit(&row->tag, call->tag, memory_order_relaxed);
	atomic_store_explicit(&row->site, call->site, memory_order_relaxed);
	atomic_store_explicit(&row->match, call->match, memory_order_relaxed);
	atomic_store_explicit(&row->since, call->start, memory_order_relaxed);
	atomic_store_explicit(&row->inside, 1u + call->function,
	    memory_order_release);
}

/* Copies the fields of the call into its tuple. */
static MPI_INLINE void
mpi_fill(const struct mpi_call *call)
{
	struct es_tuple_mpi *tuple = call->tuple;

	tuple->comm = call->comm;
	tuple->peer = call->peer;
	tuple->tag = call->tag;
	tuple->bytes = call->bytes;
	tuple->match = call->match;
}

/* Begins the time of the call in MPI.  Readers see the fields that are set by
   now. */
static MPI_INLINE void
mpi_begin(struct mpi_call *call)
{
	struct mpi_thread *t = call->thread;

	if (call->mode == ES_MODE_OFF)
		return;
	if (call->mode & ES_MODE_TRACE) {
		call->tuple = es_record_reserve(&t->ring);
		call->tuple->stop = 0;
		call->tuple->seq = t->seq;
		call->tuple->op = call->function;
		call->tuple->site = call->site;
		mpi_fill(call);
	}
	if (mpi_mode_is_stamped(call->mode)) {
		call->start = paths_clock_ticks();
		if (__builtin_expect(call->start > t->cpu.due, 0))
			call->start = mpi_cpu_sample_enter(t, call->start);
	}
	if (call->mode & ES_MODE_TRACE) {
		call->tuple->start = call->start;
		es_record_fill(&t->ring);
	}
	mpi_show(call);
}

/* Ends the time of the call in MPI.  The clock may be read before the last
   instructions of MPI have completed; this error is smaller than the cost of an
   ordered read. */
static MPI_INLINE void
mpi_end(struct mpi_call *call)
{
	if (mpi_mode_is_stamped(call->mode))
		call->stop = paths_clock_ticks();
}

/* Completes the tuple of the call with its present fields. */
static MPI_INLINE void
mpi_keep(struct mpi_call *call)
{
	mpi_fill(call);
	call->tuple->stop = call->stop;
	es_record_complete(&call->thread->ring, call->stop);
	call->tuple = NULL;
}

/*
 * Appends a tuple to the call, for one request: op, comm, peer, tag, bytes and
 * match are those of `of`.  For after-hooks, which set the fields of the call
 * itself before they append the first tuple.
 */
static MPI_INLINE void
mpi_append(struct mpi_call *call, const struct es_tuple_mpi *of)
{
	struct es_tuple_mpi *tuple;
	struct mpi_thread *t = call->thread;

	if (!(call->mode & ES_MODE_TRACE))
		return;
	if (call->tuple != NULL)
		mpi_keep(call);
	tuple = es_record_reserve(&t->ring);
	*tuple = *of;
	tuple->start = call->start;
	tuple->stop = call->stop;
	tuple->seq = t->seq;
	tuple->site = call->site;
	es_record_fill(&t->ring);
	es_record_complete(&t->ring, call->stop);
}

/* Ends a call, and records its present fields. */
static MPI_INLINE void
mpi_leave(struct mpi_call *call)
{
	struct mpi_thread *t = call->thread;

	if (call->mode == ES_MODE_OFF)
		return;
	if (call->tuple != NULL)
		mpi_keep(call);
	if (call->mode & ES_MODE_PROFILE) {
		mpi_count_call(call);
		if (__builtin_expect(call->stop >= t->ring.hot->clock_due, 0))
			es_record_clock(&t->ring);
	}
	/* Relaxed: the call has ended. */
	atomic_store_explicit(&t->row->inside, 0, memory_order_relaxed);
	es_record_add(&t->row->calls, 1);
	t->seq++;
	t->outermost = 0;
	/* Without stamps, start and stop are 0. */
	t->cpu.inside += call->stop - call->start;
	if (__builtin_expect(call->stop > t->cpu.due, 0))
		mpi_cpu_sample_leave(t, call->stop);
}

/* Returns the matrix row of a peer and a category, in the present epoch.  For
   hooks of calls whose mode has ES_MODE_MATRIX. */
static inline struct es_mpi_matrix *
mpi_matrix_row(struct mpi_thread *t, int32_t peer,
    enum es_mpi_category category)
{
	struct mpi_cell_key key = mpi_matrix_key(t, peer, category);

	return (
	    struct es_mpi_matrix *)mpi_cell_find(t, &t->cells->matrix, &key);
}

#endif
