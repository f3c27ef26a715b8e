/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/requests_private.h - keeps the requests of a thread, for
 * hooks
 */

#ifndef COLLECTORS_MPI_CALL_REQUESTS_PRIVATE_H
#define COLLECTORS_MPI_CALL_REQUESTS_PRIVATE_H

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_find_private.h"
#include "collectors/mpi/object/request_private.h"
#include "collectors/mpi/object/type_private.h"
#include "collectors/mpi/process/record_private.h"

/* The first member of a structure that a request carries until it is complete,
   or freed. */
struct mpi_carried {
	void (*forget)(struct mpi_carried *self);
};

/* A thread's access to its table of requests (thread->requests), and buffers
   for its current call.  Below MPI_THREAD_MULTIPLE, all threads of the process
   share one table. */
struct mpi_requests {
	struct mpi_request_table *table;
	/* All threads share one table: below MPI_THREAD_MULTIPLE. */
	bool one_table;

	/* Arrays of `room` elements: the requests of the current call. */
	int64_t room;
	mpi_handle *handles; /* 0: MPI_REQUEST_NULL, which the fast path of
				      Waitall stores as it is */
	struct mpi_request *taken; /* entries taken from the table; handle 0:
				      the table had no entry */
	char *statuses;
	/* Stack address of the unrecorded completing call whose hooks are
	   running; 0: none.  Hooks ignore calls nested in it. */
	uintptr_t inside;

	/* Message that the last probe found, until the next receive. */
	bool probed;
	mpi_handle probed_comm;
	int32_t probed_source;
	int32_t probed_tag;
};

/* Creates the requests of a thread.  Returns NULL if there is no memory or the
   thread has no process yet. */
struct mpi_requests *mpi_requests_make(struct mpi_thread *thread)
    __attribute__((cold));

static inline struct mpi_requests *
mpi_requests_get(struct mpi_thread *thread)
{
	if (__builtin_expect(thread->requests == NULL, 0))
		return mpi_requests_make(thread);
	return thread->requests;
}

/* Returns whether an unrecorded call that is not nested must still run its
   completion hooks: the table has requests of earlier, recorded calls. */
static inline bool
mpi_requests_pending(void)
{
	const struct mpi_thread *t = mpi_self;

	return t != NULL && t->requests != NULL && t->outermost == 0 &&
	    atomic_load_explicit(t->requests->table->count,
		memory_order_relaxed) != 0;
}

/* Makes room for the requests of a call.  Returns false if there is
   no memory. */
bool mpi_requests_reserve(struct mpi_requests *own, int64_t count)
    PATHS_CHECKED;

/*
 * In modes with stamps, keeps an entry for the request that a call made, with
 * the peer, tag, bytes and flags of the call, and with call->match as its
 * number.  Sets call->match to a new number if it is 0.  Hooks of collectives,
 * windows and files call it, too, after they have set these fields.
 */
void mpi_request_made(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind);
void mpi_request_made_slow(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind) __attribute__((noinline));

/* Copies the fields of the call into the entry of the request that it made. */
static MPI_INLINE void
mpi_request_fill(struct mpi_request *r, const struct mpi_call *call,
    enum mpi_request_kind kind)
{
	r->comm = NULL;
	r->carried = NULL;
	r->bytes = call->bytes;
	r->peer = call->peer;
	r->tag = call->tag;
	r->number = call->match;
	r->partitions = 0;
	r->later = 0;
	r->function = call->function;
	r->comm_id = call->comm;
	/* READY: a call that completes the request will not wait for its
	   message. */
	mpi_request_set(r, (uint8_t)kind,
	    call->flags & ES_MPI_READY ? MPI_REQUEST_READY : 0,
	    mpi_counts_overlap(call) ? call->stop : 0);
}

/* As mpi_request_made, but inline, for frequent calls. */
static MPI_INLINE void
mpi_request_made_inline(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	mpi_handle handle = mpi_args_request(args, 0);
	struct mpi_request *place = NULL;

	if (!mpi_sees_receives(call))
		return;
	if (__builtin_expect(own != NULL && handle != mpi_abi.request_null &&
		    (kind != MPI_REQUEST_RECV ||
			call->peer != ES_MPI_PEER_NONE),
		1))
		place = mpi_request_place(own->table, handle,
		    kind == MPI_REQUEST_SEND);
	if (__builtin_expect(place == NULL, 0)) {
		struct mpi_call same = *call;
		struct mpi_args with = *args;

		mpi_request_made_slow(&same, &with, kind);
		call->match = same.match;
		return;
	}
	if (call->match == 0)
		call->match = mpi_request_number(own->table);
	mpi_request_fill(place, call, kind);
	place->handle = handle;
	mpi_request_placed(own->table);
}

/* Releases the communicator and the carried data of a request. */
void mpi_request_forget(const struct mpi_request *request);

/* The two steps of mpi_request_made, for any mode.  The first describes the
   request, and returns false if MPI made no request or there is no memory; the
   second keeps it in the table.  A request that cannot be kept is forgotten. */
bool mpi_request_describe(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind, struct mpi_request *request) PATHS_CHECKED;
void mpi_request_keep(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_request *request);

#endif
