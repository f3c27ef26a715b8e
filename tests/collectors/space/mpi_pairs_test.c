/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/mpi_pairs_test.c - checks the targets of collectives
 */

#include "collectors/mpi_pairs.h"

#include "tests/test.h"

/* Returns the targets of rank 2 on an intracommunicator. */
static enum es_mpi_targets
targets(const char *name, int32_t root)
{
	const struct es_mpi_function *f =
	    es_mpi_function(es_mpi_function_find(name));

	return es_mpi_targets(f, root, 2, false);
}

static enum es_mpi_targets
remote(const char *name, int32_t root)
{
	const struct es_mpi_function *f =
	    es_mpi_function(es_mpi_function_find(name));

	return es_mpi_targets(f, root, 2, true);
}

static void
each_rank_sends_to_each_other(void)
{
	static const char *const names[] = { "MPI_Barrier", "MPI_Allreduce",
		"MPI_Iallgather", "MPI_Alltoall_init",
		"MPI_Reduce_scatter_block" };

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		EXPECT_EQ(ES_MPI_TARGETS_OTHERS,
		    targets(names[n], ES_MPI_ROOT_NONE));
		EXPECT_EQ(ES_MPI_TARGETS_OTHERS,
		    remote(names[n], ES_MPI_ROOT_NONE));
	}
}

static void
a_scan_goes_upward(void)
{
	EXPECT_EQ(ES_MPI_TARGETS_AFTER, targets("MPI_Scan", ES_MPI_ROOT_NONE));
	EXPECT_EQ(ES_MPI_TARGETS_AFTER,
	    targets("MPI_Iexscan", ES_MPI_ROOT_NONE));
}

static void
the_root_sends_or_receives(void)
{
	EXPECT_EQ(ES_MPI_TARGETS_OTHERS, targets("MPI_Bcast", 2));
	EXPECT_EQ(ES_MPI_TARGETS_NONE, targets("MPI_Bcast", 1));
	EXPECT_EQ(ES_MPI_TARGETS_OTHERS, targets("MPI_Scatter", 2));
	EXPECT_EQ(ES_MPI_TARGETS_NONE, targets("MPI_Gather", 2));
	EXPECT_EQ(ES_MPI_TARGETS_ROOT, targets("MPI_Gather", 1));
	EXPECT_EQ(ES_MPI_TARGETS_ROOT, targets("MPI_Ireduce", 0));
}

/* The root 2 is a rank of the remote group; the caller is rank 2, too. */
static void
other_members_of_the_roots_group_have_no_pairs(void)
{
	EXPECT_EQ(ES_MPI_TARGETS_OTHERS, remote("MPI_Bcast", ES_MPI_ROOT_SELF));
	EXPECT_EQ(ES_MPI_TARGETS_NONE, remote("MPI_Bcast", ES_MPI_ROOT_IDLE));
	EXPECT_EQ(ES_MPI_TARGETS_NONE, remote("MPI_Bcast", 2));
	EXPECT_EQ(ES_MPI_TARGETS_NONE, remote("MPI_Reduce", ES_MPI_ROOT_SELF));
	EXPECT_EQ(ES_MPI_TARGETS_NONE, remote("MPI_Reduce", ES_MPI_ROOT_IDLE));
	EXPECT_EQ(ES_MPI_TARGETS_ROOT, remote("MPI_Reduce", 2));
}

static void
calls_with_counts_per_peer_have_no_targets(void)
{
	static const char *const names[] = { "MPI_Alltoallv", "MPI_Ialltoallw",
		"MPI_Allgatherv", "MPI_Reduce_scatter", "MPI_Gatherv",
		"MPI_Scatterv_init", "MPI_Neighbor_allgather", "MPI_Send" };

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		EXPECT_EQ(ES_MPI_TARGETS_NONE, targets(names[n], 2));
}

TEST_MAIN(each_rank_sends_to_each_other, a_scan_goes_upward,
    the_root_sends_or_receives, other_members_of_the_roots_group_have_no_pairs,
    calls_with_counts_per_peer_have_no_targets)
