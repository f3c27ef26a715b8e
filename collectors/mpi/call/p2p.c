/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/p2p.c - hooks of point-to-point calls that are not
 * inline: probes, matched messages, cancelled and freed requests
 */

#include "collectors/mpi/call/p2p_private.h"

__thread uint64_t mpi_p2p_status[MPI_STATUS_WORDS];

void
mpi_isendrecv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_request r;

	if (result != 0)
		return;
	mpi_p2p_sent(call, args);
	if (!mpi_sees_receives(call) ||
	    !mpi_request_describe(call, args, MPI_REQUEST_RECV, &r))
		return;
	/* A call that waits for the request waits for the receive. */
	r.bytes = 0;
	r.peer =
	    mpi_p2p_peer(mpi_comm_find(call->thread, args->comm), args->peer2);
	if (r.peer == ES_MPI_PEER_NONE)
		r.number = call->match |= ES_MPI_MATCH_ANY;
	r.tag = args->tag2 == mpi_abi.any_tag ? -1 : args->tag2;
	r.flags |= MPI_REQUEST_ISENDRECV;
	mpi_request_keep(call, args, &r);
}

uint64_t
mpi_status_ask(const void *status)
{
	int64_t bytes;
	int count;

	if (mpi_abi.call.get_count(status, mpi_abi.type_byte, &count) != 0)
		return 0;
	if (count != mpi_abi.undefined)
		return (uint64_t)count;
	/* The count of 2 GiB or more does not fit into an int. */
	if (mpi_abi.call.get_elements_x == NULL ||
	    mpi_abi.call.get_elements_x(status, mpi_abi.type_byte, &bytes) != 0)
		return 0;
	return (uint64_t)bytes;
}

bool
mpi_p2p_was_probed(struct mpi_requests *own, mpi_handle comm, int32_t source,
    int32_t tag)
{
	own->probed = false;
	return own->probed_comm == comm &&
	    (source == own->probed_source || source == mpi_abi.any_source) &&
	    (tag == own->probed_tag || tag == mpi_abi.any_tag);
}

/* Returns the message handle of Mprobe, Improbe, Mrecv and Imrecv. */
static mpi_handle
p2p_message(const struct mpi_args *args)
{
	return mpi_args_handle(args, args->other, 0, mpi_abi.call.message_f2c);
}

void
mpi_p2p_take_message(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	mpi_handle message = p2p_message(args);
	struct mpi_request r;

	if (message == mpi_abi.message_no_proc) {
		call->peer = ES_MPI_PEER_PROC_NULL;
		return;
	}
	if (own == NULL || !mpi_request_take(own->table, message, &r)) {
		/* Relaxed: a total, ordered with nothing. */
		atomic_fetch_add_explicit(
		    &call->thread->control->requests_unknown, 1,
		    memory_order_relaxed);
		return;
	}
	call->comm = r.comm_id;
	call->peer = r.peer;
	call->tag = r.tag;
	call->match = r.number;
	call->flags |= ES_MPI_READY;
}

void
mpi_probe_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_need_status(args);
	mpi_p2p_from(call, args, args->peer, args->tag);
	call->flags = 0;
}

/* Keeps the matched message under its own handle, for the call that receives
   it. */
static void
probe_matched(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_requests *own)
{
	struct mpi_request r = {
		.handle = p2p_message(args),
		.peer = call->peer,
		.tag = call->tag,
		.function = call->function,
		.comm_id = call->comm,
		.kind = MPI_REQUEST_MESSAGE,
	};

	if (r.peer == ES_MPI_PEER_PROC_NULL || own == NULL)
		return;
	call->match |= mpi_request_number(own->table);
	r.number = call->match;
	mpi_request_put(own->table, &r);
}

void
mpi_probe_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	int32_t source;

	if (result != 0)
		return;
	if (call->peer == ES_MPI_PEER_NONE)
		call->match = ES_MPI_MATCH_ANY;
	source = mpi_status_source(args->status);
	call->peer =
	    mpi_p2p_peer(mpi_comm_find(call->thread, args->comm), source);
	call->tag = mpi_status_tag(args->status);
	if (call->function == MPI_FN_Mprobe ||
	    call->function == MPI_FN_Improbe) {
		probe_matched(call, args, own);
	} else if (own != NULL && call->peer != ES_MPI_PEER_PROC_NULL) {
		own->probed = true;
		own->probed_comm = args->comm;
		own->probed_source = source;
		own->probed_tag = call->tag;
	}
}

void
mpi_iprobe_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_probe_before(call, args);
}

void
mpi_iprobe_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result == 0 && *args->flag != 0)
		mpi_probe_after(call, args, result);
}

/* Handles Cancel and Request_free if they are not recorded, or nested. */
static void
request_unrecorded(const struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_requests *own = call->thread->requests;
	mpi_handle handle;
	struct mpi_request r;

	if (own == NULL || call->function == MPI_FN_Grequest_start)
		return;
	handle = mpi_args_request(args, 0);
	if (call->function == MPI_FN_Cancel)
		mpi_request_mark(own->table, handle, MPI_REQUEST_CANCELLED, 0,
		    &r);
	else if (call->function == MPI_FN_Request_free &&
	    mpi_request_drop(own->table, handle, &r))
		mpi_request_forget(&r);
}

/* Sets the fields of Cancel, Request_free or Grequest_complete from the entry
   of the request. */
void
mpi_request_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_requests *own;
	struct mpi_request *r;
	mpi_handle handle;
	bool known;

	if (call->mode == ES_MODE_OFF) {
		request_unrecorded(call, args);
		return;
	}
	own = mpi_requests_get(call->thread);
	if (own == NULL || call->function == MPI_FN_Grequest_start)
		return;
	r = &own->taken[0];
	handle = mpi_args_request(args, 0);
	if (call->function == MPI_FN_Request_free)
		known = mpi_request_drop(own->table, handle, r);
	else
		known = mpi_request_mark(own->table, handle,
		    call->function == MPI_FN_Cancel ? MPI_REQUEST_CANCELLED : 0,
		    0, r);
	if (!known) {
		r->handle = 0;
		return;
	}
	call->comm = r->comm_id;
	call->peer = r->peer;
	call->tag = r->tag;
	call->match = r->number;
}

void
mpi_request_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_requests *own = call->thread->requests;
	struct mpi_request *r;

	if (call->mode == ES_MODE_OFF)
		return;
	if (call->function == MPI_FN_Grequest_start) {
		if (result == 0)
			mpi_request_made(call, args, MPI_REQUEST_ELSE);
		return;
	}
	if (own == NULL || call->function != MPI_FN_Request_free)
		return;
	r = &own->taken[0];
	if (r->handle == 0)
		return;
	if (result != 0) {
		mpi_request_put(own->table, r);
		return;
	}
	mpi_request_forget(r);
}
