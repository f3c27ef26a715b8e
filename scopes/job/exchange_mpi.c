/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/exchange_mpi.c - the plugin for jobs: messages by MPI
 *
 * Compiled once for each MPI that configure finds.  Errors of MPI end the job,
 * as they do by default, with the text that MPI prints.
 */

#include "scopes/job/exchange_private.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* A communicator of its own keeps messages apart from those of other code. */
static MPI_Comm mpi_comm = MPI_COMM_NULL;

static paths_status
mpi_open(uint32_t *rank, uint32_t *size)
{
	int provided, r, n;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) !=
		MPI_SUCCESS ||
	    provided < MPI_THREAD_FUNNELED)
		return PATHS_EIO;
	MPI_Comm_dup(MPI_COMM_WORLD, &mpi_comm);
	MPI_Comm_rank(mpi_comm, &r);
	MPI_Comm_size(mpi_comm, &n);
	*rank = (uint32_t)r;
	*size = (uint32_t)n;
	return PATHS_OK;
}

static void
mpi_abort(void)
{
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *
mpi_send(const void *data, size_t bytes, uint32_t to,
    enum es__exchange_kind kind)
{
	MPI_Request *request = malloc(sizeof(*request));

	if (request == NULL || bytes > INT_MAX) {
		mpi_abort();
		return NULL;
	}
	/* The mode synchronous bounds the memory that the receiver needs. */
	if (kind == ES__EXCHANGE_STREAM)
		MPI_Issend(data, (int)bytes, MPI_BYTE, (int)to, (int)kind,
		    mpi_comm, request);
	else
		MPI_Isend(data, (int)bytes, MPI_BYTE, (int)to, (int)kind,
		    mpi_comm, request);
	return request;
}

static bool
mpi_sent(void *request)
{
	int done = 0;

	MPI_Test(request, &done, MPI_STATUS_IGNORE);
	if (done != 0)
		free(request);
	return done != 0;
}

static bool
mpi_probe(uint32_t from, enum es__exchange_kind kind,
    struct es__exchange_message *message)
{
	MPI_Message found_message, *handle;
	MPI_Status status;
	int found = 0, bytes = 0;

	MPI_Improbe(from == ES__EXCHANGE_ANY ? MPI_ANY_SOURCE : (int)from,
	    (int)kind, mpi_comm, &found, &found_message, &status);
	if (found == 0)
		return false;
	handle = malloc(sizeof(*handle));
	if (handle == NULL) {
		mpi_abort();
		return false;
	}
	*handle = found_message;
	MPI_Get_count(&status, MPI_BYTE, &bytes);
	*message =
	    (struct es__exchange_message){ .from = (uint32_t)status.MPI_SOURCE,
		    .bytes = (size_t)bytes,
		    .handle = handle };
	return true;
}

static void
mpi_receive(struct es__exchange_message *message, void *to)
{
	MPI_Mrecv(to, (int)message->bytes, MPI_BYTE, message->handle,
	    MPI_STATUS_IGNORE);
	free(message->handle);
}

static void
mpi_close(void)
{
	MPI_Comm_free(&mpi_comm);
	MPI_Finalize();
}

__attribute__((
    visibility("default"))) extern const struct es__exchange es__exchange;

const struct es__exchange es__exchange = {
	.abi = ES__EXCHANGE_ABI,
	.open = mpi_open,
	.send = mpi_send,
	.sent = mpi_sent,
	.probe = mpi_probe,
	.receive = mpi_receive,
	.abort = mpi_abort,
	.close = mpi_close,
};
