/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/mpi_function_test.c - the table of MPI procedures
 */

#include "collectors/mpi_function.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static void
finds_each_function_by_its_name(void)
{
	const struct es_mpi_function *f;
	uint32_t number = 1;

	for (; (f = es_mpi_function(number)) != NULL; number++) {
		EXPECT_TRUE(strncmp(f->name, "MPI_", 4) == 0);
		EXPECT_EQ(number, es_mpi_function_find(f->name));
	}
	EXPECT_TRUE(number > 430);
	EXPECT_TRUE(es_mpi_function(UINT32_MAX) == NULL);
}

static void
gives_a_large_count_form_the_number_of_its_short_name(void)
{
	EXPECT_EQ(es_mpi_function_find("MPI_Send"),
	    es_mpi_function_find("MPI_Send_c"));
	EXPECT_EQ(es_mpi_function_find("MPI_Neighbor_alltoallw_init"),
	    es_mpi_function_find("MPI_Neighbor_alltoallw_init_c"));
}

static void
an_unknown_name_has_no_number(void)
{
	EXPECT_EQ(UINT32_MAX, es_mpi_function_find(""));
	EXPECT_EQ(UINT32_MAX, es_mpi_function_find("MPI_Sen"));
	EXPECT_EQ(UINT32_MAX, es_mpi_function_find("MPI_Sends"));
	EXPECT_EQ(UINT32_MAX, es_mpi_function_find("PMPI_Send"));
	EXPECT_EQ(UINT32_MAX, es_mpi_function_find("(completed)_c"));
}

static void
has_completed_requests_as_number_0(void)
{
	EXPECT_STR_EQ("(completed)", es_mpi_function(ES_MPI_COMPLETED)->name);
	EXPECT_EQ(0, es_mpi_function_find("(completed)"));
}

/* Recorded runs contain these numbers.  Lines appended to functions.def do not
   change the first 430 numbers. */
static void
never_changes_a_number(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	EXPECT_EQ(1, es_mpi_function_find("MPI_Send"));
	for (uint32_t n = 1; n <= 430; n++)
		for (const char *c = es_mpi_function(n)->name; *c != '\0'; c++)
			hash = (hash ^ (unsigned char)*c) *
			    UINT64_C(0x100000001b3);
	EXPECT_EQ(UINT64_C(2245315377447874307), hash);
}

static void
a_function_has_a_role_and_flags(void)
{
	const struct es_mpi_function *f =
	    es_mpi_function(es_mpi_function_find("MPI_Ialltoallw"));

	EXPECT_EQ(ES_MPI_ROLE_N_TO_N, f->role);
	EXPECT_EQ(ES_MPI_NONBLOCKING | ES_MPI_VECTOR, f->flags);
	f = es_mpi_function(es_mpi_function_find("MPI_Bcast_init"));
	EXPECT_EQ(ES_MPI_ROLE_ONE_TO_N, f->role);
	EXPECT_EQ(ES_MPI_PERSISTENT, f->flags);
	f = es_mpi_function(es_mpi_function_find("MPI_Abort"));
	EXPECT_EQ(ES_MPI_ROLE_OTHER, f->role);
}

TEST_MAIN(finds_each_function_by_its_name,
    gives_a_large_count_form_the_number_of_its_short_name,
    an_unknown_name_has_no_number, has_completed_requests_as_number_0,
    never_changes_a_number, a_function_has_a_role_and_flags)
