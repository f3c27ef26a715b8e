/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/file.c - hooks of calls on files: bytes read and written
 *
 * The status holds the bytes that were read or written, also if the program
 * ignores it.  A nonblocking call has no status; the bytes that it requests are
 * counted.
 *
 * The hooks of collectives run in every mode: ranks may be switched off and on
 * at different calls, and the following ones must have equal numbers in all
 * ranks.
 */

#include "collectors/mpi/call/file_private.h"

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/call/p2p_private.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi_function.h"

static struct mpi_world *
file_world(const struct mpi_call *call)
{
	const struct mpi_thread *t = call->thread;

	return t == NULL || t->process == NULL ? NULL : t->process->world;
}

/* Numbers the opening of a file, which is the first collective on it.  The next
   file of the communicator gets the next number. */
static void
file_open_before(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	uint32_t number;

	if (comm == NULL)
		return;
	/* Relaxed: MPI requires that a program opens them one after the
	   other. */
	number = 1 +
	    atomic_fetch_add_explicit(&comm->files, 1, memory_order_relaxed);
	call->comm = comm->id;
	call->peer = es_mpi_peer_of_id(number);
	call->match = 1;
}

/* Sets file and number of a collective.  A file whose opening was not seen has
   no number. */
static void
file_collective_before(struct mpi_call *call, struct mpi_comm *file)
{
	uint32_t flags = es_mpi_function(call->function)->flags;
	uint32_t number;

	if (file->file == 0 || !(flags & ES_MPI_FILE_COLLECTIVE))
		return;
	number = mpi_collective_number(file);
	call->peer = es_mpi_peer_of_id(file->file);
	if (flags & ES_MPI_NONBLOCKING)
		call->tag = (int32_t)number;
	else
		call->match = number;
}

void
mpi_file_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_world *w = file_world(call);
	struct mpi_comm *file;

	if (w == NULL || call->function == MPI_FN_File_delete)
		return;
	if (call->mode != ES_MODE_OFF)
		mpi_p2p_need_status(args);
	if (call->function == MPI_FN_File_open) {
		file_open_before(call, args);
		return;
	}
	file = mpi_comm_find_other(call->thread, args->comm, MPI_KIND_FILE);
	if (file == NULL)
		return;
	call->comm = file->id;
	file_collective_before(call, file);
	if (call->function == MPI_FN_File_close)
		mpi_comm_table_remove(w, mpi_key(args->comm, MPI_KIND_FILE));
}

static void
file_opened(const struct mpi_call *call, struct mpi_world *w,
    const struct mpi_args *args)
{
	struct mpi_comm *base = mpi_comm_find(call->thread, args->comm), *file;
	mpi_handle handle = mpi_args_made_file(args);

	if (base == NULL || handle == mpi_abi.file_null)
		return;
	file = mpi_comm_make_on(w, base, mpi_key(handle, MPI_KIND_FILE));
	if (file == NULL)
		return;
	/* No other thread has the handle yet. */
	file->file = es_mpi_id_of_peer(call->peer);
	mpi_collective_number(file);
}

void
mpi_file_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_world *w = file_world(call);

	if (w == NULL || result != 0)
		return;
	if (call->function == MPI_FN_File_open) {
		file_opened(call, w, args);
	} else if (call->mode == ES_MODE_OFF) {
		return;
	} else if (args->status != NULL) {
		call->bytes = mpi_status_bytes(args->status);
	} else if (args->requests != NULL) {
		call->bytes =
		    (uint64_t)args->count * mpi_type_bytes(args->type);
		mpi_request_made(call, args, MPI_REQUEST_ELSE);
	}
}
