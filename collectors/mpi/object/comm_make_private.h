/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_make_private.h - makes communicators, windows and
 * files, and enters them into the table of the process
 *
 * Each function returns the new one, to which the table has the only reference;
 * NULL: there is no memory, or MPI does not know the handle.
 */

#ifndef COLLECTORS_MPI_OBJECT_COMM_MAKE_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_COMM_MAKE_PRIVATE_H

#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/object/world_private.h"

/* The origin of a communicator. */
struct mpi_origin {
	struct mpi_comm *parent; /* NULL: none that all members know */
	struct mpi_comm *like;	 /* has the same members; NULL: MPI is asked */
	uint64_t salt;		 /* a number that all members know */
	uint32_t flags;		 /* ES_MPI_COMM_SPAWNED or _PARENT */
	bool met;		 /* used, and not seen when it was made */
	bool later; /* its handle comes later: do not enter it into the table */
};

/* Makes a communicator. */
struct mpi_comm *mpi_comm_make(struct mpi_world *world, mpi_handle handle,
    const struct mpi_origin *origin);

/* Makes a window or file whose communicator is not known, of its group. */
struct mpi_comm *mpi_comm_make_group(struct mpi_world *world, mpi_handle group,
    uint64_t key);

/* Makes a window or file of the communicator `base`. */
struct mpi_comm *mpi_comm_make_on(struct mpi_world *world,
    struct mpi_comm *base, uint64_t key);

#endif
