/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/file.c - hooks of calls on files: bytes read and written
 *
 * The status holds the bytes that were read or written, also if the program
 * ignores it.  A nonblocking call has no status; the bytes that it requests are
 * counted.
 */

#include "collectors/mpi/call/file_private.h"

#include "collectors/mpi/call/p2p_private.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/process/process_private.h"

static struct mpi_world *
file_world(const struct mpi_call *call)
{
	const struct mpi_thread *t = call->thread;

	return t == NULL || t->process == NULL ? NULL : t->process->world;
}

void
mpi_file_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_world *w = file_world(call);
	const struct mpi_comm *comm;

	if (w == NULL || call->function == MPI_FN_File_delete)
		return;
	if (call->function == MPI_FN_File_open) {
		comm = mpi_comm_find(call->thread, args->comm);
	} else {
		comm = mpi_comm_find_other(call->thread, args->comm,
		    MPI_KIND_FILE);
		if (call->function == MPI_FN_File_close)
			mpi_comm_table_remove(w,
			    mpi_key(args->comm, MPI_KIND_FILE));
	}
	call->comm = comm == NULL ? ES_MPI_COMM_NULL : comm->id;
	mpi_p2p_need_status(args);
}

void
mpi_file_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_world *w = file_world(call);
	struct mpi_comm *base;
	mpi_handle handle;

	if (w == NULL || result != 0)
		return;
	if (call->function == MPI_FN_File_open) {
		base = mpi_comm_find(call->thread, args->comm);
		handle = mpi_args_made_file(args);
		if (base != NULL && handle != mpi_abi.file_null)
			mpi_comm_make_on(w, base,
			    mpi_key(handle, MPI_KIND_FILE));
	} else if (args->status != NULL) {
		call->bytes = mpi_status_bytes(args->status);
	} else if (args->requests != NULL) {
		call->bytes =
		    (uint64_t)args->count * mpi_type_bytes(args->type);
		mpi_request_made(call, args, MPI_REQUEST_ELSE);
	}
}
