/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/sources_private.h - finds the members from which a
 * collective receives bytes
 */

#ifndef COLLECTORS_MPI_CALL_SOURCES_PRIVATE_H
#define COLLECTORS_MPI_CALL_SOURCES_PRIVATE_H

#include <stdint.h>

struct mpi_args;
struct mpi_blocks;
struct mpi_comm;
struct mpi_thread;

/*
 * Return the value of `peer` that stands for the set of members from which a
 * call receives bytes, after MPI has accepted the call; ES_MPI_PEER_NONE: no
 * memory.
 *
 * shape	shape of the function, enum mpi_shape
 * from		the blocks that a call other than a neighbourhood collective
 *		receives; of a Reduce_scatter all blocks
 */
int32_t mpi_collective_sources(struct mpi_thread *thread, struct mpi_comm *comm,
    const struct mpi_args *args, unsigned shape);
int32_t mpi_collective_sources_of(struct mpi_thread *thread,
    struct mpi_comm *comm, const struct mpi_blocks *from, unsigned shape);

#endif
