/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/record_private.h - record a call
 *
 * What is inline here runs at every MPI call: no allocation, lock, system call
 * or division.  See call_private.h for the order.
 *
 * What a mode asks of a call:
 *	trace		stamps, site, a tuple
 *	profile		stamps, site, a profile row
 *	matrix		mpi_count_matrix and mpi_count_collective by the hooks
 *	any		the words of struct es_mpi_thread, so that whoever looks
 *			at a hung process finds the call that it is in
 */

#ifndef COLLECTORS_MPI_RECORD_PRIVATE_H
#define COLLECTORS_MPI_RECORD_PRIVATE_H

#include "collectors/mpi/call_private.h"
#include "collectors/mpi/cell_private.h"
#include "collectors/mpi/site_private.h"

#include "libpaths/clock.h"

#define MPI_MODE_STAMPED (ES_MODE_TRACE | ES_MODE_PROFILE)

/* This thread; NULL until its first call of MPI. */
extern __thread struct mpi_thread *mpi_self
    __attribute__((tls_model("initial-exec")));

/* Make this thread known.  Never NULL. */
struct mpi_thread *mpi_thread_attach(void) __attribute__((cold));

/* What a thread does that does not know its process: joins it if there is one
   by now, or if MPI was initialised without our seeing it.  The mode. */
uint32_t mpi_thread_join(struct mpi_thread *thread) __attribute__((cold));

/* Give a thread that traces its ring.  The mode without trace where there is
   no room for one. */
uint32_t mpi_thread_ring(struct mpi_thread *thread, uint32_t mode)
    __attribute__((cold));

/* Whether a call need not even be entered: a wrapper that asks this first has
   nothing on its stack when it passes the call on. */
static MPI_INLINE bool
mpi_is_off(void)
{
	const struct mpi_thread *t = mpi_self;

	/* Relaxed: whoever switches does not wait for us. */
	return __builtin_expect(t != NULL &&
		atomic_load_explicit(&t->control->mode, memory_order_relaxed) ==
		    ES_MODE_OFF &&
		t->process != NULL,
	    0);
}

/* The same for a call that begins to receive, or only asks: what is received is
   counted by the modes with stamps alone, so that nothing is remembered of
   requests for the matrix, which senders make. */
static MPI_INLINE bool
mpi_is_off_to_receivers(void)
{
	const struct mpi_thread *t = mpi_self;

	return __builtin_expect(t != NULL &&
		(atomic_load_explicit(&t->control->mode, memory_order_relaxed) &
		    MPI_MODE_STAMPED) == 0 &&
		t->process != NULL,
	    0);
}

/* Whether that is not the mode of a call. */
static inline bool
mpi_sees_receives(const struct mpi_call *call)
{
	return (call->mode & MPI_MODE_STAMPED) != 0;
}

/*
 * Begin a call.  False: it is not recorded, and nothing else here may be called
 * for it: recording is off, the call is nested, or there is nothing to record
 * to.
 *
 * address	where the program goes on: __builtin_return_address(0) of the
 *		wrapper
 */
static MPI_INLINE bool
mpi_enter(struct mpi_call *call, uint32_t function, const void *address)
{
	struct mpi_thread *t = mpi_self;
	uint32_t mode;

	if (__builtin_expect(t == NULL, 0))
		t = mpi_thread_attach();
	/* Relaxed: whoever switches does not wait for us. */
	mode = atomic_load_explicit(&t->control->mode, memory_order_relaxed);
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
	if (__builtin_expect((uintptr_t)call < (uintptr_t)t->outermost, 0)) {
		if (t->outermost->function != function)
			es_record_add(&t->row->nested, 1);
		return false;
	}
	if (__builtin_expect((mode & ES_MODE_TRACE) != 0 &&
		    t->ring.tuples == NULL,
		0))
		mode = mpi_thread_ring(t, mode);
	t->outermost = call;
	*call = (struct mpi_call){
		.thread = t,
		.address = address,
		.peer = -1,
		.tag = -1,
		.site = mode & MPI_MODE_STAMPED ? mpi_site_find(t, address) : 0,
		.function = (uint16_t)function,
		.mode = (uint8_t)mode,
	};
	return true;
}

