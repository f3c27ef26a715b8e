/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/sources_private.h - the members that a collective
 * receives bytes from
 */

#ifndef COLLECTORS_MPI_CALL_SOURCES_PRIVATE_H
#define COLLECTORS_MPI_CALL_SOURCES_PRIVATE_H

#include <stdint.h>

struct mpi_args;
struct mpi_blocks;
struct mpi_comm;
struct mpi_thread;

/*
 * Return the peer that stands for the set of the members that a call which MPI
 * accepted receives bytes from; ES_MPI_PEER_NONE: there is no memory for it.
 *
 * shape	of the function: enum mpi_shape
 * from		the blocks that a call other than a neighbourhood collective
 *		receives; of a Reduce_scatter all blocks
 */
int32_t mpi_collective_sources(struct mpi_thread *thread, struct mpi_comm *comm,
    const struct mpi_args *args, unsigned shape);
int32_t mpi_collective_sources_of(struct mpi_thread *thread,
    struct mpi_comm *comm, const struct mpi_blocks *from, unsigned shape);

#endif
