/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/comm_private.h - communicators, and who is a member of them
 *
 * A process knows its communicators by their handles: id, identity, members as
 * world ranks.  They are met where they are made, or else when they are first
 * used, and forgotten where they are freed, because handles come again.  Both
 * happen whatever the mode is and however deep the call is nested.  Nothing
 * here communicates.
 *
 * A thread keeps what it found last, so that finding a communicator costs a
 * comparison.
 */

#ifndef COLLECTORS_MPI_COMM_PRIVATE_H
#define COLLECTORS_MPI_COMM_PRIVATE_H

#include "collectors/mpi/call_private.h"

/* Peers that are no ranks, in tuples. */
#define MPI_PEER_NONE (-1)
#define MPI_PEER_PROC_NULL (-2)

/*
 * A communicator, or the group of a window or file.  Constant but for
 * `collectives`, `made`, `known` and what only comm.c looks at.
 */
struct mpi_comm {
	mpi_handle handle; /* masked */
	uint64_t identity;
	const int32_t *world; /* of the ranks that calls name; NULL: the same */
	int32_t peers;	      /* how many these are: of an intercommunicator
				 the remote group's */
	int32_t rank;	      /* of the process in its group */
	int32_t size;	      /* of that */
	uint16_t id;	      /* see mpi_space.h */
	bool inter;
	_Atomic uint32_t collectives; /* that were called on it */
	_Atomic uint32_t references;
	struct mpi_topology *topology; /* topology.c; under the world's lock */
	struct mpi_made *made;	       /* the same: children, counted */
	struct mpi_comm *next;	       /* of those with its hash */
};

/* What a thread found last.  In the thread's storage, as thread->comms. */
#define MPI_COMMS_KEPT 8u

struct mpi_comms {
	struct {
		mpi_handle handle;
		uint32_t generation; /* of the world, when it was found */
		struct mpi_comm *comm;
	} kept[MPI_COMMS_KEPT];
	mpi_handle mask; /* of what counts of a handle */
	const _Atomic uint32_t *generation;
};

struct mpi_world; /* what a process knows of others; process->world */

/*
 * Learn MPI_COMM_WORLD, as soon as it can be used: at the end of Init, or at
 * the first communicator of a session.  Sets rank and size in the control row.
 * The process keeps it in process->world.
 */
paths_status mpi_world_open(struct mpi_thread *thread) PATHS_CHECKED;
void mpi_world_close(struct mpi_world *world);

/* The thread's part, once the process has a world. */
paths_status mpi_comms_open(struct mpi_thread *thread) PATHS_CHECKED;
void mpi_comms_close(struct mpi_comms *comms);

/* The slow way; also meets one that was never seen.  NULL: no such thing. */
struct mpi_comm *mpi_comm_search(struct mpi_thread *thread, mpi_handle handle);

/* The communicator of a handle.  It is there until it is freed by the program;
   a request that needs it longer holds it.  NULL: MPI_COMM_NULL, or not to be
   found out. */
static inline struct mpi_comm *
mpi_comm_find(struct mpi_thread *thread, mpi_handle handle)
{
	struct mpi_comms *c = thread->comms;
	mpi_handle masked = handle & c->mask;
	unsigned n = (unsigned)(masked * UINT64_C(0x9e3779b97f4a7c15) >> 61);

	/* Relaxed: whoever has a handle that came again got it from a call
	   that returned after the old one was forgotten. */
	if (__builtin_expect(c->kept[n].handle == masked &&
		    c->kept[n].generation ==
			atomic_load_explicit(c->generation,
			    memory_order_relaxed),
		1))
		return c->kept[n].comm;
	return mpi_comm_search(thread, handle);
}

/* Keep a communicator for a request that may end after the program freed it,
   until the same number of releases. */
static inline void
mpi_comm_hold(struct mpi_comm *comm)
{
	/* Relaxed: whoever holds it knows it from somebody who does. */
	atomic_fetch_add_explicit(&comm->references, 1, memory_order_relaxed);
}

void mpi_comm_release(struct mpi_comm *comm);

/* The world rank of a rank that a call names.  A rank that is none there is
   MPI_PEER_NONE; the caller has sorted out PROC_NULL and ANY_SOURCE. */
static inline int32_t
mpi_comm_peer(const struct mpi_comm *comm, int32_t rank)
{
	if (comm == NULL || (uint32_t)rank >= (uint32_t)comm->peers)
		return MPI_PEER_NONE;
	return comm->world == NULL ? rank : comm->world[rank];
}

#endif
