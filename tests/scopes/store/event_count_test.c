/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/store/event_count_test.c - event_count and plans on op are exact
 *
 * Their results are compared with those of queries that read every row, because
 * a unary + keeps SQLite from passing a condition to the table.
 */

#include "tests/scopes/fake_run.h"

#include "collectors/space_format.h"

#include "tests/test.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLLECTORS 3
#define TUPLES 300
#define STEP_NS 1000

static const char map[] = "pathmap 1\n"
			  "plugin  libcollectors.so.0\n"
			  "host    odin\n"
			  "process p0    -host odin\n"
			  "thread  t0    -process p0\n"
			  "thread  t1    -process p0\n"
			  "thread  t2    -process p0\n"
			  "element total -process p0 -type f64*1 -keep 16\n"
			  "path    t0 total {{collector} {element total}}\n"
			  "path    t1 total {{collector} {element total}}\n"
			  "path    t2 total {{collector} {element total}}\n";

/* The odd things of a run. */
struct odd {
	const char *name;
	uint64_t keep;
	uint32_t seq; /* of the first tuple */
	enum fake_run_state state;
	uint64_t mixed_ns; /* every fifth tuple starts so much earlier */
	double ppm;
	bool damaged;
};

static const struct odd odds[] = {
	{ "plain", 512, 0, FAKE_RUN_ENDED, 0, 0.0, false },
	{ "lost tuples", 64, 0, FAKE_RUN_ENDED, 0, 0.0, false },
	{ "live", 512, 0, FAKE_RUN_LIVE, 0, 0.0, false },
	{ "live, lost tuples", 64, 0, FAKE_RUN_LIVE, 0, 0.0, false },
	{ "wrapped seq", 512, UINT32_MAX - 100, FAKE_RUN_ENDED, 0, 0.0, false },
	{ "out of order", 512, 0, FAKE_RUN_ENDED, 7 * STEP_NS, 0.0, false },
	{ "damaged", 512, 0, FAKE_RUN_ENDED, 0, 0.0, true },
	{ "fast clock", 512, 0, FAKE_RUN_ENDED, 0, 300.0, false },
};

#define ODDS (sizeof(odds) / sizeof(odds[0]))

/* Adds an operation, which lasts longer than most intervals of the test. */
static void
add(struct fake_run *run, const struct odd *odd, uint32_t collector, uint32_t n)
{
	uint64_t start = 20000 + (uint64_t)n * STEP_NS + collector * 10;
	struct es_tuple_path tuple = { .stop = start + 9 * STEP_NS,
		.seq = odd->seq + n,
		.op = (uint16_t)(1 + n % (2 + collector)),
		.bytes = n };

	tuple.start = n % 5 == 4 ? start - odd->mixed_ns : start;
	if (n + 1 == TUPLES)
		tuple.stop = 0;
	fake_run_add(run, collector, &tuple);
}

/* Changes a tuple in the middle of the first ring. */
static void
damage(const struct fake_run *run)
{
	struct es_space_head head;
	struct es_space_ring ring;
	char file[512];
	uint64_t start = 0;
	int fd;

	snprintf(file, sizeof(file), "%s/p0.space", fake_run_dir(run));
	fd = open(file, O_RDWR);
	EXPECT_EQ((ssize_t)sizeof(head), pread(fd, &head, sizeof(head), 0));
	EXPECT_EQ((ssize_t)sizeof(ring),
	    pread(fd, &ring, sizeof(ring), (off_t)head.collectors_offset));
	EXPECT_EQ((ssize_t)sizeof(start),
	    pwrite(fd, &start, sizeof(start),
		(off_t)(ring.ring_offset + TUPLES / 2 * ring.tuple_bytes)));
	close(fd);
}

static struct fake_run *
run_of(const struct odd *odd)
{
	struct fake_run *run = fake_run_create(map, odd->keep);

	fake_run_clock(run, 0, 0, odd->ppm);
	for (uint32_t n = 0; n < TUPLES; n++)
		for (uint32_t c = 0; c < COLLECTORS; c++)
			add(run, odd, c, n);
	fake_run_end(run, odd->state);
	if (odd->damaged)
		damage(run);
	return run;
}

