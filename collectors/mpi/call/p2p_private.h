/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/p2p_private.h - hooks of point-to-point calls
 *
 * A send is counted when MPI has accepted it, a receive when its status
 * describes the message.  A send that is cancelled later stays counted.  A call
 * with MPI_PROC_NULL is recorded but is no message.  Sizes of types are read
 * after MPI has accepted the arguments, because a query about an invalid type
 * would call the error handler.
 *
 * A call with one status always has a real one for the hooks: mpi_p2p_status of
 * the thread if the program ignores the status.
 */

#ifndef COLLECTORS_MPI_CALL_P2P_PRIVATE_H
#define COLLECTORS_MPI_CALL_P2P_PRIVATE_H

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/call/requests_private.h"

#include <string.h>

/* Size of the largest status of any MPI, in 8 bytes. */
#define MPI_STATUS_WORDS 4

/* Status of a call whose status the program ignores. */
extern __thread uint64_t mpi_p2p_status[MPI_STATUS_WORDS]
    __attribute__((tls_model("initial-exec")));

/* The slow path of mpi_status_bytes: asks MPI. */
uint64_t mpi_status_ask(const void *status);

/* Returns the bytes of the message that a status describes. */
static MPI_INLINE uint64_t
mpi_status_bytes(const void *status)
{
	uint64_t bytes;

	if (__builtin_expect(mpi_abi.status_count == 0, 0))
		return mpi_status_ask(status);
	memcpy(&bytes, (const char *)status + mpi_abi.status_count,
	    sizeof(bytes));
	return bytes;
}

/* Returns whether the last probe of the thread found the message that a call
   receives, and forgets that probe. */
bool mpi_p2p_was_probed(struct mpi_requests *own, mpi_handle comm,
    int32_t source, int32_t tag);

/* Sets the fields of a call that receives a matched message from the entry that
   the probe made. */
void mpi_p2p_take_message(struct mpi_call *call, const struct mpi_args *args);

/* Returns the world rank of a rank argument; ES_MPI_PEER_NONE for
   MPI_ANY_SOURCE. */
static MPI_INLINE int32_t
mpi_p2p_peer(const struct mpi_comm *comm, int32_t rank)
{
	if (rank == mpi_abi.proc_null)
		return ES_MPI_PEER_PROC_NULL;
	return mpi_comm_peer(comm, rank);
}

/* A received message. */
struct mpi_message {
	int32_t peer, tag;
	uint64_t bytes;
};

/* Ends a receive: sets peer, tag and bytes from its status, and counts the
   message, if there is one.  comm: communicator of the call, needed if the
   source is MPI_ANY_SOURCE */
static MPI_INLINE void
mpi_p2p_received(const struct mpi_call *call, const struct mpi_comm *comm,
    const void *status, struct mpi_message *got)
{
	int32_t source = mpi_status_source(status);

	/* The source of an empty status is MPI_ANY_SOURCE: no message. */
	if (got->peer == ES_MPI_PEER_PROC_NULL || source == mpi_abi.any_source)
		return;
	if (__builtin_expect(got->peer == ES_MPI_PEER_NONE, 0))
		got->peer = mpi_p2p_peer(comm, source);
	got->tag = mpi_status_tag(status);
	got->bytes = mpi_status_bytes(status);
	if (got->peer >= 0 && (call->mode & ES_MODE_MATRIX))
		mpi_count_matrix(call->thread, got->peer,
		    ES_MPI_CATEGORY_RECEIVED, got->bytes);
}

/* Sets communicator, target and tag of a send. */
static MPI_INLINE void
mpi_p2p_to(struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);

	if (comm != NULL)
		call->comm = comm->id;
	call->peer = mpi_p2p_peer(comm, args->peer);
	call->tag = args->tag;
}

/* Counts the message of a send that MPI has accepted. */
static MPI_INLINE void
mpi_p2p_sent(struct mpi_call *call, const struct mpi_args *args)
{
	if (__builtin_expect(call->peer < 0, 0))
		return;
	call->bytes = (uint64_t)args->count * mpi_type_bytes(args->type);
	if (call->mode & ES_MODE_MATRIX)
		mpi_count_matrix(call->thread, call->peer, ES_MPI_CATEGORY_P2P,
		    call->bytes);
}

/* Sets communicator, source and tag of a receive. */
static MPI_INLINE void
mpi_p2p_from(struct mpi_call *call, const struct mpi_args *args, int32_t source,
    int32_t tag)
{
	const struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	struct mpi_requests *own = call->thread->requests;

	if (comm != NULL)
		call->comm = comm->id;
	call->peer = mpi_p2p_peer(comm, source);
	call->tag = tag == mpi_abi.any_tag ? -1 : tag;
	if (__builtin_expect(own != NULL && own->probed, 0) &&
	    mpi_p2p_was_probed(own, args->comm, source, tag))
		call->flags |= ES_MPI_READY;
}

