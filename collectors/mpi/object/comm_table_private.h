/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_table_private.h - hash table of the communicators
 * of a process, by key
 */

#ifndef COLLECTORS_MPI_OBJECT_COMM_TABLE_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_COMM_TABLE_PRIVATE_H

#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/object/world_private.h"

/* Returns the communicator of a key; NULL: there is none. */
struct mpi_comm *mpi_comm_table_lookup_locked(const struct mpi_world *world,
    uint64_t key);

/* Enters a communicator, with the caller's reference, and releases an old entry
   with its key. */
void mpi_comm_table_put_locked(struct mpi_world *world, struct mpi_comm *comm);
void mpi_comm_table_put(struct mpi_world *world, struct mpi_comm *comm);

/* Removes the communicator of a key, if there is one, and releases it. */
void mpi_comm_table_remove(struct mpi_world *world, uint64_t key);

#endif
