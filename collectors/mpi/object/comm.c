/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm.c - creates, shares and destroys communicators
 *
 * References are those of the table of the process, of requests, and of windows
 * and files to the communicator that they were made with.
 */

#include "collectors/mpi/object/comm_private.h"

#include "collectors/mpi/object/members_private.h"

#include <stdlib.h>

struct mpi_comm *
mpi_comm_alloc(uint64_t key)
{
	struct mpi_comm *comm = calloc(1, sizeof(*comm));

	if (comm == NULL)
		return NULL;
	atomic_init(&comm->references, 1);
	comm->key = key;
	return comm;
}

void
mpi_comm_release(struct mpi_comm *comm)
{
	/* Acquire and release: the last one sees all changes of the others. */
	if (comm == NULL ||
	    atomic_fetch_sub_explicit(&comm->references, 1,
		memory_order_acq_rel) != 1)
		return;
	mpi_members_unref(comm->local);
	mpi_members_unref(comm->remote);
	mpi_comm_release(comm->base);
	free(atomic_load_explicit(&comm->neighbors, memory_order_relaxed));
	free(comm->made);
	free(comm);
}