/* Opens a database with the extension, and the run as the table `event`. */
static sqlite3 *
open_run(const struct fake_run *run)
{
	char *why = NULL, *sql, file[512];
	sqlite3 *db;

	EXPECT_EQ(SQLITE_OK, sqlite3_open(":memory:", &db));
	EXPECT_EQ(SQLITE_OK,
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1,
		NULL));
	snprintf(file, sizeof(file), "%s/.libs/eventspace.so", test_builddir());
	if (sqlite3_load_extension(db, file, NULL, &why) != SQLITE_OK)
		EXPECT_STR_EQ("", why);
	if (run == NULL)
		return db;
	sql = sqlite3_mprintf("CREATE VIRTUAL TABLE temp.event USING event(%Q)",
	    fake_run_dir(run));
	EXPECT_EQ(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
	sqlite3_free(sql);
	return db;
}

/* Returns the values of all rows, or the error.  The caller calls
   sqlite3_free. */
static char *
result(sqlite3 *db, const char *sql)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(s);
		for (int c = 0; rc == SQLITE_ROW && c < sqlite3_data_count(s);
		     c++)
			sqlite3_str_appendf(text, "%s%c",
			    sqlite3_column_text(s, c),
			    c + 1 < sqlite3_data_count(s) ? '|' : '\n');
	}
	if (rc != SQLITE_DONE)
		sqlite3_str_appendall(text, sqlite3_errmsg(db));
	sqlite3_finalize(s);
	return sqlite3_str_finish(text);
}

/* Checks that two queries have the same result. */
static void
same(sqlite3 *db, const char *expected, const char *sql)
{
	char *left = result(db, expected), *right = result(db, sql);

	EXPECT_STR_EQ(left == NULL ? "" : left, right == NULL ? "" : right);
	sqlite3_free(left);
	sqlite3_free(right);
}

/* Checks the result of a query. */
static void
gives(sqlite3 *db, const char *expected, const char *sql)
{
	char *text = result(db, sql);

	EXPECT_STR_EQ(expected, text == NULL ? "" : text);
	sqlite3_free(text);
}

static void
check_interval(sqlite3 *db, int64_t collector, int64_t from, int64_t to)
{
	char slow[256], fast[256], count[256];

	snprintf(slow, sizeof(slow),
	    "SELECT count(*) FROM event WHERE +collector = %lld AND"
	    " +start_ns >= %lld AND +start_ns < %lld",
	    (long long)collector, (long long)from, (long long)to);
	snprintf(fast, sizeof(fast),
	    "SELECT count(*) FROM event WHERE collector = %lld AND"
	    " start_ns >= %lld AND start_ns < %lld",
	    (long long)collector, (long long)from, (long long)to);
	snprintf(count, sizeof(count), "SELECT event_count(%lld, %lld, %lld)",
	    (long long)collector, (long long)from, (long long)to);
	same(db, slow, fast);
	same(db, slow, count);
}

/* Compares random intervals, and the edges of tuples, in runs that lost tuples,
   are live, damaged, or have times that do not ascend. */
static void
counts_are_those_of_the_slow_query(void)
{
	uint32_t state = 12345;

	for (size_t i = 0; i < ODDS; i++) {
		struct fake_run *run = run_of(&odds[i]);
		sqlite3 *db = open_run(run);

		printf("# %s\n", odds[i].name);
		for (int n = 0; n < 60; n++) {
			int64_t from, to;

			state = state * 1664525 + 1013904223;
			from = (int64_t)(state >> 8) % (TUPLES * STEP_NS + 9);
			state = state * 1664525 + 1013904223;
			to = from + (int64_t)(state >> 8) % (50 * STEP_NS);
			if (n % 2 == 0) { /* on the start of tuples */
				from = from / STEP_NS * STEP_NS;
				to = to / STEP_NS * STEP_NS;
			}
			check_interval(db, n % (COLLECTORS + 1), from, to);
		}
		if (odds[i].damaged)
			gives(db, "0\n", "SELECT count(*) = 900 FROM event");
		same(db, "SELECT count(*) FROM event",
		    "SELECT event_count(NULL, NULL, NULL)");
		EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
		fake_run_remove(run);
	}
}

