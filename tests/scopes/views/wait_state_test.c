/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/wait_state_test.c - tables of the wait states of a run
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <string.h>

static void
site(struct fake_mpi *f, uint32_t rank, uint32_t id, uint64_t offset)
{
	fake_mpi_module(f, rank, 1, "aa", "/bin/app");
	fake_mpi_site(f, rank, id,
	    (const struct es_mpi_frame[]){ { .module = 1, .offset = offset },
		{ .module = FAKE_MPI_NO_FRAME } });
}

static void
waits_have_sites_and_ranks_of_the_run(void)
{
	struct fake_mpi *f = fake_mpi_create(3, 16);
	struct memory_sink *sink;

	/* The same call site has another id in each rank. */
	site(f, 0, 1, 100);
	site(f, 1, 2, 100);
	FAKE_MPI_CALL(f, 0, "Recv", 1000, 1500, .peer = 2, .bytes = 8,
	    .site = 1);
	FAKE_MPI_CALL(f, 1, "Recv", 1000, 1600, .peer = 2, .bytes = 0,
	    .site = 2);
	FAKE_MPI_CALL(f, 2, "Send", 1400, 1450, .peer = 0, .bytes = 8);
	FAKE_MPI_CALL(f, 2, "Send", 1500, 1550, .peer = 1);
	FAKE_MPI_CALL(f, 0, "Barrier", 2000, 3000, .peer = -1, .match = 1);
	FAKE_MPI_CALL(f, 1, "Barrier", 2900, 3001, .peer = -1, .match = 1);
	FAKE_MPI_CALL(f, 2, "Barrier", 2500, 3000, .peer = -1, .match = 1);
	fake_mpi_end(f, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 2);
	EXPECT_STR_EQ("0|0|Wait at Barrier|1|900|0|0\n"
		      "0|1|Late Sender|1|400|0|0\n"
		      "1|0|Barrier Completion|1|1|0|0\n"
		      "1|1|Late Sender|1|500|0|0\n"
		      "2|0|Wait at Barrier|1|400|0|0\n",
	    memory_sink_text(sink, "wait_state"));
	EXPECT_STR_EQ("0|1|Wait at Barrier|1|900|0|0\n"
		      "0|2|Late Sender|1|400|0|0\n"
		      "1|2|Late Sender|1|500|0|0\n"
		      "1||Barrier Completion|1|1|0|0\n"
		      "2|1|Wait at Barrier|1|400|0|0\n",
	    memory_sink_text(sink, "wait_pair"));
	EXPECT_STR_EQ("0|0|0|1|1|0|1|1|0|0|1500|0|0.000\n"
		      "1|0|0|1|1|1|1|1|0|0|701|0|0.000\n"
		      "2|2|2|0|0|0|1|1|0|0|600|0|0.000\n",
	    memory_sink_text(sink, "wait_check"));
	EXPECT_STR_EQ("0|1|1|900|0|0\n"
		      "0|2|1|400|0|0\n"
		      "1|2|1|500|0|0\n"
		      "2|1|1|400|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

/* Records four messages between two ranks; the last two are retained. */
static struct fake_mpi *
late_messages(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 2);

	for (uint32_t n = 0; n < 4; n++) {
		FAKE_MPI_CALL(f, 0, "Send", 100 * n + 50, 100 * n + 60,
		    .peer = 1);
		FAKE_MPI_CALL(f, 1, "Recv", 100 * n, 100 * n + 70, .peer = 0);
	}
	return f;
}

static void
missing_tuples_are_reported(void)
{
	struct fake_mpi *f = late_messages();
	struct memory_sink *sink;

	fake_mpi_end(f, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 1);
	EXPECT_STR_EQ("1|0|Late Sender|2|100|0|0\n",
	    memory_sink_text(sink, "wait_state"));
	memory_sink_free(sink);
	fake_mpi_remove(f);
	/* Messages of killed ranks cannot be counted from the end. */
	f = late_messages();
	for (uint32_t r = 0; r < 2; r++)
		atomic_store(&fake_mpi_control(f, r)->state, ES_MPI_RUNNING);
	fake_mpi_end(f, FAKE_RUN_KILLED);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 1);
	EXPECT_STR_EQ("", memory_sink_text(sink, "wait_state"));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"2 of 2 receives are not matched with sends: tuples "
			"are missing") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

static void
clocks_that_disagree_are_reported(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 4);
	struct memory_sink *sink;

	FAKE_MPI_CALL(f, 0, "Send", 500, 600, .peer = 1);
	FAKE_MPI_CALL(f, 1, "Recv", 100, 200, .peer = 0);
	fake_mpi_end(f, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 1);
	EXPECT_STR_EQ("1|0|Late Sender|1|100|0|0\n",
	    memory_sink_text(sink, "wait_state"));
	EXPECT_EQ(1, memory_sink_sum(sink, "wait_check", "early_messages"));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"1 of 1 messages were received before they were "
			"sent") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

TEST_MAIN(waits_have_sites_and_ranks_of_the_run, missing_tuples_are_reported,
    clocks_that_disagree_are_reported)
