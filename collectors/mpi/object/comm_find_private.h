/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_find_private.h - finds the communicator of a
 * handle
 *
 * A thread keeps the communicators that it found last, so that finding one
 * costs a comparison.
 */

#ifndef COLLECTORS_MPI_OBJECT_COMM_FIND_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_COMM_FIND_PRIVATE_H

#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/object/thread_state_private.h"

/* Communicators that a thread keeps besides the last one. */
#define MPI_COMMS_KEPT 8u

struct mpi_comm_kept {
	uint64_t key;
	uint32_t generation; /* of the world, when it was found */
	struct mpi_comm *comm;
};

/* A group of MPI_Win_post or MPI_Win_start that a thread keeps. */
struct mpi_group_kept {
	mpi_handle group;
	uint32_t generation; /* groups_freed of the world, when it was found */
	int32_t peer;	     /* of its set of ranks */
};

struct mpi_comms {
	const _Atomic uint32_t *generation; /* of the world */
	struct mpi_comm_kept last;
	struct mpi_comm_kept kept[MPI_COMMS_KEPT];
	struct mpi_group_kept posted, started;
	struct mpi_world *world;
};

struct mpi_world;

/* Creates the cache of a thread. */
paths_status mpi_comms_open(struct mpi_world *world, struct mpi_comms **comms)
    PATHS_CHECKED;
void mpi_comms_close(struct mpi_comms *comms);

/* Finds a communicator, window or file among those that the thread keeps
   besides the last one; NULL: it is not kept. */
struct mpi_comm *mpi_comm_find_kept(struct mpi_comms *comms, uint64_t key)
    __attribute__((noinline));

/* Finds a communicator, window or file in the table of the process, or enters
   it if its creation was not seen.  NULL: as mpi_comm_find. */
struct mpi_comm *mpi_comm_find_slow(struct mpi_comms *comms, mpi_handle handle,
    enum mpi_kind kind) __attribute__((cold));

static MPI_INLINE struct mpi_comm *
mpi_comm_found(const struct mpi_thread *thread, uint64_t key)
{
	struct mpi_comms *c = thread->comms;

	/* Relaxed: a reused handle comes from a call that returned after the
	   old communicator was removed. */
	if (__builtin_expect(c->last.key == key &&
		    c->last.generation ==
			atomic_load_explicit(c->generation,
			    memory_order_relaxed),
		1))
		return c->last.comm;
	return mpi_comm_find_kept(c, key);
}

/* Returns the communicator of a handle, valid until the program frees it; a
   request that needs it longer holds it.  NULL: MPI_COMM_NULL, an invalid
   handle, or no memory. */
static MPI_INLINE struct mpi_comm *
mpi_comm_find(struct mpi_thread *thread, mpi_handle handle)
{
	struct mpi_comm *comm =
	    mpi_comm_found(thread, mpi_key(handle, MPI_KIND_COMM));

	return __builtin_expect(comm != NULL, 1) ?
	    comm :
	    mpi_comm_find_slow(thread->comms, handle, MPI_KIND_COMM);
}

/* Returns the entry of a window or file; NULL: as mpi_comm_find.  The id of the
   entry is the id of the communicator that it was made with; 0: that is not
   known. */
static MPI_INLINE struct mpi_comm *
mpi_comm_find_other(struct mpi_thread *thread, mpi_handle handle,
    enum mpi_kind kind)
{
	struct mpi_comm *comm = mpi_comm_found(thread, mpi_key(handle, kind));

	return __builtin_expect(comm != NULL, 1) ?
	    comm :
	    mpi_comm_find_slow(thread->comms, handle, kind);
}

#endif
