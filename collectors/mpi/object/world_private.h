/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/world_private.h - the processes that a process meets
 *
 * Those of its own world have the numbers that they have there.  All others
 * are in one group in the order in which they were met, and numbered from the
 * size of the world on; so a process keeps its number in all communicators.
 */

#ifndef COLLECTORS_MPI_OBJECT_WORLD_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_WORLD_PRIVATE_H

#include "collectors/mpi/object/comm_private.h"

#include <pthread.h>

/* The members of a group, in its order.  Constant, and shared. */
struct mpi_members {
	_Atomic uint32_t references;
	int32_t count;
	uint64_t hash; /* equal in all processes of the world */
	bool same;     /* the world ranks are the ranks */
	uint32_t run_count;
	struct es_mpi_ranks *runs;
	int32_t world[];
};

/* How often communicators were made from one, by what they were made of. */
struct mpi_made {
	uint32_t room, used; /* room: a power of two */
	struct {
		uint64_t key; /* 0: free */
		uint64_t count;
	} of[];
};

/* Where a communicator comes from. */
struct mpi_origin {
	struct mpi_comm *parent; /* NULL: none that all members know */
	struct mpi_comm *like;	 /* with its members; NULL: MPI is asked */
	uint64_t salt;		 /* what else all members know of it */
	uint32_t flags;		 /* ES_MPI_COMM_SPAWNED or _PARENT */
	bool met;		 /* nobody saw it being made */
	bool later; /* its handle comes later, and the table has it then */
};

struct mpi_world {
	pthread_mutex_t lock; /* of all that follows but generation */
	_Atomic uint32_t generation;
	struct mpi_process *process;
	mpi_handle group;
	int32_t size;
	mpi_handle others; /* the group of those outside; 0: none yet */
	int32_t other_count;
	uint32_t next_id;
	struct mpi_made *made;
	uint32_t count, bucket_count; /* a power of two */
	struct mpi_comm **buckets;
};

/* A group that MPI makes, of a communicator or what else there is; 0: it did
   not.  And the end of one. */
mpi_handle mpi_group_of(int (*ask)(mpi_handle, mpi_handle *), mpi_handle of);
void mpi_group_drop(mpi_handle group);

/* The members of a group that MPI knows.  NULL: no memory. */
struct mpi_members *mpi_members_make_locked(struct mpi_world *world,
    mpi_handle group);
struct mpi_members *mpi_members_ref(struct mpi_members *members);
void mpi_members_unref(struct mpi_members *members);

/* The table: what has a key, or NULL; put one in, in the place of what has its
   key; take one out. */
struct mpi_comm *mpi_comm_lookup_locked(const struct mpi_world *world,
    uint64_t key);
void mpi_comm_link_locked(struct mpi_world *world, struct mpi_comm *comm);
void mpi_comm_link(struct mpi_world *world, struct mpi_comm *comm);
void mpi_comm_forget(struct mpi_world *world, uint64_t key);

/* Make one and put it into the table, which has the only reference: of a
   communicator; of a group; on a communicator, for its window or file.  NULL:
   no memory, or MPI does not know it. */
struct mpi_comm *mpi_comm_make(struct mpi_world *world, mpi_handle handle,
    const struct mpi_origin *origin);
struct mpi_comm *mpi_comm_make_group(struct mpi_world *world, mpi_handle group,
    uint64_t key);
struct mpi_comm *mpi_comm_make_on(struct mpi_world *world,
    struct mpi_comm *base, uint64_t key);

/* A session began: the group "mpi://WORLD" of it, for the world of a process
   that never calls MPI_Init.  And which one that is; 0: there is none. */
void mpi_world_of_session(struct mpi_thread *thread, mpi_handle group);
mpi_handle mpi_world_group(void);

/* Take a number into a hash; the last step of splitmix64. */
static inline uint64_t
mpi_mix(uint64_t h, uint64_t n)
{
	uint64_t z = (h ^ n) + UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
