/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/record_private.h - record a call
 *
 * What is inline here runs at MPI calls: no allocation, lock, system call
 * or division.  See process/call_private.h for the order.
 *
 * What a mode asks of a call:
 *	trace		stamps, site, a tuple
 *	profile		stamps, site, a profile row
 *	matrix		mpi_count_matrix and mpi_count_collective by the hooks
 *	any		the words of struct es_mpi_thread, so that whoever looks
 *			at a hung process finds the call that it is in
 */

#ifndef COLLECTORS_MPI_PROCESS_RECORD_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_RECORD_PRIVATE_H

#include "collectors/mpi/process/call_private.h"
#include "collectors/mpi/process/cell_private.h"
#include "collectors/mpi/site/site_private.h"

#include "libpaths/clock.h"

#define MPI_MODE_STAMPED (ES_MODE_TRACE | ES_MODE_PROFILE)

/* This thread; NULL until its first call of MPI. */
extern __thread struct mpi_thread *mpi_self
    __attribute__((tls_model("initial-exec"))) MPI_OWN;

/* Make this thread known.  Never NULL. */
struct mpi_thread *mpi_thread_attach(void) __attribute__((cold));

/* What a thread does that does not know its process: joins it if there is one
   by now, or if MPI was initialised without our seeing it.  The mode. */
uint32_t mpi_thread_join(struct mpi_thread *thread) __attribute__((cold));

/* Give a thread that traces its ring.  The mode without trace where there is
   no room for one. */
uint32_t mpi_thread_ring(struct mpi_thread *thread, uint32_t mode)
    __attribute__((cold));

static MPI_INLINE bool
mpi_mode_is_stamped(uint32_t mode)
{
	return __builtin_expect((mode & MPI_MODE_STAMPED) != 0, 1);
}

/* Where calls are counted, and not traced; how long runs are recorded. */
#define MPI_MODE_COUNTED (ES_MODE_PROFILE | ES_MODE_MATRIX)

/* What a call first looks at. */
struct mpi_look {
	struct mpi_thread *thread;
	uint32_t mode;
};

static MPI_INLINE struct mpi_look
mpi_look(void)
{
	struct mpi_thread *t = mpi_self;

	if (__builtin_expect(t == NULL, 0))
		t = mpi_thread_attach();
	/* Relaxed: whoever switches does not wait for us. */
	return (struct mpi_look){ t,
		atomic_load_explicit(&t->control->mode, memory_order_relaxed) };
}

/* The same, after an entry stub found a mode. */
static MPI_INLINE struct mpi_look
mpi_look_at(uint32_t mode)
{
	return (struct mpi_look){ mpi_self, mode };
}

/* Whether a call need not even be entered. */
static MPI_INLINE bool
mpi_is_off(struct mpi_look look)
{
	return __builtin_expect(look.mode == ES_MODE_OFF, 0) &&
	    look.thread->process != NULL;
}

/* The same for a call that begins to receive, or only asks: what is received is
   counted by the modes with stamps alone, so that nothing is remembered of
   requests for the matrix, which senders make. */
static MPI_INLINE bool
mpi_is_off_to_receivers(struct mpi_look look)
{
	return __builtin_expect((look.mode & MPI_MODE_STAMPED) == 0, 0) &&
	    look.thread->process != NULL;
}

/* Whether that is not the mode of a call. */
static MPI_INLINE bool
mpi_sees_receives(const struct mpi_call *call)
{
	return mpi_mode_is_stamped(call->mode);
}

/*
 * Begin a call.  False: it is not recorded, and nothing else here may be called
 * for it: recording is off, the call is nested, or there is nothing to record
 * to.
 *
 * address	where the program goes on: __builtin_return_address(0) of the
 *		wrapper
 * here		a place in the frame of the wrapper
 */
static MPI_INLINE bool
mpi_enter(struct mpi_call *call, uint32_t function, const void *address,
    const void *here, struct mpi_look look)
{
	struct mpi_thread *t = look.thread;
	uint32_t mode = look.mode;

	if (__builtin_expect(mode == ES_MODE_OFF, 0)) {
		if (t->process != NULL) {
			/* Tuples shall tell that calls are missing. */
			t->seq++;
			return false;
		}
		mode = mpi_thread_join(t);
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

/* Prepare a call that mpi_enter refused for hooks that want to know of it. */
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

/* Tell readers of the call that begins now. */
static MPI_INLINE void
mpi_show(const struct mpi_call *call)
{
	struct es_mpi_thread *row = call->thread->row;

	/* Relaxed but for `inside`, which tells of the rest. */
	atomic_store_explicit(&row->comm, call->comm, memory_order_relaxed);
	atomic_store_explicit(&row->peer, call->peer, memory_order_relaxed);
	atomic_store_explicit(&row->tag, call->tag, memory_order_relaxed);
	atomic_store_explicit(&row->site, call->site, memory_order_relaxed);
	atomic_store_explicit(&row->match, call->match, memory_order_relaxed);
	atomic_store_explicit(&row->since, call->start, memory_order_relaxed);
	atomic_store_explicit(&row->inside, 1u + call->function,
	    memory_order_release);
}

/* What the call knows of itself, into its tuple. */
static MPI_INLINE void
mpi_tell(const struct mpi_call *call)
{
	struct es_tuple_mpi *tuple = call->tuple;

	tuple->comm = call->comm;
	tuple->peer = call->peer;
	tuple->tag = call->tag;
	tuple->bytes = call->bytes;
	tuple->match = call->match;
}

/* The call goes to MPI now.  What is known of it by now is seen from outside
   while it is there. */
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
		mpi_tell(call);
	}
	if (mpi_mode_is_stamped(call->mode))
		call->start = paths_clock_ticks();
	if (call->mode & ES_MODE_TRACE) {
		call->tuple->start = call->start;
		es_record_fill(&t->ring);
	}
	mpi_show(call);
}

/* The call came back from MPI just now.  Its stamp is not held back until all
   that MPI did has retired: the error, what the processor has in flight, is
   less than what holding back would cost. */
static MPI_INLINE void
mpi_end(struct mpi_call *call)
{
	if (mpi_mode_is_stamped(call->mode))
		call->stop = paths_clock_ticks();
}

/* The tuple of the call, as the call is now. */
static MPI_INLINE void
mpi_keep(struct mpi_call *call)
{
	mpi_tell(call);
	call->tuple->stop = call->stop;
	es_record_complete(&call->thread->ring, call->stop);
	call->tuple = NULL;
}

/*
 * A tuple more of the call, which tells of one request: op, comm, peer, tag,
 * bytes and match are those of `of`.  For after-hooks; what the tuple of the
 * call itself says must be set before the first of these.
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

/* End a call, with all that is known of it now. */
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
	/* Relaxed: what it told of has ended anyway. */
	atomic_store_explicit(&t->row->inside, 0, memory_order_relaxed);
	es_record_add(&t->row->calls, 1);
	t->seq++;
	t->outermost = 0;
}

/* The matrix row of a peer and a category, ready to be counted in.  For hooks
   of calls whose mode has ES_MODE_MATRIX. */
static inline struct es_mpi_matrix *
mpi_matrix_row(struct mpi_thread *t, int32_t peer,
    enum es_mpi_category category)
{
	struct mpi_cell_key key = mpi_matrix_key(t, peer, category);

	return (
	    struct es_mpi_matrix *)mpi_cell_find(t, &t->cells->matrix, &key);
}

#endif
