/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wait_private.h - the usual way of Wait and Waitall
 *
 * Where one thread at a time calls MPI, and the requests are sends and receives
 * about which nothing is special.  It stands by itself, beside the hooks of
 * p2p_private.h which do whatever there is, so that what the call is made of
 * never leaves the registers for what happens rarely.
 */

#ifndef COLLECTORS_MPI_WAIT_PRIVATE_H
#define COLLECTORS_MPI_WAIT_PRIVATE_H

#include "collectors/mpi/p2p_private.h"
#include "collectors/mpi/wrap_private.h"

/* What a wrapper gives mpi_enter. */
struct mpi_entry {
	struct mpi_look look;
	const void *address, *here;
};

/* Whether the call may go that way; then mpi_enter lets it in. */
static MPI_INLINE bool
mpi_wait_is_simple(struct mpi_entry e)
{
	const struct mpi_thread *t = e.look.thread;

	return __builtin_expect((e.look.mode & MPI_MODE_STAMPED) != 0 &&
		(uintptr_t)e.here >= t->outermost && t->requests != NULL &&
		t->requests->alone &&
		((e.look.mode & ES_MODE_TRACE) == 0 || t->ring.tuples != NULL),
	    1);
}

/* Its request; NULL: the call does not go that way. */
static MPI_INLINE const struct mpi_request *
mpi_wait_usual_request(struct mpi_entry e, mpi_word request)
{
	if (!mpi_wait_is_simple(e))
		return NULL;
	return mpi_request_usual(e.look.thread->requests->table,
	    mpi_handle_at((const void *)request));
}

/* What such a call was that failed, or whose request a callback completed. */
void mpi_wait_end_rarely(struct mpi_call *call, mpi_handle handle,
    mpi_word request, mpi_word status, int result) __attribute__((cold));

static MPI_INLINE int
mpi_wait_usual(int (*next)(mpi_word, mpi_word), mpi_word request,
    mpi_word status, const struct mpi_request *r, struct mpi_entry e)
{
	struct mpi_request_table *table = e.look.thread->requests->table;
	struct mpi_message got;
	struct mpi_call call;
	mpi_handle handle = r->handle;
	struct mpi_request *found;
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
	/* Again: a callback may have moved it. */
	found = mpi_request_usual(table, handle);
	if (__builtin_expect(found == NULL || result != 0, 0)) {
		struct mpi_call same = call;

		mpi_wait_end_rarely(&same, handle, request, status, result);
		mpi_call_leave(&same);
		return result;
	}
	got.peer = call.peer;
	got.tag = call.tag;
	got.bytes = found->bytes;
	if (found->kind == MPI_REQUEST_RECV)
		mpi_p2p_received(&call, NULL, (const void *)status, &got);
	else
		call.flags = ES_MPI_SENT;
	call.peer = got.peer;
	call.tag = got.tag;
	call.bytes = got.bytes;
	mpi_request_over(table, found);
	mpi_request_recount(table);
	mpi_leave(&call);
	return result;
}

/* Of one request it is no more than a Wait. */
static MPI_INLINE bool
mpi_waitall_is_usual(struct mpi_entry e, mpi_word count)
{
	return mpi_wait_is_simple(e) && mpi_c_int(count) > 1 &&
	    mpi_c_int(count) <= e.look.thread->requests->room;
}

/* What it completed; as large as comes back in registers. */
struct mpi_waited {
	uint64_t bytes;
	int32_t only;	/* the place of its only request; -1: many, or none */
	uint32_t flags; /* of the call */
};

/* Note the handles.  Returns how many requests there are. */
int32_t mpi_waitall_begin(const struct mpi_requests *own, const void *requests,
    int64_t count);
struct mpi_waited mpi_waitall_end(struct mpi_thread *thread, void *statuses,
    int64_t count, uint32_t mode);

/* A tuple for each request that it completed. */
void mpi_waitall_append(struct mpi_call *call, int64_t count);

/* What such a call was that failed. */
void mpi_waitall_end_rarely(struct mpi_call *call, int64_t count,
    mpi_word requests, mpi_word statuses, int result) __attribute__((cold));

static MPI_INLINE int
mpi_waitall_usual(int (*next)(mpi_word, mpi_word, mpi_word), mpi_word count,
    mpi_word requests, mpi_word statuses, struct mpi_entry e)
{
	struct mpi_requests *own = e.look.thread->requests;
	struct mpi_waited waited;
	struct mpi_call call;
	int64_t n = mpi_c_int(count);
	int result;

	if (!mpi_enter(&call, MPI_FN_Waitall, e.address, e.here, e.look))
		return next(count, requests, statuses);
	if (mpi_c_statuses_ignored(statuses))
		statuses = (mpi_word)own->statuses;
	call.tag = mpi_waitall_begin(own, (const void *)requests, n);
	mpi_begin(&call);
	mpi_inner = MPI_FN_Waitall;
	result = next(count, requests, statuses);
	mpi_inner = 0;
	mpi_end(&call);
	if (__builtin_expect(result != 0, 0)) {
		struct mpi_call same = call;

		mpi_waitall_end_rarely(&same, n, requests, statuses, result);
		mpi_call_leave(&same);
		return result;
	}
	waited = mpi_waitall_end(call.thread, (void *)statuses, n, call.mode);
	call.bytes = waited.bytes;
	call.flags = (uint8_t)waited.flags;
	call.tag = -1;
	if (__builtin_expect(waited.only >= 0, 0)) {
		const struct mpi_request *r = &own->taken[waited.only];

		call.peer = r->peer;
		call.tag = r->tag;
		call.match = r->number;
		call.comm = r->comm_id;
	} else if (call.mode & ES_MODE_TRACE) {
		struct mpi_call same = call;

		mpi_waitall_append(&same, n);
		call.tuple = same.tuple;
	}
	mpi_leave(&call);
	return result;
}

#endif
