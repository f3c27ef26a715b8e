/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_private.h - communicators, windows and files of a
 * process
 *
 * A process has a table of its communicators by handle, with their id, identity
 * and members as world ranks.  A communicator is entered where it is made, or
 * else where it is first used (comm_find_private.h), and removed where it is
 * freed, because MPI reuses handles.  Both happen in every mode and at every
 * depth of nesting.  Nothing here communicates.
 */

#ifndef COLLECTORS_MPI_OBJECT_COMM_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_COMM_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/abi/attribute_private.h"
#include "collectors/mpi_space.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A communicator, or a window or file and the communicator that it was made
 * with.  Constant but for the atomic words and `made`.  The collectives of a
 * window are its creation, its fences and MPI_Win_free.
 */
struct mpi_comm {
	uint64_t key; /* mpi_key() of its handle */
	uint64_t identity;
	const int32_t *world; /* world rank of each peer; NULL: its rank */
	int32_t peers;	      /* ranks that calls may name; of an
				 intercommunicator the remote group's */
	int32_t rank;	      /* of the process in its group */
	int32_t size;	      /* of this group */
	uint16_t id;	      /* see mpi_space.h */
	uint32_t window;      /* number of a window on `base`, from 1 */
	bool inter;
	_Atomic uint32_t collectives; /* called on it so far */
	_Atomic uint32_t files;	      /* opened on it so far */
	uint32_t file; /* number of a file on its communicator; 0: not known */
	_Atomic uint32_t windows; /* made with it so far */
	_Atomic uint32_t references;
	struct mpi_neighbors *_Atomic neighbors; /* topology.c; NULL: not yet */
	struct mpi_members *local, *remote;
	struct mpi_made *made; /* comm_make.c; under the world's lock */
	struct mpi_comm *base; /* the communicator of a window or file */
	struct mpi_comm *next; /* in the table of the process */
};

/* Handles of different kinds may have the same value. */
enum mpi_kind { MPI_KIND_COMM, MPI_KIND_WINDOW, MPI_KIND_FILE };

static MPI_INLINE uint64_t
mpi_key(mpi_handle handle, enum mpi_kind kind)
{
	/* No address has these bits. */
	return handle | (uint64_t)kind << 60;
}

/* Allocates a communicator with a key and one reference; NULL: there is no
   memory. */
struct mpi_comm *mpi_comm_alloc(uint64_t key);

/* Adds a reference, for a request that may end after the program freed the
   communicator. */
static inline void
mpi_comm_hold(struct mpi_comm *comm)
{
	/* Relaxed: the caller has a reference already. */
	atomic_fetch_add_explicit(&comm->references, 1, memory_order_relaxed);
}

/* Drops one reference.  Without references the communicator is destroyed.  NULL
   is allowed. */
void mpi_comm_release(struct mpi_comm *comm);

/* Returns the world rank of a rank that a call names; ES_MPI_PEER_NONE: the
   communicator has no such rank.  The caller handles PROC_NULL and ANY_SOURCE.
 */
static MPI_INLINE int32_t
mpi_comm_peer(const struct mpi_comm *comm, int32_t rank)
{
	if (comm == NULL || (uint32_t)rank >= (uint32_t)comm->peers)
		return ES_MPI_PEER_NONE;
	return comm->world == NULL ? rank : comm->world[rank];
}

#endif
