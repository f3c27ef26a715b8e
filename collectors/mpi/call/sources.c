/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/sources.c - finds the members from which a collective
 * receives bytes
 *
 * In a call with a count per peer, and in a neighbourhood collective, a member
 * waits for the members that send bytes to it.  Their set is found from the
 * receive counts of the member, because the member does not know what the
 * others send.
 */

#include "collectors/mpi/call/sources_private.h"

#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/object/rank_set_private.h"
#include "collectors/mpi/object/topology_private.h"

/* Adds the ranks whose blocks have bytes.  ranks: rank of each block; NULL:
   block n is that of rank n */
static MPI_INLINE void
sources_add_blocks(struct mpi_rank_sets *sets, const struct mpi_blocks *from,
    const int32_t *ranks, int32_t count)
{
	for (int32_t n = 0; n < count; n++) {
		int32_t rank = ranks == NULL ? n : ranks[n];

		/* Blocks of one type are compared with that type at the end. */
		if (rank >= 0 &&
		    (from->types == NULL ? mpi_count_in(from->counts, n,
					       from->count_width) > 0 :
					   mpi_blocks_bytes(from, n) > 0))
			mpi_rank_set_add(sets, rank);
	}
}

/* Adds all of the ranks from 0 on. */
static void
sources_add_all(struct mpi_rank_sets *sets, int32_t count)
{
	for (int32_t n = 0; n < count; n++)
		mpi_rank_set_add(sets, n);
}

/* Ends the set of sources.  type: type of all blocks, which may be invalid if
   no block has elements */
static int32_t
sources_end(struct mpi_rank_sets *sets, const mpi_handle *type)
{
	if (type != NULL && sets->run.count > 0 && mpi_type_bytes(*type) == 0)
		(void)mpi_rank_set_begin(sets, ES_MPI_RANKS_SOURCES, 0);
	return mpi_rank_set_peer(sets);
}

/* Adds the sources of an Alltoallv.  The common case is compiled separately, as
   in mpi_collective_send_blocks. */
static void
sources_of_blocks(struct mpi_rank_sets *sets, const struct mpi_blocks *from,
    int32_t count)
{
	const struct mpi_blocks of_c = { .counts = from->counts,
		.type = from->type,
		.count_width = 4 };

	if (__builtin_expect(from->types == NULL && from->count_width == 4, 1))
		sources_add_blocks(sets, &of_c, NULL, count);
	else
		sources_add_blocks(sets, from, NULL, count);
}

int32_t
mpi_collective_sources_of(struct mpi_thread *thread, struct mpi_comm *comm,
    const struct mpi_blocks *from, unsigned shape)
{
	struct mpi_rank_sets *sets = thread->rank_sets;

	if (!mpi_rank_set_begin(sets, ES_MPI_RANKS_SOURCES,
		(uint32_t)comm->peers))
		return ES_MPI_PEER_NONE;
	if (comm->peers == 1 && !comm->inter)
		return sources_end(sets, NULL); /* the only process */
	if (shape != MPI_SHAPE_REDUCE_SCATTER) {
		sources_of_blocks(sets, from, comm->peers);
		return sources_end(sets,
		    from->types == NULL ? &from->type : NULL);
	}
	/* A process that gets a block gets data of all. */
	if (mpi_blocks_bytes(from, comm->rank) > 0)
		sources_add_all(sets, comm->peers);
	return sources_end(sets, NULL);
}

/* Returns the set of the neighbours that send bytes. */
static int32_t
sources_of_neighbors(struct mpi_thread *thread, struct mpi_comm *comm,
    const struct mpi_args *args)
{
	const struct mpi_neighbors *near = mpi_comm_neighbors(comm);
	const struct mpi_blocks from = mpi_collective_blocks(args, true);
	struct mpi_rank_sets *sets = thread->rank_sets;

	if (near == NULL ||
	    !mpi_rank_set_begin(sets, ES_MPI_RANKS_SOURCES,
		(uint32_t)near->source_count))
		return ES_MPI_PEER_NONE;
	if (from.counts != NULL) {
		sources_add_blocks(sets, &from, near->sources,
		    near->source_count);
		return sources_end(sets,
		    from.types == NULL ? &from.type : NULL);
	}
	for (int32_t n = 0; args->count2 > 0 && n < near->source_count; n++)
		if (near->sources[n] >= 0)
			mpi_rank_set_add(sets, near->sources[n]);
	return sources_end(sets, &args->type2);
}

int32_t
mpi_collective_sources(struct mpi_thread *thread, struct mpi_comm *comm,
    const struct mpi_args *args, unsigned shape)
{
	const struct mpi_blocks from =
	    mpi_collective_blocks(args, shape == MPI_SHAPE_ALLTOALLV);

	return shape >= MPI_SHAPE_NEIGHBOR ?
	    sources_of_neighbors(thread, comm, args) :
	    mpi_collective_sources_of(thread, comm, &from, shape);
}
