/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/p2p.c - messages: made, received, probed, cancelled
 */

#include "collectors/mpi/call/p2p_private.h"

#include "collectors/mpi/abi/lines_private.h"
#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/process/process_private.h"

#include <stdlib.h>
#include <string.h>

/* MPI_THREAD_MULTIPLE, in all of them. */
#define LEVEL_MULTIPLE 3u
#define ROOM_FIRST 16

__thread uint64_t mpi_p2p_status[MPI_STATUS_WORDS];

struct mpi_requests *
mpi_requests_make(struct mpi_thread *thread)
{
	struct mpi_requests *own;

	if (thread->process == NULL)
		return NULL;
	own = mpi_lines(1, sizeof(*own));
	if (own == NULL)
		return NULL;
	/* Each session has a level of its own. */
	own->alone = !thread->process->session &&
	    thread->control->thread_level < LEVEL_MULTIPLE;
	own->table = mpi_request_table_open(&thread->process->requests,
	    !own->alone, &thread->row->requests);
	if (own->table == NULL || !mpi_requests_reserve(own, ROOM_FIRST)) {
		free(own);
		return NULL;
	}
	thread->requests = own;
	return own;
}

bool
mpi_requests_reserve(struct mpi_requests *own, int64_t count)
{
	int64_t room = own->room == 0 ? ROOM_FIRST : own->room;
	size_t one =
	    sizeof(*own->taken) + sizeof(*own->handles) + mpi_abi.status_bytes;
	char *base;

	if (count <= own->room)
		return true;
	while (room < count)
		room *= 2;
	base = mpi_lines((size_t)room, one);
	if (base == NULL)
		return false;
	free(own->taken);
	own->room = room;
	own->taken = (struct mpi_request *)base;
	own->handles = (mpi_handle *)(own->taken + room);
	own->statuses = (char *)(own->handles + room);
	return true;
}

bool
mpi_request_describe(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind, struct mpi_request *r)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);

	if (own == NULL)
		return false;
	if (call->match == 0)
		call->match = mpi_request_number(own->table);
	mpi_request_fill(r, call, kind);
	r->handle = mpi_args_request(args, 0);
	return r->handle != mpi_abi.request_null;
}

void
mpi_request_keep(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_request *r)
{
	/* Its status will name a rank of the communicator, which the program
	   may have freed by then. */
	if (r->kind == MPI_REQUEST_RECV && r->peer == MPI_PEER_NONE &&
	    call->function != MPI_FN_Imrecv) {
		r->comm = mpi_comm_find(call->thread, args->comm);
		if (r->comm != NULL)
			mpi_comm_hold(r->comm);
	}
	if (!mpi_request_put(call->thread->requests->table, r))
		mpi_request_forget(r);
}

void
mpi_request_forget(const struct mpi_request *request)
{
	if (request->comm != NULL)
		mpi_comm_release(request->comm);
	if (request->plan == NULL)
		return;
	if (request->kind == MPI_REQUEST_COMM)
		mpi_comm_never(request->plan);
	else
		mpi_collective_forget(request->plan);
}

void
mpi_request_made_rarely(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind)
{
	struct mpi_request r;

	if (mpi_request_describe(call, args, kind, &r))
		mpi_request_keep(call, args, &r);
}

void
mpi_request_made(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind)
{
	mpi_message_made(call, args, kind);
}

void
mpi_request_planned(struct mpi_call *call, const struct mpi_args *args,
    void *plan)
{
	struct mpi_request r;

	if (!mpi_request_describe(call, args, MPI_REQUEST_COLLECTIVE, &r)) {
		mpi_collective_forget(plan);
		return;
	}
	r.plan = plan;
	r.flags = MPI_REQUEST_PERSISTENT;
	mpi_request_keep(call, args, &r);
}

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
	/* What it waits for is the message that comes. */
	r.bytes = 0;
	r.peer =
	    mpi_p2p_peer(mpi_comm_find(call->thread, args->comm), args->peer2);
	r.tag = args->tag2 == mpi_abi.any_tag ? -1 : args->tag2;
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
	/* 2 GiB and more. */
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
		call->peer = MPI_PEER_PROC_NULL;
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

	if (r.peer == MPI_PEER_PROC_NULL || own == NULL)
		return;
	r.number = call->match = mpi_request_number(own->table);
	mpi_request_put(own->table, &r);
}

void
mpi_probe_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	int32_t source;

	if (result != 0)
		return;
	source = mpi_status_source(args->status);
	call->peer =
	    mpi_p2p_peer(mpi_comm_find(call->thread, args->comm), source);
	call->tag = mpi_status_tag(args->status);
	if (call->function == MPI_FN_Mprobe ||
	    call->function == MPI_FN_Improbe) {
		probe_matched(call, args, own);
	} else if (own != NULL && call->peer != MPI_PEER_PROC_NULL) {
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

/* A call that is not recorded, perhaps inside of one that is. */
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

/* Cancel, Request_free, Grequest_complete: of one that is known. */
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
