/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/run_mpi_test.c - runs of MPI processes are opened without a
 * map
 */

#include "scopes/run.h"

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct es_run *
opened(const struct fake_mpi *fake)
{
	struct es_run *run = NULL;

	if (es_run_open(fake_mpi_dir(fake), &run) != PATHS_OK)
		EXPECT_STR_EQ("", paths_log_last());
	return run;
}

static void
remove_space(const struct fake_mpi *fake, const char *name)
{
	char file[512];

	snprintf(file, sizeof(file), "%s/%s.space", fake_mpi_dir(fake), name);
	EXPECT_EQ(0, unlink(file));
}

/* Records calls 1 .. count of a thread, 10 ns each. */
static void
calls(struct fake_mpi *fake, uint32_t rank, uint32_t thread, uint32_t count)
{
	for (uint32_t n = 1; n <= count; n++) {
		struct es_tuple_mpi tuple = { .start = 100 * n,
			.stop = 100 * n + 10,
			.seq = n,
			.op = 1,
			.peer = -1 };

		fake_mpi_add(fake, rank, thread, &tuple);
	}
}

static void
expect_thread(const struct es_run *run, uint32_t n, const char *name,
    const char *process)
{
	const struct paths_map *map = es_run_map(run);

	EXPECT_STR_EQ(name, map->threads[n].name);
	EXPECT_STR_EQ(process, map->processes[map->threads[n].process].name);
	EXPECT_EQ(n, map->paths[n].thread);
}

