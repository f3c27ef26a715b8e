/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/members_private.h - groups, and the members of
 * communicators
 */

#ifndef COLLECTORS_MPI_OBJECT_MEMBERS_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_MEMBERS_PRIVATE_H

#include "collectors/mpi/object/world_private.h"

/* The members of a group, in its order.  Constant, and shared. */
struct mpi_members {
	_Atomic uint32_t references;
	int32_t count;
	uint64_t hash; /* equal in all processes of the world */
	bool same;     /* the world rank of each member is its rank here */
	uint32_t run_count;
	struct es_mpi_ranks *runs; /* `world` as ranges */
	int32_t world[];	   /* world rank of each member */
};

/* Returns the group that the MPI procedure `ask` makes of a communicator,
   window or file; the caller drops it.  0: `ask` failed. */
mpi_handle mpi_group_of(int (*ask)(mpi_handle, mpi_handle *), mpi_handle of);

/* Frees a group; 0 is allowed. */
void mpi_group_drop(mpi_handle group);

/* Makes the members of an MPI group; NULL: there is no memory, or an MPI call
   failed. */
struct mpi_members *mpi_members_make_locked(struct mpi_world *world,
    mpi_handle group);
struct mpi_members *mpi_members_ref(struct mpi_members *members);
void mpi_members_unref(struct mpi_members *members);

/* Adds a number to a hash, with the last step of splitmix64. */
static inline uint64_t
mpi_mix(uint64_t h, uint64_t n)
{
	uint64_t z = (h ^ n) + UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
