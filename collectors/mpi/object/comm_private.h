/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_private.h - communicators, and who is a member of
 * them
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

#ifndef COLLECTORS_MPI_OBJECT_COMM_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_COMM_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/abi/attribute_private.h"
#include "collectors/mpi/object/thread_state_private.h"

/* Peers that are no ranks, in tuples. */
#define MPI_PEER_NONE (-1)
#define MPI_PEER_PROC_NULL (-2)

/* Whom a collective on neighbours sends to, in the order of its blocks. */
struct mpi_targets {
	int32_t count;
	int32_t peers[]; /* world ranks; MPI_PEER_PROC_NULL too */
};

/*
 * A communicator, or a window or file and the communicator that it was made
 * with.  Constant but for the atomic words and `made`.
 */
struct mpi_comm {
	uint64_t key; /* mpi_key() of its handle */
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
	struct mpi_targets *_Atomic targets; /* NULL: not asked for yet */
	struct mpi_members *local, *remote;
	struct mpi_made *made; /* children, counted; under the world's lock */
	struct mpi_comm *base; /* the communicator of a window or file */
	struct mpi_comm *next; /* in the table of the process */
};

/* Handles of different kinds may have the same value. */
enum mpi_kind { MPI_KIND_COMM, MPI_KIND_WINDOW, MPI_KIND_FILE };

/* What a thread found last, as thread->comms. */
#define MPI_COMMS_KEPT 8u

struct mpi_comm_kept {
	uint64_t key;
	uint32_t generation; /* when it was found */
	struct mpi_comm *comm;
};

struct mpi_comms {
	const _Atomic uint32_t *generation; /* raised when one is forgotten */
	struct mpi_comm_kept last;
	struct mpi_comm_kept kept[MPI_COMMS_KEPT];
};

struct mpi_world; /* what a process knows of others; process->world */

/*
 * Learn the world: thread->process, which keeps it, knows its rank and size
 * there.  It is that of MPI_COMM_WORLD, or of the session that began last.
 */
paths_status mpi_world_open(struct mpi_thread *thread) PATHS_CHECKED;
void mpi_world_close(struct mpi_world *world); /* while MPI still runs */

/* The thread's part, once its process has a world. */
paths_status mpi_comms_open(struct mpi_thread *thread) PATHS_CHECKED;
void mpi_comms_close(struct mpi_comms *comms);

static MPI_INLINE uint64_t
mpi_key(mpi_handle handle, enum mpi_kind kind)
{
	/* No address has these bits. */
	return handle | (uint64_t)kind << 60;
}

/* The slow ways: one that the thread found before the last one (NULL: it did
   not), and one that it did not; the latter also meets what was never seen. */
struct mpi_comm *mpi_comm_again(struct mpi_comms *comms, uint64_t key)
    __attribute__((noinline));
struct mpi_comm *mpi_comm_search(struct mpi_thread *thread, mpi_handle handle,
    enum mpi_kind kind) __attribute__((cold));

static MPI_INLINE struct mpi_comm *
mpi_comm_found(const struct mpi_thread *thread, uint64_t key)
{
	struct mpi_comms *c = thread->comms;

	/* Relaxed: whoever has a handle that came again got it from a call
	   that returned after the old one was forgotten. */
	if (__builtin_expect(c->last.key == key &&
		    c->last.generation ==
			atomic_load_explicit(c->generation,
			    memory_order_relaxed),
		1))
		return c->last.comm;
	return mpi_comm_again(c, key);
}

/* The communicator of a handle.  It is there until it is freed by the program;
   a request that needs it longer holds it.  NULL: MPI_COMM_NULL, or not to be
   found out. */
static MPI_INLINE struct mpi_comm *
mpi_comm_find(struct mpi_thread *thread, mpi_handle handle)
{
	struct mpi_comm *comm =
	    mpi_comm_found(thread, mpi_key(handle, MPI_KIND_COMM));

	return __builtin_expect(comm != NULL, 1) ?
	    comm :
	    mpi_comm_search(thread, handle, MPI_KIND_COMM);
}

/* The same for a window or a file: who the ranks in its calls are, and the
   number of the communicator that it was made with (0: made unseen). */
static MPI_INLINE struct mpi_comm *
mpi_comm_find_other(struct mpi_thread *thread, mpi_handle handle,
    enum mpi_kind kind)
{
	struct mpi_comm *comm = mpi_comm_found(thread, mpi_key(handle, kind));

	return __builtin_expect(comm != NULL, 1) ?
	    comm :
	    mpi_comm_search(thread, handle, kind);
}

/* Whom collectives on neighbours send to; NULL: no memory. */
const struct mpi_targets *mpi_comm_targets(struct mpi_comm *comm);

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
static MPI_INLINE int32_t
mpi_comm_peer(const struct mpi_comm *comm, int32_t rank)
{
	if (comm == NULL || (uint32_t)rank >= (uint32_t)comm->peers)
		return MPI_PEER_NONE;
	return comm->world == NULL ? rank : comm->world[rank];
}

#endif
