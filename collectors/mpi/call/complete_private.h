/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/complete_private.h - hooks of calls that complete
 * requests
 */

#ifndef COLLECTORS_MPI_CALL_COMPLETE_PRIVATE_H
#define COLLECTORS_MPI_CALL_COMPLETE_PRIVATE_H

#include "collectors/mpi/call/p2p_private.h"

/* Totals of the requests that a call completed. */
struct mpi_completion {
	uint32_t requests, sends, receives;
	uint64_t sent, received; /* bytes */
	uint64_t overlap; /* ticks from the first request that was made to this
			     call; 0: not known */
	const struct mpi_request *last; /* last one copied; NULL: none */
};

/* Prolongs the overlap of a call to that of a request, if this is longer. */
static MPI_INLINE void
mpi_completion_overlap(struct mpi_completion *c, const struct mpi_call *call,
    const struct mpi_request *r)
{
	uint64_t age;

	if (!mpi_counts_overlap(call))
		return;
	age = mpi_request_age(r, call->start);
	c->overlap = age > c->overlap ? age : c->overlap;
}

/*
 * Completes a request by the fast path, which copies only what the record of
 * the call needs.  The caller calls mpi_request_recount after the last one.
 *
 * r	out: number, comm_id, flags, peer, tag and bytes of the request, which
 *	the record needs; NULL: none is needed
 *
 * Returns false, with nothing done, if the request needs the slow path.
 */
static MPI_INLINE bool
mpi_complete_fast(const struct mpi_call *call, struct mpi_completion *c,
    mpi_handle handle, const void *status, struct mpi_request *r)
{
	struct mpi_request_table *table = call->thread->requests->table;
	struct mpi_request *slot = mpi_request_plain(table, handle);
	struct mpi_message got;

	if (__builtin_expect(slot == NULL, 0))
		return false;
	got = (struct mpi_message){ slot->peer, slot->tag, slot->bytes };
	if (slot->kind == MPI_REQUEST_RECV) {
		mpi_p2p_received(call, NULL, status, &got);
		c->receives++;
		c->received += got.bytes;
	} else {
		c->sends += slot->kind == MPI_REQUEST_SEND;
		c->sent += got.bytes;
	}
	c->requests++;
	mpi_completion_overlap(c, call, slot);
	if (r != NULL) {
		c->last = r;
		r->number = slot->number;
		r->comm_id = slot->comm_id;
		r->flags = 0;
		r->peer = got.peer;
		r->tag = got.tag;
		r->bytes = got.bytes;
	}
	mpi_request_over(table, slot);
	return true;
}

/* Returns the bytes of a call: received ones, or sent ones if it received
   nothing. */
static MPI_INLINE uint64_t
mpi_completed_bytes(const struct mpi_completion *c)
{
	return c->receives > 0 ? c->received : c->sent;
}

static MPI_INLINE uint8_t
mpi_completed_flags(const struct mpi_completion *c)
{
	uint8_t flags = 0;

	if (c->requests != 1)
		flags = ES_MPI_MANY;
	else if (c->last != NULL && (c->last->flags & MPI_REQUEST_READY))
		flags = ES_MPI_READY;
	if (c->requests == 0)
		return flags;
	if (c->sends == c->requests)
		flags |= ES_MPI_SENT;
	else if (c->sends + c->receives == 0)
		flags |= ES_MPI_ELSE;
	return flags;
}

/* Appends a tuple for a request that a call completed.  Appends none if its
   number is 0. */
static MPI_INLINE void
mpi_completed_append(struct mpi_call *call, const struct mpi_request *r)
{
	if (r->number != 0)
		mpi_append(call,
		    &(struct es_tuple_mpi){
			.op = ES_MPI_COMPLETED,
			.comm = r->comm_id,
			.peer = r->peer,
			.tag = r->tag,
			.bytes = r->bytes,
			.match = r->number,
		    });
}

/* Ends a Wait of the fast path that failed, or whose request a callback has
   completed. */
void mpi_wait_end_slow(struct mpi_call *call, mpi_handle handle, void *request,
    void *status, int result) __attribute__((cold));

/* Completes the requests of a Waitall from `from` on, which needs the slow
   path. */
void mpi_waitall_rest(struct mpi_call *call, void *statuses, int64_t from,
    int64_t count, struct mpi_completion *c) __attribute__((noinline));

/* Ends a Waitall of the fast path that failed. */
void mpi_waitall_end_slow(struct mpi_call *call, int64_t count, void *requests,
    void *statuses, int result) __attribute__((cold));

void mpi_wait_before(struct mpi_call *call, struct mpi_args *args);
void mpi_wait_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_wait_many_before(struct mpi_call *call, struct mpi_args *args);
void mpi_wait_many_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_test_before(struct mpi_call *call, struct mpi_args *args);
void mpi_test_after(struct mpi_call *call, struct mpi_args *args, int result);

#endif