static void
bounds_are_optional_and_must_be_integers(void)
{
	struct fake_run *run = run_of(&odds[0]);
	sqlite3 *db = open_run(run);

	gives(db, "300\n", "SELECT event_count(1, NULL, NULL)");
	gives(db, "299\n", "SELECT event_count(0, 20001, NULL)");
	gives(db, "3\n", "SELECT event_count(NULL, NULL, 20100)");
	/* An operation is counted where it starts, however long it lasts. */
	gives(db, "1\n", "SELECT event_count(0, 20000, 20001)");
	gives(db, "0\n", "SELECT event_count(0, 20001, 20900)");
	gives(db, "0\n", "SELECT event_count(0, 30000, 20000)");
	gives(db, "0\n", "SELECT event_count(0, 20000, -9223372036854775808)");
	gives(db, "0\n", "SELECT event_count(-1, NULL, NULL)");
	gives(db, "0\n", "SELECT event_count(4294967296, NULL, NULL)");
	gives(db, "event_count: expected integers or NULL",
	    "SELECT event_count(0, 'now', NULL)");
	gives(db, "event_count: expected integers or NULL",
	    "SELECT event_count(0, 1.5, NULL)");
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	db = open_run(NULL);
	gives(db,
	    "no run here: open its view.db, or CREATE VIRTUAL TABLE temp.event "
	    "USING event('RUN')",
	    "SELECT event_count(0, NULL, NULL)");
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

static void
rows_of_one_op_are_those_of_the_slow_query(void)
{
	static const char *const values[] = { "'write'", "'read'", "'delete'",
		"'READ'", "'READ' COLLATE NOCASE", "'none'", "3", "NULL",
		"x'77'", "1.5" };
	static const char *const more[] = { "", " AND collector = 1",
		" ORDER BY op, collector", " ORDER BY collector, start_ns" };

	for (size_t i = 0; i < ODDS; i++) {
		struct fake_run *run = run_of(&odds[i]);
		sqlite3 *db = open_run(run);

		for (size_t n = 0; n < 4 * sizeof(values) / sizeof(values[0]);
		     n++) {
			const char *value = values[n / 4];
			char slow[256], fast[256];

			snprintf(slow, sizeof(slow),
			    "SELECT op, rowid FROM event WHERE +op = %s%s",
			    value, more[n % 4]);
			snprintf(fast, sizeof(fast),
			    "SELECT op, rowid FROM event WHERE op = %s%s",
			    value, more[n % 4]);
			same(db, slow, fast);
		}
		EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
		fake_run_remove(run);
	}
}

static void
groups_by_op_are_right_and_not_sorted(void)
{
	static const char *const queries[][2] = {
		{ "SELECT +op, count(*), sum(bytes), min(rowid) FROM event"
		  " GROUP BY +op",
		    "SELECT op, count(*), sum(bytes), min(rowid) FROM event"
		    " GROUP BY op" },
		{ "SELECT op, rowid FROM event ORDER BY +op, +rowid",
		    "SELECT op, rowid FROM event ORDER BY op, rowid" },
		{ "SELECT op, collector, sum(bytes) FROM event"
		  " WHERE +start_ns > 90000 GROUP BY +op, +collector",
		    "SELECT op, collector, sum(bytes) FROM event"
		    " WHERE start_ns > 90000 GROUP BY op, collector" },
	};

	for (size_t i = 0; i < ODDS; i++) {
		struct fake_run *run = run_of(&odds[i]);
		sqlite3 *db = open_run(run);

		for (size_t q = 0; q < sizeof(queries) / sizeof(queries[0]);
		     q++) {
			char *sql = sqlite3_mprintf("EXPLAIN QUERY PLAN %s",
			    queries[q][1]);
			char *plan = result(db, sql);

			same(db, queries[q][0], queries[q][1]);
			EXPECT_TRUE(strstr(plan, "B-TREE") == NULL);
			sqlite3_free(plan);
			sqlite3_free(sql);
		}
		EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
		fake_run_remove(run);
	}
}

/* Times that do not ascend are sorted by SQLite. */
static void
rows_out_of_order_are_sorted(void)
{
	for (size_t i = 0; i < ODDS; i++) {
		struct fake_run *run = run_of(&odds[i]);
		sqlite3 *db = open_run(run);

		same(db,
		    "SELECT start_ns FROM event WHERE collector = 1"
		    " ORDER BY +start_ns",
		    "SELECT start_ns FROM event WHERE collector = 1"
		    " ORDER BY start_ns");
		EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
		fake_run_remove(run);
	}
}

TEST_MAIN(counts_are_those_of_the_slow_query,
    bounds_are_optional_and_must_be_integers,
    rows_of_one_op_are_those_of_the_slow_query,
    groups_by_op_are_right_and_not_sorted, rows_out_of_order_are_sorted)
