/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi_pairs.h - the pairs of source and target between which the
 * bytes of a collective are counted
 *
 * A collective is counted as it was called, because the messages that an MPI
 * library sends for it cannot be seen.  Each call stands for the pairs of
 * processes that follow from the function's definition.  A pair is one message
 * with the `bytes` of the call's struct es_mpi_collective, from the process
 * that counted the call to another one.  A process is never in a pair with
 * itself, and each pair belongs to one process, its source:
 *
 *	MPI_Bcast, MPI_Scatter	root -> each other, one block
 *	MPI_Gather		each other -> root, one block
 *	MPI_Reduce		each other -> root, the whole buffer
 *	MPI_Allreduce		each -> each other, the whole buffer
 *	MPI_Allgather,		each -> each other, one block
 *	MPI_Alltoall,
 *	MPI_Reduce_scatter_block
 *	MPI_Barrier		each -> each other, no bytes
 *	MPI_Scan, MPI_Exscan	each -> each of a higher rank, the whole buffer
 *
 * On an intercommunicator "each other" means each process of the remote group,
 * and the other members of the root's group have no part in a collective with a
 * root.
 *
 * Calls with counts per peer and neighbourhood collectives have their pairs in
 * rows of struct es_mpi_matrix, category ES_MPI_CATEGORY_COLLECTIVE, which the
 * source counts with the bytes of its counts:
 *
 *	MPI_Scatterv		root -> each other
 *	MPI_Gatherv		each other -> root
 *	MPI_Allgatherv		each -> each other, its own block
 *	MPI_Alltoallv, w	each -> each other
 *	MPI_Reduce_scatter	each -> each other, the block of the other
 *	MPI_Neighbor_...	each -> each target of its topology, also itself
 *
 * In these, an empty block is no message.  MPI_Reduce_scatter has no pairs on
 * an intercommunicator: no process knows the blocks of the other group.
 *
 * The nonblocking and persistent forms count as the blocking ones, the
 * persistent ones each time they are started.  A buffer that is MPI_IN_PLACE
 * counts as sent to the others.
 *
 * The lines C (collectives) of Open MPI's monitoring have the same pairs with
 * these exceptions: pairs of MPI_Gather, MPI_Gatherv and MPI_Reduce are
 * reversed, the root of MPI_Scatterv is one of its own targets, an empty block
 * is a message, and collectives that Open MPI itself calls (for MPI_Allgatherv
 * and for new communicators) are counted too.
 */

#ifndef COLLECTORS_MPI_PAIRS_H
#define COLLECTORS_MPI_PAIRS_H

#include "collectors/mpi_function.h"

#include <stdbool.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/* Roots that are not ranks.  The last two are on intercommunicators only. */
#define ES_MPI_ROOT_NONE (-1) /* the collective has no root */
#define ES_MPI_ROOT_SELF (-2) /* the caller is the root: MPI_ROOT */
/* Another process of the local group is the root: MPI_PROC_NULL. */
#define ES_MPI_ROOT_IDLE (-3)

/* The targets of the pairs whose source is the caller. */
enum es_mpi_targets {
	ES_MPI_TARGETS_NONE,
	ES_MPI_TARGETS_ROOT, /* of an intercommunicator, in its remote group */
	ES_MPI_TARGETS_OTHERS, /* all members but the caller; or the remote
				  group */
	ES_MPI_TARGETS_AFTER   /* all members whose rank is higher */
};

/*
 * es_mpi_targets - finds the ranks that a collective sends to
 *
 * function	as es_mpi_function returns it
 * root		as in struct es_mpi_collective
 * rank		of the caller in its group of the communicator
 * inter	whether the communicator has a remote group
 *
 * Returns	the targets of the pairs of the call; NONE when the caller sends
 *		nothing, counts its pairs in matrix rows, or the function is not
 *		a collective
 * Threads	any; no shared state
 * Since	0.1
 */
static inline enum es_mpi_targets
es_mpi_targets(const struct es_mpi_function *function, int32_t root,
    int32_t rank, bool inter)
{
	bool is_root = root == ES_MPI_ROOT_SELF || (!inter && root == rank);

	if (function->flags & ES_MPI_VECTOR)
		return ES_MPI_TARGETS_NONE;
	switch (function->role) {
	case ES_MPI_ROLE_BARRIER:
	case ES_MPI_ROLE_N_TO_N:
		return ES_MPI_TARGETS_OTHERS;
	case ES_MPI_ROLE_SCAN:
		return ES_MPI_TARGETS_AFTER;
	case ES_MPI_ROLE_ONE_TO_N:
		return is_root ? ES_MPI_TARGETS_OTHERS : ES_MPI_TARGETS_NONE;
	case ES_MPI_ROLE_N_TO_ONE:
		return is_root || root < 0 ? ES_MPI_TARGETS_NONE :
					     ES_MPI_TARGETS_ROOT;
	default:
		return ES_MPI_TARGETS_NONE;
	}
}

PATHS_END_DECLS

#endif
