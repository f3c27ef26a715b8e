/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/window.c - hooks of calls on windows
 */

#include "collectors/mpi/call/window_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/call/p2p_private.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/process/process_private.h"

static struct mpi_world *
window_world(const struct mpi_call *call)
{
	const struct mpi_thread *t = call->thread;

	return t == NULL || t->process == NULL ? NULL : t->process->world;
}

void
mpi_put_made(struct mpi_call *call, const struct mpi_args *args)
{
	mpi_request_made(call, args, MPI_REQUEST_ELSE);
}

/* Returns the bytes that a get, or a call that fetches and updates, sends to
   the target.  MPI_NO_OP sends nothing. */
static uint64_t
get_sent(const struct mpi_call *call, const struct mpi_args *args)
{
	if (call->function == MPI_FN_Rget ||
	    (call->function != MPI_FN_Compare_and_swap &&
		(mpi_handle)args->other == mpi_abi.op_no_op))
		return 0;
	if (call->function == MPI_FN_Get_accumulate ||
	    call->function == MPI_FN_Rget_accumulate)
		return mpi_window_bytes(call, args->count, args->type);
	return call->bytes;
}

void
mpi_get_other(struct mpi_call *call, const struct mpi_args *args)
{
	uint64_t sent;

	switch (call->function) {
	case MPI_FN_Rget:
		call->bytes = mpi_window_bytes(call, args->count, args->type);
		break;
	case MPI_FN_Get_accumulate:
	case MPI_FN_Rget_accumulate:
		/* The target's count and type are those of the result. */
		call->bytes = mpi_window_bytes(call, args->count2, args->type2);
		break;
	default: /* MPI_Fetch_and_op, MPI_Compare_and_swap */
		call->bytes = mpi_window_bytes(call, 1, args->type);
	}
	mpi_window_count(call, ES_MPI_CATEGORY_GET, call->bytes);
	sent = get_sent(call, args);
	if (sent > 0)
		mpi_window_count(call, ES_MPI_CATEGORY_PUT, sent);
	if (call->function == MPI_FN_Rget ||
	    call->function == MPI_FN_Rget_accumulate)
		mpi_request_made(call, args, MPI_REQUEST_ELSE);
}

static bool
window_makes(const struct mpi_call *call)
{
	switch (call->function) {
	case MPI_FN_Win_create:
	case MPI_FN_Win_create_dynamic:
	case MPI_FN_Win_allocate:
	case MPI_FN_Win_allocate_shared:
		return true;
	default:
		return false;
	}
}

static bool
window_has_target(const struct mpi_call *call)
{
	switch (call->function) {
	case MPI_FN_Win_lock:
	case MPI_FN_Win_unlock:
	case MPI_FN_Win_flush:
	case MPI_FN_Win_flush_local:
		return true;
	default:
		return false;
	}
}

void
mpi_window_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_world *w = window_world(call);
	const struct mpi_comm *comm;

	if (w == NULL)
		return;
	if (window_makes(call)) {
		comm = mpi_comm_find(call->thread, args->comm);
		call->comm = comm == NULL ? ES_MPI_COMM_NULL : comm->id;
		return;
	}
	mpi_window_of(call, args);
	if (!window_has_target(call))
		call->peer = ES_MPI_PEER_NONE;
	/* Before the call, as in mpi_comm_before: another thread may be given
	   the handle at once. */
	if (call->function == MPI_FN_Win_free)
		mpi_comm_table_remove(w, mpi_key(args->comm, MPI_KIND_WINDOW));
}

void
mpi_window_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_world *w = window_world(call);
	struct mpi_comm *base;
	mpi_handle handle;

	if (w == NULL || result != 0 || !window_makes(call))
		return;
	base = mpi_comm_find(call->thread, args->comm);
	handle = mpi_args_made_win(args);
	if (base != NULL && handle != mpi_abi.win_null)
		mpi_comm_make_on(w, base, mpi_key(handle, MPI_KIND_WINDOW));
}
