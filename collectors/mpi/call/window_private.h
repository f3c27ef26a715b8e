/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/window_private.h - hooks of windows
 *
 * The calling process counts the messages: a put or an accumulate sends to the
 * target, a get receives from it, and a call that fetches and updates does
 * both.  A call that synchronises has no message.
 */

#ifndef COLLECTORS_MPI_CALL_WINDOW_PRIVATE_H
#define COLLECTORS_MPI_CALL_WINDOW_PRIVATE_H

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/call/collective_private.h"

/* Sets the window and the target of a call: its communicator, and its number
   there as the tag. */
static MPI_INLINE void
mpi_window_of(struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *win =
	    mpi_comm_find_other(call->thread, args->comm, MPI_KIND_WINDOW);

	if (__builtin_expect(win == NULL, 0))
		return;
	call->comm = win->id;
	call->tag = (int32_t)win->window;
	call->peer = mpi_comm_peer(win, args->peer);
	if (__builtin_expect(args->peer == mpi_abi.proc_null, 0))
		call->peer = ES_MPI_PEER_PROC_NULL;
}

static MPI_INLINE void
mpi_window_count(const struct mpi_call *call, enum es_mpi_category category,
    uint64_t bytes)
{
	if (call->peer >= 0 && call->mode & ES_MODE_MATRIX)
		mpi_count_matrix(call->thread, call->peer, category, bytes);
}

/* Returns the bytes of a transfer; 0 with MPI_PROC_NULL. */
static MPI_INLINE uint64_t
mpi_window_bytes(const struct mpi_call *call, int64_t count, mpi_handle type)
{
	return call->peer < 0 ? 0 : mpi_collective_size(count, type);
}

/* The after-hooks of calls other than MPI_Put, MPI_Accumulate and MPI_Get. */
void mpi_put_made(struct mpi_call *call, const struct mpi_args *args);
void mpi_get_other(struct mpi_call *call, const struct mpi_args *args);

static MPI_INLINE void
mpi_put_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_window_of(call, args);
}

static MPI_INLINE void
mpi_put_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (__builtin_expect(result != 0, 0))
		return;
	call->bytes = mpi_window_bytes(call, args->count, args->type);
	mpi_window_count(call, ES_MPI_CATEGORY_PUT, call->bytes);
	if (call->function == MPI_FN_Rput ||
	    call->function == MPI_FN_Raccumulate) {
		/* Copies the members in use, so that the arguments of the other
		   functions stay in registers. */
		struct mpi_args copy;

		copy.requests = args->requests;
		copy.request_count = args->request_count;
		copy.fortran = args->fortran;
		mpi_put_made(call, &copy);
	}
}

static MPI_INLINE void
mpi_get_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_window_of(call, args);
}

static MPI_INLINE void
mpi_get_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (__builtin_expect(result != 0, 0))
		return;
	if (call->function == MPI_FN_Get) {
		call->bytes = mpi_window_bytes(call, args->count, args->type);
		mpi_window_count(call, ES_MPI_CATEGORY_GET, call->bytes);
	} else {
		struct mpi_args copy;

		copy.count = args->count;
		copy.type = args->type;
		copy.count2 = args->count2;
		copy.type2 = args->type2;
		copy.other = args->other;
		copy.requests = args->requests;
		copy.request_count = args->request_count;
		copy.fortran = args->fortran;
		mpi_get_other(call, &copy);
	}
}

void mpi_window_before(struct mpi_call *call, struct mpi_args *args);
void mpi_window_after(struct mpi_call *call, struct mpi_args *args, int result);

/* The hooks of MPI_Group_free: its handle may stand for another group soon. */
void mpi_group_free_before(struct mpi_call *call, struct mpi_args *args);
void mpi_group_free_after(struct mpi_call *call, struct mpi_args *args,
    int result);

#endif
