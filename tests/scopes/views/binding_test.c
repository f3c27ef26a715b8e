/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/binding_test.c - proves scopes/views/run/binding.c and
 * scopes/cluster/bound.c: the cores and PUs of threads
 *
 * The hosts have made-up topologies, which hwloc writes.
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_run.h"
#include "tests/scopes/memory_sink.h"

#include "libpaths/topology.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Saves a topology as NAME.topology of a run. */
static void
topology(const char *dir, const char *name, const char *synthetic)
{
	char file[4096];

	snprintf(file, sizeof(file), "%s/%s.topology", dir, name);
	EXPECT_EQ(0, setenv("HWLOC_COMPONENTS", "synthetic,stop", 1));
	EXPECT_EQ(0, setenv("HWLOC_SYNTHETIC", synthetic, 1));
	EXPECT_OK(paths_topology_save(file));
	unsetenv("HWLOC_COMPONENTS");
	unsetenv("HWLOC_SYNTHETIC");
}

/* Logs the PUs of a thread: bit n stands for number n, those of high for
   64 + n. */
static void
bind_to(struct fake_mpi *run, uint32_t rank, uint32_t thread, uint64_t low,
    uint64_t high)
{
	struct {
		struct es_mpi_binding head;
		uint64_t mask[2];
	} entry = { { thread, high == 0 ? 1 : 2 }, { low, high } };

	fake_mpi_log(run, rank, ES_MPI_ENTRY_BINDING, &entry,
	    sizeof(entry.head) + entry.head.words * sizeof(entry.mask[0]));
}

static void
text_is(const char *dir, const char *table, const char *want)
{
	struct memory_sink *sink = memory_sink_compute(dir, "binding", 1);

	EXPECT_STR_EQ(want, memory_sink_text(sink, table));
	memory_sink_free(sink);
}

/* Two packages of two cores with two PUs each, which the kernel numbers as
   most machines do: second PUs come last. */
#define TWO_PACKAGES "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"

static void
ranks_have_the_place_of_all_their_pus(void)
{
	struct fake_mpi *run = fake_mpi_create(6, 0);

	for (uint32_t rank = 0; rank < 6; rank++)
		fake_mpi_clock(run, rank, "odin", 0);
	topology(fake_mpi_dir(run), "odin", TWO_PACKAGES);
	bind_to(run, 0, 0, 0x11, 0); /* core 0 */
	bind_to(run, 1, 0, 0x20, 0); /* the second PU of core 1 */
	bind_to(run, 2, 0, 0xcc, 0); /* package 1 */
	bind_to(run, 3, 0, 0x12, 0); /* of two cores */
	bind_to(run, 4, 0, 0xff, 0); /* all */
	bind_to(run, 5, 0, 0x02, 0); /* the first PU of core 1 */
	fake_mpi_end(run, FAKE_RUN_ENDED);
	text_is(fake_mpi_dir(run), "binding",
	    "0|0|0|bound|0|0|0,4|2|1|kernel\n"
	    "1|1|0|bound|0|1|5|1|2|kernel\n"
	    "2|2|0|bound|1||2-3,6-7|4||kernel\n"
	    "3|3|0|bound|0||1,4|2||kernel\n"
	    "4|4|0|unbound|||0-7|8||kernel\n"
	    "5|5|0|bound|0|1|1|1|2|kernel\n");
	text_is(fake_mpi_dir(run), "host_pu",
	    "0|0|0|0|0|0\n0|4|0|0|0|0\n0|1|0|1|0|0\n0|5|0|1|0|0\n"
	    "0|2|1|2|0|1\n0|6|1|2|0|1\n0|3|1|3|0|1\n0|7|1|3|0|1\n");
	fake_mpi_remove(run);
}

/* PUs may have high numbers; only recorded bindings are known. */
static void
threads_of_a_rank_have_their_own(void)
{
	struct fake_mpi *run = fake_mpi_create(2, 4);
	uint32_t thread = fake_mpi_thread(run, 0);

	fake_mpi_clock(run, 0, "odin", 0);
	fake_mpi_clock(run, 1, "odin", 0);
	topology(fake_mpi_dir(run), "odin", "core:3 pu:1(indexes=0,70,71)");
	bind_to(run, 0, thread, 0, 0x40);
	bind_to(run, 0, 0, 1, 0);
	bind_to(run, 0, 0, 0, 0x80); /* a later one of the same number */
	bind_to(run, 0, 9, 1, 0);    /* of no thread */
	fake_mpi_end(run, FAKE_RUN_ENDED);
	text_is(fake_mpi_dir(run), "binding",
	    "0|0|0|bound|0|0|0|1|1|kernel\n"
	    "1|0|0|bound|0|1|70|1|1|kernel\n"
	    "2|1|0|||||||\n");
	fake_mpi_remove(run);
}