/* As mpi_p2p_from, but in a call of the function `matched`, which receives a
   matched message, sets the fields from the probe. */
static MPI_INLINE void
mpi_p2p_from_or_taken(struct mpi_call *call, const struct mpi_args *args,
    uint32_t matched)
{
	struct mpi_call same;
	struct mpi_args with;

	if (call->function != matched) {
		mpi_p2p_from(call, args, args->peer, args->tag);
		return;
	}
	same = *call;
	with = *args;
	mpi_p2p_take_message(&same, &with);
	*call = same;
}

/* Replaces an ignored status by that of the thread. */
static MPI_INLINE void
mpi_p2p_need_status(struct mpi_args *args)
{
	if (args->status_ignored)
		args->status = mpi_p2p_status;
}

static MPI_INLINE void
mpi_send_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_to(call, args);
}

static MPI_INLINE void
mpi_send_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result == 0)
		mpi_p2p_sent(call, args);
}

static MPI_INLINE void
mpi_recv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_need_status(args);
	mpi_p2p_from_or_taken(call, args, MPI_FN_Mrecv);
}

static MPI_INLINE void
mpi_recv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	const struct mpi_comm *comm = NULL;
	struct mpi_message got = { .peer = call->peer, .tag = call->tag };

	if (result != 0 || !mpi_sees_receives(call))
		return;
	if (call->peer == ES_MPI_PEER_NONE && call->function != MPI_FN_Mrecv) {
		comm = mpi_comm_find(call->thread, args->comm);
		call->match = ES_MPI_MATCH_ANY;
	}
	mpi_p2p_received(call, comm, args->status, &got);
	call->peer = got.peer;
	call->tag = got.tag;
	call->bytes = got.bytes;
}

/* Forgets the last probe, because the call may receive its message. */
static MPI_INLINE void
mpi_p2p_forget_probe(const struct mpi_call *call)
{
	if (call->thread->requests != NULL)
		call->thread->requests->probed = false;
}

/* Shows the receive of a Sendrecv to readers of the live space, because it has
   no tuple before the call ends. */
static MPI_INLINE void
mpi_sendrecv_show(const struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	struct es_mpi_thread *row = call->thread->row;

	/* Relaxed: they are ordered by the release of `inside`. */
	atomic_store_explicit(&row->source, mpi_p2p_peer(comm, args->peer2),
	    memory_order_relaxed);
	atomic_store_explicit(&row->source_tag,
	    args->tag2 == mpi_abi.any_tag ? -1 : args->tag2,
	    memory_order_relaxed);
}

static MPI_INLINE void
mpi_sendrecv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_need_status(args);
	mpi_p2p_to(call, args);
	mpi_sendrecv_show(call, args);
	mpi_p2p_forget_probe(call);
}

static MPI_INLINE void
mpi_sendrecv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	const struct mpi_comm *comm;
	struct mpi_message got = { .tag = args->tag2 };

	if (result != 0)
		return;
	mpi_p2p_sent(call, args);
	if (!mpi_sees_receives(call))
		return;
	comm = mpi_comm_find(call->thread, args->comm);
	got.peer = mpi_p2p_peer(comm, args->peer2);
	if (got.peer == ES_MPI_PEER_NONE)
		call->match = ES_MPI_MATCH_ANY;
	mpi_p2p_received(call, comm, args->status, &got);
	mpi_append(call,
	    &(struct es_tuple_mpi){ .comm = call->comm,
		.peer = got.peer,
		.tag = got.tag,
		.bytes = got.bytes });
}

static MPI_INLINE void
mpi_isend_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_to(call, args);
}

static MPI_INLINE void
mpi_isend_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result != 0)
		return;
	mpi_p2p_sent(call, args);
	mpi_request_made_inline(call, args, MPI_REQUEST_SEND);
}

static MPI_INLINE void
mpi_irecv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_from_or_taken(call, args, MPI_FN_Imrecv);
}

static MPI_INLINE void
mpi_irecv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result == 0)
		mpi_request_made_inline(call, args, MPI_REQUEST_RECV);
}

static MPI_INLINE void
mpi_isendrecv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_to(call, args);
	mpi_p2p_forget_probe(call);
}

void mpi_isendrecv_after(struct mpi_call *call, struct mpi_args *args,
    int result);

void mpi_probe_before(struct mpi_call *call, struct mpi_args *args);
void mpi_probe_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_iprobe_before(struct mpi_call *call, struct mpi_args *args);
void mpi_iprobe_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_request_before(struct mpi_call *call, struct mpi_args *args);
void mpi_request_after(struct mpi_call *call, struct mpi_args *args,
    int result);

#endif