static void
ranks_come_in_their_order_and_each_thread_has_a_collector(void)
{
	struct fake_mpi *fake = fake_mpi_create(11, 8);
	struct es_run *run;

	EXPECT_EQ(1, fake_mpi_thread(fake, 2));
	for (uint32_t n = 0; n < 11; n++)
		calls(fake, n, 0, n);
	calls(fake, 2, 1, 5);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	EXPECT_EQ(11, es_run_map(run)->process_count);
	EXPECT_EQ(1, es_run_map(run)->host_count);
	EXPECT_STR_EQ("odin", es_run_map(run)->hosts[0].name);
	EXPECT_STR_EQ("r2.mpi", es_run_map(run)->elements[2].name);
	EXPECT_STR_EQ("mpi", es_run_map(run)->elements[2].type.name);
	EXPECT_EQ(12, es_run_collector_count(run));
	expect_thread(run, 2, "r2", "r2");
	expect_thread(run, 3, "r2.1", "r2");
	expect_thread(run, 11, "r10", "r10");
	EXPECT_EQ(5, es_run_collector(run, 3)->count);
	EXPECT_EQ(3, es_run_collector(run, 4)->count);
	/* 8 of 10 tuples were kept. */
	EXPECT_EQ(8, es_run_collector(run, 11)->count);
	EXPECT_EQ(2, es_run_collector(run, 11)->discarded);
	EXPECT_TRUE(es_run_diagnostic(run, 0) == NULL);
	EXPECT_TRUE(!es_run_live(run));
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
ranks_that_left_nothing_are_diagnosed(void)
{
	struct fake_mpi *fake = fake_mpi_create(5, 8);
	struct es_run *run;

	calls(fake, 1, 0, 1);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	remove_space(fake, "r0");
	remove_space(fake, "r3");
	remove_space(fake, "r4");
	run = opened(fake);
	EXPECT_EQ(5, es_run_map(run)->process_count);
	expect_thread(run, 3, "r3", "r3");
	EXPECT_TRUE(es_run_space(run, 3) == NULL);
	EXPECT_EQ(1, es_run_collector(run, 1)->count);
	EXPECT_STR_EQ("r0", es_run_diagnostic(run, 0)->subject);
	EXPECT_STR_EQ("r3", es_run_diagnostic(run, 1)->subject);
	EXPECT_STR_EQ("its event space: this rank of the world left none",
	    es_run_diagnostic(run, 2)->text);
	EXPECT_EQ(ES_ERROR, es_run_diagnostic(run, 2)->severity);
	EXPECT_TRUE(es_run_diagnostic(run, 3) == NULL);
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
spawned_processes_follow_the_world(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	struct es_run *run;

	fake_mpi_spawn(fake, "r1@odin.71", 1, 2);
	fake_mpi_spawn(fake, "r0@odin.70", 0, 2);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	EXPECT_EQ(4, es_run_map(run)->process_count);
	expect_thread(run, 1, "r1", "r1");
	expect_thread(run, 2, "r0-odin.70", "r0-odin.70");
	expect_thread(run, 3, "r1-odin.71", "r1-odin.71");
	EXPECT_TRUE(es_run_diagnostic(run, 0) == NULL);
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
killed_and_live_ranks_are_read(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	struct es_run *run;

	calls(fake, 0, 0, 3);
	calls(fake, 1, 0, 4);
	fake_mpi_end(fake, FAKE_RUN_LIVE);
	run = opened(fake);
	EXPECT_TRUE(es_run_live(run));
	EXPECT_EQ(4, es_run_collector(run, 1)->count);
	es_run_close(run);
	fake_mpi_end(fake, FAKE_RUN_KILLED);
	run = opened(fake);
	EXPECT_TRUE(!es_run_live(run));
	EXPECT_EQ(3, es_run_collector(run, 0)->count);
	EXPECT_STR_EQ("the process ended without closing its event space",
	    es_run_diagnostic(run, 0)->text);
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
a_damaged_space_is_diagnosed_and_the_rest_read(void)
{
	struct fake_mpi *fake = fake_mpi_create(3, 8);
	struct es_run *run;
	char file[512];

	calls(fake, 2, 0, 3);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	snprintf(file, sizeof(file), "%s/r1.space", fake_mpi_dir(fake));
	EXPECT_EQ(0, truncate(file, 100));
	run = opened(fake);
	EXPECT_EQ(3, es_run_map(run)->process_count);
	EXPECT_EQ(3, es_run_collector(run, 2)->count);
	EXPECT_STR_EQ("r1", es_run_diagnostic(run, 0)->subject);
	EXPECT_TRUE(es_run_diagnostic(run, 1) == NULL);
	es_run_close(run);
	fake_mpi_remove(fake);
}

/* No map of 2^31 - 1 processes is made. */
static void
a_damaged_world_size_costs_no_memory(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);
	struct es_run *run;

	fake_mpi_control(fake, 0)->world_size = INT32_MAX;
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	EXPECT_EQ(1, es_run_map(run)->process_count);
	EXPECT_STR_EQ("only 1 of 2147483647 ranks left an event space",
	    es_run_diagnostic(run, 0)->text);
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
threads_without_a_ring_have_a_collector_without_tuples(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 0);
	struct es_run *run;

	fake_mpi_thread(fake, 0);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	EXPECT_EQ(2, es_run_collector_count(run));
	EXPECT_TRUE(es_run_collector(run, 1)->type == NULL);
	EXPECT_TRUE(es_run_diagnostic(run, 0) == NULL);
	es_run_close(run);
	fake_mpi_remove(fake);
}

/* Also views that read only tuples of paths. */
static void
every_view_can_be_computed(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	struct memory_sink *sink;

	calls(fake, 0, 0, 3);
	calls(fake, 1, 0, 12);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_mpi_dir(fake), NULL, 2);
	EXPECT_EQ(2, memory_sink_rows(sink, "collector"));
	EXPECT_EQ(11, memory_sink_sum(sink, "collector", "tuples"));
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

TEST_MAIN(ranks_come_in_their_order_and_each_thread_has_a_collector,
    ranks_that_left_nothing_are_diagnosed, spawned_processes_follow_the_world,
    killed_and_live_ranks_are_read,
    a_damaged_space_is_diagnosed_and_the_rest_read,
    a_damaged_world_size_costs_no_memory,
    threads_without_a_ring_have_a_collector_without_tuples,
    every_view_can_be_computed)
