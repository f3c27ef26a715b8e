/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/topology_private.h - the neighbours that a
 * neighbourhood collective sends to
 */

#ifndef COLLECTORS_MPI_OBJECT_TOPOLOGY_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_TOPOLOGY_PRIVATE_H

#include <stdint.h>

struct mpi_comm;

/* Neighbours of a process, in the order of the blocks of its send buffer. */
struct mpi_targets {
	int32_t count;
	int32_t peers[]; /* world ranks, or ES_MPI_PEER_PROC_NULL */
};

/* Returns the neighbours that neighbourhood collectives on the communicator
   send to; NULL: there is no memory. */
const struct mpi_targets *mpi_comm_targets(struct mpi_comm *comm);

#endif
