/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/run_test.c - run directories are opened in every state
 */

#include "scopes/operation.h"
#include "scopes/run.h"

#include "tests/scopes/fake_op.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Collector 0 is of p, 1 of q. */
static const char map_text[] =
    FAKE_MAP "thread t -process p\n"
	     "element e -process q -type f64 -keep 16\n"
	     "path t e {{collector} {proxy q} {collector} {element e}}\n";

static struct fake_run *
recorded(enum fake_run_state state)
{
	struct fake_run *run = fake_run_create(map_text, 4);

	for (uint32_t seq = 0; seq < 6; seq++) {
		FAKE_OP(run, 0, WRITE, seq, 100 * seq + 10, 100 * seq + 50);
		FAKE_OP(run, 1, WRITE, seq, 100 * seq + 20, 100 * seq + 40);
	}
	fake_run_end(run, state);
	return run;
}

static struct es_run *
opened(const struct fake_run *fake)
{
	struct es_run *run = NULL;

	if (es_run_open(fake_run_dir(fake), &run) != PATHS_OK)
		EXPECT_STR_EQ("", paths_log_last());
	return run;
}

static void
file_of(const struct fake_run *fake, const char *name, char file[512])
{
	snprintf(file, 512, "%s/%s", fake_run_dir(fake), name);
}

static void
expect_last_four(const struct es_run *run)
{
	for (uint32_t n = 0; n < 2; n++) {
		const struct es_collector *c = es_run_collector(run, n);

		EXPECT_EQ(4, c->count);
		EXPECT_EQ(2, c->first);
		EXPECT_EQ(2, c->discarded);
		for (uint32_t i = 0; i < 4; i++) {
			const struct es_tuple_path *tuple =
			    es_collector_tuple(c, i);

			EXPECT_EQ(2 + i, tuple->seq);
		}
	}
}

