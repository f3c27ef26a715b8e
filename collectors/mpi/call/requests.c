/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/requests.c - keeps the requests of a thread, for hooks
 */

#include "collectors/mpi/call/requests_private.h"

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/process/process_private.h"
#include "libpaths/base/lines.h"

#include <stdlib.h>

/* MPI_THREAD_MULTIPLE, in all ABIs. */
#define LEVEL_MULTIPLE 3u
#define ROOM_FIRST 16

struct mpi_requests *
mpi_requests_make(struct mpi_thread *thread)
{
	struct mpi_requests *own;

	if (thread->process == NULL)
		return NULL;
	own = paths__lines_zero(1, sizeof(*own));
	if (own == NULL)
		return NULL;
	/* The sessions of a process may have different thread levels. */
	own->one_table = !thread->process->session &&
	    thread->control->thread_level < LEVEL_MULTIPLE;
	own->table = mpi_request_table_open(&thread->process->requests,
	    !own->one_table, &thread->row->requests);
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
	base = paths__lines_zero((size_t)room, one);
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
		call->match = mpi_request_number(own->table) |
		    (kind == MPI_REQUEST_RECV &&
				call->peer == ES_MPI_PEER_NONE ?
			    ES_MPI_MATCH_ANY :
			    0);
	mpi_request_fill(r, call, kind);
	r->handle = mpi_args_request(args, 0);
	return r->handle != mpi_abi.request_null;
}

void
mpi_request_keep(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_request *r)
{
	/* The status will hold a rank of the communicator, so the communicator
	   is kept even if the program frees it before. */
	if (r->kind == MPI_REQUEST_RECV && r->peer == ES_MPI_PEER_NONE &&
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
	if (request->carried != NULL)
		request->carried->forget(request->carried);
}

void
mpi_request_made_slow(struct mpi_call *call, const struct mpi_args *args,
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
	mpi_request_made_inline(call, args, kind);
}
