/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/memory_test.c - proves what collectors/space/space.c,
 * space_check.c, record.c, layout.c, session.c and monitor.c do without memory
 *
 * The n-th allocation fails, for every n until nothing failed.
 */

#include "tests/collectors/fake.h"

#include "collectors/monitor.h"
#include "collectors/stage/collector_private.h"

#include "tests/team.h"

static int64_t fails_in = -1; /* so many allocations succeed; < 0: all */
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

/* Begin a try in which allocation number n, and no other, fails. */
static void
fail_at(int64_t n)
{
	failed = false;
	fails_in = n;
}

/* End it: whether there was such an allocation. */
static bool
has_failed(void)
{
	fails_in = -1;
	return failed;
}

static void
a_space_is_opened_or_not(void)
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
a_record_is_opened_or_leaves_nothing(void)
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
	int64_t n = 0;
	paths_status st;

	do {
		fail_at(n++);
		st = es_record_open(&spec, &record);
		EXPECT_EQ(has_failed() ? PATHS_ENOMEM : PATHS_OK, st);
		EXPECT_EQ(st == PATHS_OK ? 1 : 0, fake_files(folder));
		if (st == PATHS_OK)
			es_record_close(record);
	} while (st != PATHS_OK);
	EXPECT_TRUE(n >= 4);
	fake_remove(folder);
}

/* Counts in all that a ring has, so often that its tuples are overwritten,
   after the rows were reset. */
static void
record_all(const struct es_record_ring *ring)
{
	atomic_fetch_add(&ring->hot->epoch, 1);
	for (uint64_t n = 0; n < 20; n++) {
		/* The clocks are due each time. */
		ring->hot->clock_due = 0;
		fake_record(ring, n);
		if (ring->profile != NULL)
			es_record_profile(ring, n % 5, n, true);
		if (ring->matrix != NULL)
			es_record_matrix(ring, n % 5, n);
	}
}

static void
memory_is_taken_to_open_and_to_add_and_not_to_record(void)
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

/* Without memory for a space, and only for that, the collectors are off. */
static void
a_program_is_opened_or_not(void)
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
a_monitor_is_opened_or_not(void)
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

TEST_MAIN(a_space_is_opened_or_not, a_record_is_opened_or_leaves_nothing,
    memory_is_taken_to_open_and_to_add_and_not_to_record,
    a_program_is_opened_or_not, a_monitor_is_opened_or_not)
