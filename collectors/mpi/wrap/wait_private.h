/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/wait_private.h - the fast path of Wait and Waitall
 *
 * It is for thread levels below MPI_THREAD_MULTIPLE, and for requests that
 * mpi_request_plain returns.  It is separate from the hooks in call/complete.c,
 * which handle all cases, so that the call stays in registers.
 */

#ifndef COLLECTORS_MPI_WRAP_WAIT_PRIVATE_H
#define COLLECTORS_MPI_WRAP_WAIT_PRIVATE_H

#include "collectors/mpi/call/complete_private.h"
#include "collectors/mpi/wrap/wrap_private.h"

/* Arguments of mpi_enter. */
struct mpi_entry {
	struct mpi_look look;
	const void *address, *here;
};

/* Returns whether a call can take the fast path; mpi_enter accepts it then. */
static MPI_INLINE bool
mpi_wait_is_simple(struct mpi_entry e)
{
	const struct mpi_thread *t = e.look.thread;

	return __builtin_expect((e.look.mode & MPI_MODE_STAMPED) != 0 &&
		(uintptr_t)e.here >= t->outermost && t->requests != NULL &&
		t->requests->one_table &&
		((e.look.mode & ES_MODE_TRACE) == 0 || t->ring.tuples != NULL),
	    1);
}

/* Returns whether the call can skip its requests, because the table is empty:
   in mode matrix most requests are not entered. */
static MPI_INLINE bool
mpi_wait_is_blind(struct mpi_entry e)
{
	const struct mpi_thread *t = e.look.thread;

	/* Relaxed: a request that another thread is making now is not one of
	   this call. */
	return (uintptr_t)e.here >= t->outermost && t->requests != NULL &&
	    atomic_load_explicit(t->requests->table->count,
		memory_order_relaxed) == 0;
}

/* Begins a call whose requests are unknown; it is shown and counted as any
   other. */
static MPI_INLINE void
mpi_wait_begin_blind(struct mpi_call *call, uint32_t function,
    struct mpi_entry e)
{
	if (!mpi_enter(call, function, e.address, e.here, e.look))
		__builtin_unreachable();
	mpi_begin(call);
	mpi_inner = function;
}

static MPI_INLINE int
mpi_wait_end_blind(struct mpi_call *call, int result)
{
	mpi_inner = 0;
	mpi_leave(call);
	return result;
}

/* Returns the request of a Wait; NULL: the call needs the slow path. */
static MPI_INLINE const struct mpi_request *
mpi_wait_fast_request(struct mpi_entry e, mpi_word request)
{
	if (!mpi_wait_is_simple(e))
		return NULL;
	return mpi_request_plain(e.look.thread->requests->table,
	    mpi_handle_at((const void *)request));
}

/* Records a Wait by the fast path. */
static MPI_INLINE int
mpi_wait_fast(int (*next)(mpi_word, mpi_word), mpi_word request,
    mpi_word status, const struct mpi_request *r, struct mpi_entry e)
{
	struct mpi_request_table *table = e.look.thread->requests->table;
	struct mpi_message got;
	struct mpi_call call;
	mpi_handle handle = r->handle;
	struct mpi_request *found;
	uint64_t overlap = 0;
	int result;

	if (!mpi_enter(&call, MPI_FN_Wait, e.address, e.here, e.look))
		return next(request, status);
	if (mpi_c_status_ignored(status))
		status = (mpi_word)mpi_p2p_status;
	call.comm = r->comm_id;
	call.peer = r->peer;
	call.tag = r->tag;
	call.match = r->number;
	mpi_begin(&call);
	mpi_inner = MPI_FN_Wait;
	result = next(request, status);
	mpi_inner = 0;
	mpi_end(&call);
	/* The request is looked up again, because a callback may have moved
	   its entry. */
	found = mpi_request_plain(table, handle);
	if (__builtin_expect(found == NULL || result != 0, 0)) {
		struct mpi_call same = call;

		mpi_wait_end_slow(&same, handle, (void *)request,
		    (void *)status, result);
		mpi_call_leave(&same);
		return result;
	}
	got.peer = call.peer;
	got.tag = call.tag;
	got.bytes = found->bytes;
	if (mpi_counts_overlap(&call))
		overlap = mpi_request_age(found, call.start);
	if (found->kind == MPI_REQUEST_RECV)
		mpi_p2p_received(&call, NULL, (const void *)status, &got);
	else
		call.flags =
		    found->kind == MPI_REQUEST_SEND ? ES_MPI_SENT : ES_MPI_ELSE;
	call.peer = got.peer;
	call.tag = got.tag;
	call.bytes = got.bytes;
	mpi_request_over(table, found);
	mpi_request_recount(table);
	mpi_count_overlap(&call, overlap);
	mpi_leave(&call);
	return result;
}