static void
tuples_come_oldest_first(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run = opened(fake);

	EXPECT_EQ(2, es_run_collector_count(run));
	EXPECT_TRUE(es_run_collector(run, 2) == NULL);
	expect_last_four(run);
	EXPECT_EQ(0, es_run_collector(run, 0)->path);
	EXPECT_EQ(1, es_run_collector(run, 1)->process);
	EXPECT_EQ(2, es_run_collector(run, 1)->position);
	EXPECT_TRUE(!es_run_live(run));
	EXPECT_TRUE(es_run_diagnostic(run, 0) == NULL);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_live_run_is_read_as_it_was_when_it_was_opened(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_LIVE);
	struct es_run *run = opened(fake);
	char file[512];

	EXPECT_TRUE(es_run_live(run));
	/* The run keeps its copy when the file changes. */
	file_of(fake, "p.space", file);
	EXPECT_EQ(0, truncate(file, 0));
	expect_last_four(run);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
expect_killed(enum fake_run_state state)
{
	struct fake_run *fake = recorded(state);
	struct es_run *run = opened(fake);

	expect_last_four(run);
	EXPECT_TRUE(!es_run_live(run));
	EXPECT_STR_EQ("p", es_run_diagnostic(run, 0)->subject);
	EXPECT_EQ(ES_WARNING, es_run_diagnostic(run, 0)->severity);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_killed_process_keeps_its_tuples_and_is_diagnosed(void)
{
	expect_killed(FAKE_RUN_KILLED);
}

/* The id of the process is that of another process now. */
static void
a_reused_process_id_counts_as_killed(void)
{
	expect_killed(FAKE_RUN_REUSED);
}

/* The id of the process is in use here, which says nothing. */
static void
a_process_of_another_host_or_boot_is_not_live(void)
{
	expect_killed(FAKE_RUN_REBOOTED);
	expect_killed(FAKE_RUN_ABROAD);
}

static void
a_zombie_counts_as_killed(void)
{
	expect_killed(FAKE_RUN_ZOMBIE);
}

/* The first thread of the process has ended. */
static void
a_process_is_live_while_a_thread_is(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_HEADLESS);
	struct es_run *run = opened(fake);

	EXPECT_TRUE(es_run_live(run));
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_missing_space_is_diagnosed_and_the_rest_read(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run;
	char file[512];

	file_of(fake, "q.space", file);
	EXPECT_EQ(0, unlink(file));
	run = opened(fake);
	EXPECT_EQ(4, es_run_collector(run, 0)->count);
	EXPECT_EQ(0, es_run_collector(run, 1)->count);
	EXPECT_TRUE(es_run_collector(run, 1)->type == NULL);
	EXPECT_STR_EQ("q", es_run_diagnostic(run, 0)->subject);
	EXPECT_EQ(ES_ERROR, es_run_diagnostic(run, 0)->severity);
	EXPECT_TRUE(es_run_diagnostic(run, 1) == NULL);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_space_of_another_map_is_refused(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run;
	char file[512];
	FILE *to;

	file_of(fake, "map", file);
	/* The map has the same length, and one other letter. */
	to = fopen(file, "r+");
	EXPECT_TRUE(to != NULL);
	EXPECT_EQ(0,
	    fseek(to, (long)(strstr(map_text, "f64") - map_text), SEEK_SET));
	fputs("i64", to);
	EXPECT_EQ(0, fclose(to));
	run = opened(fake);
	EXPECT_EQ(0, es_run_collector(run, 0)->count);
	EXPECT_STR_EQ("its event space: it was written with another map",
	    es_run_diagnostic(run, 0)->text);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_space_cut_short_is_diagnosed(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run;
	struct stat about;
	char file[512];

	file_of(fake, "p.space", file);
	EXPECT_EQ(0, stat(file, &about));
	EXPECT_EQ(0, truncate(file, about.st_size - 36));
	run = opened(fake);
	EXPECT_STR_EQ("p", es_run_diagnostic(run, 0)->subject);
	EXPECT_EQ(4, es_run_collector(run, 1)->count);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_missing_map_is_taken_from_a_space(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run;
	char file[512];

	file_of(fake, "map", file);
	EXPECT_EQ(0, unlink(file));
	run = opened(fake);
	expect_last_four(run);
	EXPECT_STR_EQ("map", es_run_diagnostic(run, 0)->subject);
	es_run_close(run);
	fake_run_remove(fake);
}

static void
a_missing_run_is_an_error(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run;
	char file[512];

	file_of(fake, "nothing", file);
	EXPECT_EQ(PATHS_ENOENT, es_run_open(file, &run));
	fake_run_remove(fake);
}

static void
a_diagnostic_is_kept_once(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run = opened(fake);

	es_run_diagnose(run, ES_NOTE, "x", "%d apples", 3);
	es_run_diagnose(run, ES_NOTE, "x", "%d apples", 3);
	EXPECT_STR_EQ("3 apples", es_run_diagnostic(run, 0)->text);
	EXPECT_TRUE(es_run_diagnostic(run, 1) == NULL);
	es_run_close(run);
	fake_run_remove(fake);
}

/* The number in 64 bits of the first operation in the map's two collectors. */
static void
expect_extended(const struct fake_run *fake, uint64_t above, uint64_t below)
{
	struct es_run *run = opened(fake);
	const uint64_t want[2] = { above, below };

	for (uint32_t n = 0; n < 2; n++) {
		const struct es_collector *c = es_run_collector(run, n);
		uint64_t last = es_operation_seq(c, c->count - 1);

		EXPECT_EQ(want[n], es_operation_seq(c, 0));
		EXPECT_EQ(last,
		    es_operation_seq(c, es_collector_seek(c, last)));
		EXPECT_EQ(c->count, es_collector_seek(c, last + 1));
		EXPECT_EQ(0, es_collector_seek(c, want[n]));
	}
	es_run_close(run);
}

/* Rings keep four tuples.  Failures fill that of the collector below, so that
   it discards the operations before the wrap. */
static void
numbers_agree_where_one_ring_discarded_the_wrap(void)
{
	struct fake_run *fake = fake_run_create(map_text, 4);
	struct es_tuple_path failed = { .op = PATHS_WRITE, .status = 7 };

	for (uint32_t n = 0; n < 4; n++) {
		uint32_t seq = n - 2;

		FAKE_OP(fake, 0, WRITE, seq, 100 * n + 10, 100 * n + 50);
		failed.seq = seq;
		failed.start = 100 * n + 20;
		failed.stop = 100 * n + 25;
		fake_run_add(fake, 1, &failed);
		FAKE_OP(fake, 1, WRITE, seq, 100 * n + 30, 100 * n + 40);
	}
	fake_run_end(fake, FAKE_RUN_ENDED);
	expect_extended(fake, UINT32_MAX - UINT64_C(1), UINT64_C(1) << 32);
	fake_run_remove(fake);
}

/* Numbers that did not wrap around are unchanged. */
static void
small_numbers_stay(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);

	expect_extended(fake, 2, 2);
	fake_run_remove(fake);
}

/* Opening a pipe waits for a writer. */
static void
a_map_that_is_a_pipe_is_refused(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);
	struct es_run *run;
	char file[512];

	file_of(fake, "map", file);
	EXPECT_EQ(0, unlink(file));
	EXPECT_EQ(0, mkfifo(file, 0600));
	EXPECT_EQ(PATHS_EIO, es_run_open(fake_run_dir(fake), &run));
	EXPECT_TRUE(strstr(paths_log_last(), "map: not a file") != NULL);
	fake_run_remove(fake);
}

TEST_MAIN(tuples_come_oldest_first,
    a_live_run_is_read_as_it_was_when_it_was_opened,
    a_killed_process_keeps_its_tuples_and_is_diagnosed,
    a_zombie_counts_as_killed, a_reused_process_id_counts_as_killed,
    a_process_of_another_host_or_boot_is_not_live,
    a_process_is_live_while_a_thread_is,
    a_missing_space_is_diagnosed_and_the_rest_read,
    a_space_of_another_map_is_refused, a_space_cut_short_is_diagnosed,
    a_missing_map_is_taken_from_a_space, a_missing_run_is_an_error,
    a_diagnostic_is_kept_once, numbers_agree_where_one_ring_discarded_the_wrap,
    small_numbers_stay, a_map_that_is_a_pipe_is_refused)