static void
without_a_topology_pus_are_known(void)
{
	struct fake_mpi *run = fake_mpi_create(1, 0);

	bind_to(run, 0, 0, 3, 0);
	fake_mpi_end(run, FAKE_RUN_ENDED);
	text_is(fake_mpi_dir(run), "binding", "0|0|0||||0-1|2||kernel\n");
	text_is(fake_mpi_dir(run), "host_pu", "");
	fake_mpi_remove(run);
}

/* A damaged entry has no binding, and a damaged topology is diagnosed. */
static void
damaged_bytes_are_left_out(void)
{
	struct fake_mpi *run = fake_mpi_create(1, 0);
	static const struct es_mpi_binding wrong = { 0, 500 };
	struct memory_sink *sink;
	char file[4096];
	FILE *to;

	fake_mpi_clock(run, 0, "odin", 0);
	fake_mpi_log(run, 0, ES_MPI_ENTRY_BINDING, &wrong, sizeof(wrong));
	fake_mpi_log(run, 0, ES_MPI_ENTRY_BINDING, &wrong, 3);
	fake_mpi_end(run, FAKE_RUN_ENDED);
	snprintf(file, sizeof(file), "%s/odin.topology", fake_mpi_dir(run));
	to = fopen(file, "w");
	EXPECT_TRUE(to != NULL && fputs("<topology", to) >= 0);
	EXPECT_EQ(0, fclose(to));
	text_is(fake_mpi_dir(run), "binding", "0|0|0|||||||\n");
	sink = memory_sink_compute(fake_mpi_dir(run), NULL, 1);
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"warning|topology|odin.topology: ") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

/* The map says on which core a thread runs, or that it has none. */
static void
threads_of_a_map_have_its_cores(void)
{
	struct fake_run *run = fake_run_create(FAKE_MAP
	    "thread t0 -process p -core 3\n"
	    "thread t1 -process p\n"
	    "thread t2 -process q -core 0\n"
	    "thread t3 -process p -core 3\n"
	    "element e -process p -type f64\n"
	    "path t0 e {{collector} {element e}} -use write\n",
	    4);
	const struct paths_map *map = fake_run_map(run);
	char want[200];

	fake_run_end(run, FAKE_RUN_ENDED);
	topology(fake_run_dir(run), "p", TWO_PACKAGES);
	snprintf(want, sizeof(want),
	    "0|0|%u|bound|1|3|3,7|2|2|map\n"
	    "1|0|%u|unbound||||||map\n"
	    "2|1|%u|bound|%smap\n"
	    "3|0|%u|bound|1|3|3,7|2|2|map\n",
	    map->processes[0].host, map->processes[0].host,
	    map->processes[1].host,
	    map->processes[1].host == map->processes[0].host ? "0|0|0,4|2|1|" :
							       "|0|||1|",
	    map->processes[0].host);
	text_is(fake_run_dir(run), "binding", want);
	fake_run_remove(run);
}

/* The longest text is that of two of each three PUs. */
static void
all_pus_have_room(void)
{
	struct fake_mpi *run = fake_mpi_create(1, 0);
	struct {
		struct es_mpi_binding head;
		uint64_t mask[ES_MPI_BINDING_WORDS];
	} entry = { .head = { 0, ES_MPI_BINDING_WORDS } };
	struct memory_sink *sink;
	const char *text;

	memset(entry.mask, 0, sizeof(entry.mask));
	for (uint32_t n = 0; n < 64 * ES_MPI_BINDING_WORDS; n++)
		if (n % 3 != 2)
			entry.mask[n / 64] |= UINT64_C(1) << (n % 64);
	fake_mpi_log(run, 0, ES_MPI_ENTRY_BINDING, &entry, sizeof(entry));
	fake_mpi_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_mpi_dir(run), "binding", 1);
	EXPECT_EQ(5462, memory_sink_int(sink, "binding", 0, "pu_count"));
	text = memory_sink_string(sink, "binding", 0, "pus");
	EXPECT_TRUE(strncmp(text, "0-1,3-4,", 8) == 0);
	EXPECT_STR_EQ(",8187-8188,8190-8191", text + strlen(text) - 20);
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

TEST_MAIN(ranks_have_the_place_of_all_their_pus,
    threads_of_a_rank_have_their_own, without_a_topology_pus_are_known,
    damaged_bytes_are_left_out, threads_of_a_map_have_its_cores,
    all_pus_have_room)
