/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/topology_private.h - the neighbours that a
 * neighbourhood collective sends to and receives from
 */

#ifndef COLLECTORS_MPI_OBJECT_TOPOLOGY_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_TOPOLOGY_PRIVATE_H

#include <stdint.h>

struct mpi_comm;

/* Neighbours of a process, in the order of the blocks of its buffers. */
struct mpi_neighbors {
	int32_t target_count, source_count;
	int32_t *targets;  /* world ranks, or ES_MPI_PEER_PROC_NULL */
	int32_t *sources;  /* ranks of the communicator, or
			      ES_MPI_PEER_PROC_NULL */
	int32_t storage[]; /* of both arrays */
};

/* Returns the neighbours that neighbourhood collectives on the communicator
   send to and receive from; NULL: there is no memory. */
const struct mpi_neighbors *mpi_comm_neighbors(struct mpi_comm *comm);

#endif
