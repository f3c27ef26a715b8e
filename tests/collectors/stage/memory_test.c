/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/memory_test.c - spaces, records, programs and monitors
 * report a failed allocation
 *
 * The n-th allocation fails, for every n until none fails.
 */

#include "tests/collectors/fake.h"

#include "collectors/monitor.h"
#include "collectors/stage/collector_private.h"

#include "tests/team.h"

static int64_t fails_in = -1; /* allocations until one fails; < 0: none will */
static bool failed;

static bool
allocation_fails(void)
{
	if (fails_in < 0 || fails_in-- > 0)
		return false;
	failed = true;
	return true;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
char *__wrap_strdup(const char *text);

void *
__wrap_malloc(size_t bytes)
{
	return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *
__wrap_calloc(size_t count, size_t bytes)
{
	return allocation_fails() ? NULL : __real_calloc(count, bytes);
}

char *
__wrap_strdup(const char *text)
{
	return allocation_fails() ? NULL : __real_strdup(text);
}

/* Lets the allocation after the next n fail, and no other. */
static void
fail_at(int64_t n)
{
	failed = false;
	fails_in = n;
}

/* Lets all allocations succeed again; returns true if one has failed. */
static bool
has_failed(void)
{
	fails_in = -1;
	return failed;
}

static void
opening_a_space_reports_a_lack_of_memory(void)
{
	const char *folder = fake_folder();
	struct es_record *record;
	struct es_space *space;
	int64_t n = 0;
	paths_status st;

	EXPECT_OK(fake_open(folder, 3, 5, &record));
	do {
		fail_at(n++);
		st = es_space_open(fake_file(folder), &space);
		EXPECT_EQ(has_failed() ? PATHS_ENOMEM : PATHS_OK, st);
		if (st == PATHS_OK)
			es_space_close(space);
	} while (st != PATHS_OK);
	EXPECT_TRUE(n >= 6);
	es_record_close(record);
	fake_remove(folder);
}

static void
a_record_without_memory_leaves_no_file(void)
{
	const struct es_record_collector collectors[] = {
		{ .type = es_tuple_type_find("path"), .capacity = 2 },
		{ .type = es_tuple_type_find("mpi"), .capacity = 2 },
	};
	const char *folder = fake_folder();
	const struct es_record_spec spec = {
		.directory = folder,
		.process_name = "p0",
		.collector_count = 2,
		.map_text = "",
		.collectors = collectors,
	};
	struct es_record *record;
	bool lacked;
	int64_t n = 0;
	paths_status st;

	do {
		fail_at(n++);
		st = es_record_open(&spec, &record);
		lacked = has_failed();
		/* A record needs no thread for checksums. */
		EXPECT_TRUE(
		    st == (lacked ? PATHS_ENOMEM : PATHS_OK) || st == PATHS_OK);
		EXPECT_EQ(st == PATHS_OK ? 1 : 0, fake_files(folder));
		if (st == PATHS_OK)
			es_record_close(record);
	} while (lacked);
	EXPECT_TRUE(n >= 6);
	fake_remove(folder);
}

/* Resets the rows of a ring and records 20 operations in all its modes, which
   overwrites tuples. */
static void
record_all(const struct es_record_ring *ring)
{
	atomic_fetch_add(&ring->hot->epoch, 1);
	for (uint64_t n = 0; n < 20; n++) {
		/* Each tuple also reads the clocks. */
		ring->hot->clock_due = 0;
		fake_record(ring, n);
		if (ring->profile != NULL)
			es_record_profile(ring, n % 5, n, true);
		if (ring->matrix != NULL)
			es_record_matrix(ring, n % 5, n);
	}
}

static void
recording_allocates_no_memory(void)
{
	const struct es_record_collector collector = {
		.mode = ES_MODE_TRACE,
		.type = es_tuple_type_find("path"),
		.capacity = 5,
		.profile_ops = 5,
		.profile_classes = 1,
		.matrix_peers = 1,
		.matrix_categories = 5,
	};
	const char *folder = fake_folder();
	const struct es_record_spec spec = {
		.directory = folder,
		.process_name = "p0",
		.collector_count = 1,
		.map_text = "",
		.collectors = &collector,
		.added = es_tuple_type_find("path"),
	};
	struct es_record_ring first, added;
	struct es_record *record;

	EXPECT_OK(es_record_open(&spec, &record));
	fail_at(0);
	EXPECT_EQ(PATHS_ENOMEM,
	    es_record_add_ring(record, &collector, 1, &added));
	EXPECT_TRUE(has_failed());
	EXPECT_OK(es_record_add_ring(record, &collector, 1, &added));
	fail_at(0);
	EXPECT_OK(es_record_ring(record, 0, &first));
	record_all(&first);
	record_all(&added);
	es_record_end(record);
	es_record_resume(record);
	EXPECT_TRUE(!has_failed());
	es_record_close(record);
	fake_remove(folder);
}

static struct team *
team_with_collectors(void)
{
	EXPECT_OK(paths_stage_register(&es__stage_collector));
	return team_open("pathmap 1\n"
			 "host h0\n"
			 "process p0 -host h0\n"
			 "thread t0 -process p0\n"
			 "element e0 -process p0 -type u64\n"
			 "path t0 e0 {{collector} {collector} {element e0}}\n");
}

/* If only the memory for the space is missing, the program opens with its
   collectors off. */
static void
opening_a_program_reports_a_lack_of_memory(void)
{
	struct team *team = team_with_collectors();
	struct paths_program *program = team_join(team, "p0");
	int64_t n = 0;
	paths_status st;

	paths_program_close(program);
	do {
		fail_at(n++);
		st = paths_program_open(NULL, NULL, &program);
		EXPECT_TRUE(st == PATHS_OK || (failed && st == PATHS_ENOMEM));
		if (st == PATHS_OK)
			paths_program_close(program);
	} while (has_failed());
	team_close(team);
}

static void
opening_a_monitor_reports_a_lack_of_memory(void)
{
	struct team *team = team_with_collectors();
	struct paths_program *program = team_join(team, "p0");
	struct es_monitor *monitor;
	int64_t n = 0;
	paths_status st;

	do {
		fail_at(n++);
		st = es_monitor_open(program, &monitor);
		EXPECT_EQ(has_failed() ? PATHS_ENOMEM : PATHS_OK, st);
		if (st == PATHS_OK)
			es_monitor_close(monitor);
	} while (st != PATHS_OK);
	EXPECT_TRUE(n >= 10);
	paths_program_close(program);
	team_close(team);
}

TEST_MAIN(opening_a_space_reports_a_lack_of_memory,
    a_record_without_memory_leaves_no_file, recording_allocates_no_memory,
    opening_a_program_reports_a_lack_of_memory,
    opening_a_monitor_reports_a_lack_of_memory)
