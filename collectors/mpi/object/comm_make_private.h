/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_make_private.h - makes communicators, windows and
 * files, and enters them into the table of the process
 *
 * Each function returns the new communicator, window or file, or the one that
 * the table already has; NULL: there is no memory, or the handle is invalid.
 * The only reference to a new one belongs to the table, or to the caller if
 * origin->later is set.
 */

#ifndef COLLECTORS_MPI_OBJECT_COMM_MAKE_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_COMM_MAKE_PRIVATE_H

#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/object/world_private.h"

/* The origin of a communicator. */
struct mpi_origin {
	struct mpi_comm *parent; /* NULL: none that all members have */
	struct mpi_comm *like;	 /* has the same members; NULL: MPI is asked */
	uint64_t salt;		 /* a number, equal in all members */
	uint32_t flags;		 /* ES_MPI_COMM_SPAWNED or _PARENT */
	bool met;		 /* in use; its creation was not seen */
	bool later; /* not in the table yet: MPI sets its handle later */
};

/* Makes a communicator. */
struct mpi_comm *mpi_comm_make(struct mpi_world *world, mpi_handle handle,
    const struct mpi_origin *origin);

/* Makes a window or file whose communicator is not known, from its group. */
struct mpi_comm *mpi_comm_make_group(struct mpi_world *world, mpi_handle group,
    uint64_t key);

/* Makes a file of the communicator `base`. */
struct mpi_comm *mpi_comm_make_on(struct mpi_world *world,
    struct mpi_comm *base, uint64_t key);

/* Makes a window of the communicator `base`, on which MPI requires that a
   program makes windows one after the other.  Making it is its first
   collective. */
struct mpi_comm *mpi_comm_make_window(struct mpi_world *world,
    struct mpi_comm *base, uint64_t key);

#endif