/* Returns whether a Waitall can take the fast path.  A Waitall for one request
   takes the slow path, which shows readers that request. */
static MPI_INLINE bool
mpi_waitall_is_fast(struct mpi_entry e, mpi_word count)
{
	return mpi_wait_is_simple(e) && mpi_c_int(count) > 1 &&
	    mpi_c_int(count) <= e.look.thread->requests->room;
}

/* Copies the handles.  Returns the number of requests that are not null. */
static MPI_INLINE int32_t
mpi_waitall_note(const struct mpi_requests *own, const void *requests,
    int64_t count)
{
	mpi_handle *handles = own->handles;
	int32_t waits = 0;

	for (int64_t i = 0; i < count; i++) {
		handles[i] = mpi_handle_at(
		    (const char *)requests + i * mpi_abi.handle_bytes);
		waits += handles[i] != mpi_abi.request_null;
	}
	return waits;
}

/* Completes the requests of a Waitall.  keep: their entries are needed */
static MPI_INLINE struct mpi_completion
mpi_waitall_complete(const struct mpi_call *call, void *statuses, int64_t count,
    bool keep)
{
	struct mpi_requests *own = call->thread->requests;
	const char *status = statuses;
	struct mpi_completion c = { 0 };
	int64_t i;

	for (i = 0; i < count; i++) {
		if (__builtin_expect(!mpi_complete_fast(call, &c,
					 own->handles[i], status,
					 keep ? &own->taken[i] : NULL),
			0))
			break;
		status += mpi_abi.status_bytes;
	}
	mpi_request_recount(own->table);
	if (__builtin_expect(i < count, 0)) {
		/* Copies, so that the originals stay in registers. */
		struct mpi_call same = *call;
		struct mpi_completion all = c;

		mpi_waitall_rest(&same, statuses, i, count, &all);
		c = all;
	}
	return c;
}

/* Records a Waitall by the fast path. */
static MPI_INLINE int
mpi_waitall_fast(int (*next)(mpi_word, mpi_word, mpi_word), mpi_word count,
    mpi_word requests, mpi_word statuses, struct mpi_entry e)
{
	struct mpi_requests *own = e.look.thread->requests;
	struct mpi_completion c;
	struct mpi_call call;
	int64_t n = mpi_c_int(count);
	int result;

	if (!mpi_enter(&call, MPI_FN_Waitall, e.address, e.here, e.look))
		return next(count, requests, statuses);
	if (mpi_c_statuses_ignored(statuses))
		statuses = (mpi_word)own->statuses;
	call.tag = mpi_waitall_note(own, (const void *)requests, n);
	mpi_begin(&call);
	mpi_inner = MPI_FN_Waitall;
	result = next(count, requests, statuses);
	mpi_inner = 0;
	mpi_end(&call);
	if (__builtin_expect(result != 0, 0)) {
		struct mpi_call same = call;

		mpi_waitall_end_slow(&same, n, (void *)requests,
		    (void *)statuses, result);
		mpi_call_leave(&same);
		return result;
	}
	/* Entries are needed for a single request, and for tuples. */
	c = mpi_waitall_complete(&call, (void *)statuses, n,
	    call.tag == 1 || (call.mode & ES_MODE_TRACE));
	call.bytes = mpi_completed_bytes(&c);
	call.flags = mpi_completed_flags(&c);
	call.tag = -1;
	if (__builtin_expect(c.requests == 1 && c.last != NULL, 0)) {
		call.peer = c.last->peer;
		call.tag = c.last->tag;
		call.match = c.last->number;
		call.comm = c.last->comm_id;
	} else if (call.mode & ES_MODE_TRACE) {
		for (int64_t i = 0; i < n; i++)
			mpi_completed_append(&call, &own->taken[i]);
	}
	mpi_count_overlap(&call, c.overlap);
	mpi_leave(&call);
	return result;
}

#endif
