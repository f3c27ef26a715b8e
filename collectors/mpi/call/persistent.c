/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/persistent.c - persistent and partitioned requests
 *
 * A request keeps the number that it was given when it was made.  Its message
 * is counted at each start; the bytes of a partitioned one are counted when its
 * partitions are ready.
 */

#include "collectors/mpi/call/persistent_private.h"

#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/call/p2p_private.h"

void
mpi_send_init_before(struct mpi_call *call, struct mpi_args *args)
{
	/* The hook runs also when nothing is recorded: there may be no
	   process yet. */
	if (call->thread->process != NULL)
		mpi_p2p_to(call, args);
}

/* Enters the request with the message of each start.  The call itself sends no
   message. */
static void
persistent_made(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind)
{
	bool parts = call->function == MPI_FN_Psend_init ||
	    call->function == MPI_FN_Precv_init;
	struct mpi_request r;

	if (!mpi_request_describe(call, args, kind, &r))
		return;
	r.flags = MPI_REQUEST_PERSISTENT;
	if (r.peer != ES_MPI_PEER_PROC_NULL)
		r.bytes = (uint64_t)args->count * mpi_type_bytes(args->type);
	if (parts) {
		r.flags |= MPI_REQUEST_PARTITIONED;
		r.partitions = (uint32_t)args->number;
		r.bytes *= r.partitions;
	}
	mpi_request_keep(call, args, &r);
}

void
mpi_send_init_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result == 0)
		persistent_made(call, args, MPI_REQUEST_SEND);
}

void
mpi_recv_init_before(struct mpi_call *call, struct mpi_args *args)
{
	if (call->thread->process != NULL)
		mpi_p2p_from(call, args, args->peer, args->tag);
}

void
mpi_recv_init_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	call->flags = 0;
	if (result == 0)
		persistent_made(call, args, MPI_REQUEST_RECV);
}

/* Counts one message; the bytes of partitions are counted when they are
   ready. */
static void
persistent_count(const struct mpi_call *call, const struct mpi_request *r)
{
	struct es_mpi_matrix *row;

	if (!(call->mode & ES_MODE_MATRIX))
		return;
	row = mpi_matrix_row(call->thread, r->peer, ES_MPI_CATEGORY_PERSISTENT);
	es_record_add(&row->messages, 1);
	es_record_add(&row->classes[es_space_size_class(r->bytes)], 1);
	if (!(r->flags & MPI_REQUEST_PARTITIONED))
		es_record_add(&row->bytes, r->bytes);
}

static void
start_one(struct mpi_call *call, struct mpi_request *r)
{
	if (r->kind == MPI_REQUEST_SEND && r->peer >= 0) {
		persistent_count(call, r);
		if (!(r->flags & MPI_REQUEST_PARTITIONED))
			call->bytes += r->bytes;
	} else if (r->kind == MPI_REQUEST_COLLECTIVE) {
		mpi_collective_started(call, r);
	}
}

void
mpi_start_before(struct mpi_call *call, struct mpi_args *args)
{
	(void)args;
	mpi_p2p_forget_probe(call);
}

/* Appends a tuple for each started request. */
static void
start_append(struct mpi_call *call, int64_t count)
{
	const struct mpi_requests *own = call->thread->requests;

	for (int64_t i = 0; i < count; i++) {
		const struct mpi_request *r = &own->taken[i];

		if (r->handle != 0)
			mpi_append(call,
			    &(struct es_tuple_mpi){
				.op = r->function,
				.comm = r->comm_id,
				.peer = r->peer,
				.tag = r->tag,
				.bytes =
				    r->kind == MPI_REQUEST_RECV ? 0 : r->bytes,
				.match = r->number,
			    });
	}
}

void
mpi_start_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	int64_t count = args->request_count;

	if (result != 0 || own == NULL || count <= 0 ||
	    !mpi_requests_reserve(own, count))
		return;
	for (int64_t i = 0; i < count; i++) {
		struct mpi_request *r = &own->taken[i];

		if (mpi_request_mark(own->table, mpi_args_request(args, i),
			MPI_REQUEST_ACTIVE,
			MPI_REQUEST_READY | MPI_REQUEST_CANCELLED, r))
			start_one(call, r);
		else
			r->handle = 0;
	}
	if (count == 1 && own->taken[0].handle != 0) {
		call->comm = own->taken[0].comm_id;
		call->peer = own->taken[0].peer;
		call->tag = own->taken[0].tag;
		call->match = own->taken[0].number;
	}
	start_append(call, count);
}

void
mpi_ready_before(struct mpi_call *call, struct mpi_args *args)
{
	(void)call;
	(void)args;
}

/* Returns the number of partitions that the call marks as ready. */
static int64_t
ready_count(const struct mpi_call *call, const struct mpi_args *args)
{
	switch (call->function) {
	case MPI_FN_Pready_range:
		return args->number - args->tag + 1;
	case MPI_FN_Pready_list:
		return args->number;
	default:
		return 1;
	}
}

void
mpi_ready_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	int64_t count = ready_count(call, args);
	struct mpi_request r;

	if (result != 0 || own == NULL || count <= 0 ||
	    !mpi_request_look(own->table, mpi_args_request(args, 0), &r) ||
	    r.partitions == 0)
		return;
	call->comm = r.comm_id;
	call->peer = r.peer;
	call->tag = r.tag;
	call->match = r.number;
	call->bytes = r.bytes / r.partitions * (uint64_t)count;
	if (r.peer >= 0 && (call->mode & ES_MODE_MATRIX))
		es_record_add(&mpi_matrix_row(call->thread, r.peer,
				  ES_MPI_CATEGORY_PERSISTENT)
				   ->bytes,
		    call->bytes);
}
