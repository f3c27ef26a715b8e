/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/window.c - windows, and what goes through them
 *
 * The process that calls counts: what it puts or accumulates goes from it to
 * the target, what it gets comes from there; a call that fetches and changes
 * does both.  What synchronises only waits.
 */

#include "collectors/mpi/collective_private.h"

#include "collectors/mpi/abi_private.h"
#include "collectors/mpi/functions_gen.h"
#include "collectors/mpi/p2p_private.h"
#include "collectors/mpi/process_private.h"
#include "collectors/mpi/world_private.h"

static struct mpi_world *
window_world(const struct mpi_call *call)
{
	const struct mpi_thread *t = call->thread;

	return t == NULL || t->process == NULL ? NULL : t->process->world;
}

/* The window and the target of a call. */
static void
window_begin(struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *win =
	    mpi_comm_find_other(call->thread, args->comm, MPI_KIND_WINDOW);

	if (win == NULL)
		return;
	call->comm = win->id;
	call->peer = args->peer == mpi_abi.proc_null ?
	    MPI_PEER_PROC_NULL :
	    mpi_comm_peer(win, args->peer);
}

static void
window_count(const struct mpi_call *call, enum es_mpi_category category,
    uint64_t bytes)
{
	if (call->peer >= 0 && call->mode & ES_MODE_MATRIX)
		mpi_count_matrix(call->thread, call->peer, category, bytes);
}

static uint64_t
window_bytes(const struct mpi_call *call, int64_t count, mpi_handle type)
{
	/* Of MPI_PROC_NULL nothing comes. */
	if (call->peer < 0 || count <= 0)
		return 0;
	return (uint64_t)count * mpi_type_bytes(type);
}

void
mpi_put_before(struct mpi_call *call, struct mpi_args *args)
{
	window_begin(call, args);
}

void
mpi_put_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result != 0)
		return;
	call->bytes = window_bytes(call, args->count, args->type);
	window_count(call, ES_MPI_CATEGORY_PUT, call->bytes);
	if (call->function == MPI_FN_Rput ||
	    call->function == MPI_FN_Raccumulate)
		mpi_request_made(call, args, MPI_REQUEST_ELSE);
}

void
mpi_get_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_put_before(call, args);
}

/* MPI_NO_OP only reads. */
static bool
get_writes(const struct mpi_args *args)
{
	return (mpi_handle)args->other != mpi_abi.op_no_op;
}

void
mpi_get_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	uint64_t sent = 0;

	if (result != 0)
		return;
	switch (call->function) {
	case MPI_FN_Get:
	case MPI_FN_Rget:
		call->bytes = window_bytes(call, args->count, args->type);
		break;
	case MPI_FN_Get_accumulate:
	case MPI_FN_Rget_accumulate:
		/* The target's are those of the result, too. */
		call->bytes = window_bytes(call, args->count2, args->type2);
		if (get_writes(args))
			sent = window_bytes(call, args->count, args->type);
		break;
	case MPI_FN_Fetch_and_op:
		call->bytes = window_bytes(call, 1, args->type);
		sent = get_writes(args) ? call->bytes : 0;
		break;
	default: /* MPI_Compare_and_swap */
		call->bytes = window_bytes(call, 1, args->type);
		sent = call->bytes;
	}
	window_count(call, ES_MPI_CATEGORY_GET, call->bytes);
	if (sent > 0)
		window_count(call, ES_MPI_CATEGORY_PUT, sent);
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
	window_begin(call, args);
	if (!window_has_target(call))
		call->peer = MPI_PEER_NONE;
	/* As mpi_comm_before: another thread may get the handle at once. */
	if (call->function == MPI_FN_Win_free)
		mpi_comm_forget(w, mpi_key(args->comm, MPI_KIND_WINDOW));
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