/* Prepare a call that mpi_enter refused for hooks that want to know of it. */
static inline void
mpi_enter_unrecorded(struct mpi_call *call, uint32_t function,
    const void *address)
{
	*call = (struct mpi_call){
		.thread = mpi_self,
		.address = address,
		.peer = -1,
		.tag = -1,
		.function = (uint16_t)function,
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
	if (call->mode & MPI_MODE_STAMPED)
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
	if (call->mode & MPI_MODE_STAMPED)
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
static inline void
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

static inline uint32_t
mpi_phase(const struct mpi_thread *t)
{
	return atomic_load_explicit(&t->control->phase, memory_order_relaxed);
}

/* Count the call in its profile row. */
static inline void
mpi_count_call(const struct mpi_call *call, uint32_t comm)
{
	struct mpi_thread *t = call->thread;
	uint64_t ticks = call->stop - call->start;
	_Atomic uint32_t *bin;
	struct es_mpi_profile *row;
	struct mpi_cell_key key;

	key.word[0] = call->site | (uint64_t)call->function << 32 |
	    (uint64_t)es_space_size_class(call->bytes) << 48 |
	    (uint64_t)call->flags << 56;
	key.word[1] = mpi_phase(t) | (uint64_t)comm << 32;
	row =
	    (struct es_mpi_profile *)mpi_cell_find(t, &t->cells->profile, &key);
	if (ticks <
		atomic_load_explicit(&row->min_ticks, memory_order_relaxed) ||
	    atomic_load_explicit(&row->calls, memory_order_relaxed) == 0)
		atomic_store_explicit(&row->min_ticks, ticks,
		    memory_order_relaxed);
	if (ticks > atomic_load_explicit(&row->max_ticks, memory_order_relaxed))
		atomic_store_explicit(&row->max_ticks, ticks,
		    memory_order_relaxed);
	es_record_add(&row->calls, 1);
	es_record_add(&row->bytes, call->bytes);
	es_record_add(&row->sum_ticks, ticks);
	bin = &row->bins[es_mpi_bin(ticks)];
	atomic_store_explicit(bin,
	    atomic_load_explicit(bin, memory_order_relaxed) + 1,
	    memory_order_relaxed);
	if (__builtin_expect(call->stop >= t->ring.hot->clock_due, 0))
		es_record_clock(&t->ring);
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
	if (call->mode & ES_MODE_PROFILE)
		mpi_count_call(call, call->collective ? call->comm : 0);
	/* Relaxed: what it told of has ended anyway. */
	atomic_store_explicit(&t->row->inside, 0, memory_order_relaxed);
	es_record_add(&t->row->calls, 1);
	t->seq++;
	t->outermost = NULL;
}

/* The matrix row of a peer and a category, ready to be counted in.  For hooks
   of calls whose mode has ES_MODE_MATRIX. */
static inline struct es_mpi_matrix *
mpi_matrix_row(struct mpi_thread *t, int32_t peer,
    enum es_mpi_category category)
{
	struct mpi_cell_key key = {
		.word = { (uint32_t)peer | (uint64_t)category << 32,
		    mpi_phase(t) },
	};

	return (
	    struct es_mpi_matrix *)mpi_cell_find(t, &t->cells->matrix, &key);
}

/* Count one message to, or from, a world rank; likewise. */
static inline void
mpi_count_matrix(struct mpi_thread *t, int32_t peer,
    enum es_mpi_category category, uint64_t bytes)
{
	struct es_mpi_matrix *row = mpi_matrix_row(t, peer, category);

	es_record_add(&row->messages, 1);
	es_record_add(&row->bytes, bytes);
	es_record_add(&row->classes[es_space_size_class(bytes)], 1);
}

/* Count one collective as it was called; bytes are those of one pair.  For
   hooks of calls whose mode has ES_MODE_MATRIX. */
static inline void
mpi_count_collective(struct mpi_thread *t, uint16_t comm, uint32_t function,
    int32_t root, uint64_t bytes)
{
	struct mpi_cell_key key = {
		.word = { comm | (uint64_t)function << 32,
		    (uint32_t)root | (uint64_t)mpi_phase(t) << 32 },
	};
	struct es_mpi_collective *row =
	    (struct es_mpi_collective *)mpi_cell_find(t, &t->cells->collective,
		&key);

	es_record_add(&row->calls, 1);
	es_record_add(&row->bytes, bytes);
	es_record_add(&row->classes[es_space_size_class(bytes)], 1);
}

#endif
