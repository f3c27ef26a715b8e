/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/collective_private.h - hooks of collectives, communicators,
 * windows and files
 *
 * What is counted of a collective, and for whom, says mpi_pairs.h.  A call
 * says the bytes of one pair; one that says bytes per peer, or is on
 * neighbours, says all that it sends to others, or where it only receives, all
 * that it receives from them.
 *
 * Arguments that MPI ignores are not looked at, because they may be anything:
 * those of sending where the buffer is MPI_IN_PLACE, those for the root
 * elsewhere.  Types are asked for their size when MPI has accepted them.
 */

#ifndef COLLECTORS_MPI_COLLECTIVE_PRIVATE_H
#define COLLECTORS_MPI_COLLECTIVE_PRIVATE_H

#include "collectors/mpi/comm_private.h"
#include "collectors/mpi/record_private.h"

/* Collectives of each role; collective.c. */
#define MPI_HOOKS(role) \
	void mpi_##role##_before(struct mpi_call *call, \
	    struct mpi_args *args); \
	void mpi_##role##_after(struct mpi_call *call, struct mpi_args *args, \
	    int result)

MPI_HOOKS(barrier);
MPI_HOOKS(n_to_n);
MPI_HOOKS(one_to_n);
MPI_HOOKS(n_to_one);
MPI_HOOKS(scan);
MPI_HOOKS(neighbor);

/* What makes, frees and names communicators; comm_hook.c. */
MPI_HOOKS(comm);

/* One-sided; window.c. */
MPI_HOOKS(put);
MPI_HOOKS(get);
MPI_HOOKS(window);

MPI_HOOKS(file); /* file.c */

#undef MPI_HOOKS

/*
 * What the request of a persistent collective carries: count it each time it is
 * started; it goes with the request.
 */
void mpi_collective_started(struct mpi_call *call, void *plan);
void mpi_collective_forget(void *plan);

/*
 * What the request of MPI_Comm_idup carries (MPI_REQUEST_COMM): the
 * communicator is there when the request is complete; or never, when it is
 * freed before.
 */
void mpi_comm_arrived(struct mpi_thread *thread, void *later);
void mpi_comm_never(void *later);

#endif
