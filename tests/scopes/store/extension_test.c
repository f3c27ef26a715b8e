/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/store/extension_test.c - queries on the table `event` are right
 *
 * Their results are compared with those of a loop in C over all tuples, which
 * uses no plan.
 */

#include "tests/scopes/fake_run.h"

#include "scopes/analysis.h"
#include "scopes/store.h"

#include "tests/scopes/fail_alloc_private.h"
#include "tests/test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLLECTORS 4
#define TUPLES 200
#define STEP_NS 1000

static const char map[] =
    "pathmap 1\n"
    "plugin  libcollectors.so.0\n"
    "host    odin\n"
    "host    thor\n"
    "process p0    -host odin -listen tcp:0\n"
    "process p1    -host thor\n"
    "thread  t0    -process p0\n"
    "thread  t1    -process p1\n"
    "element total -process p0 -type f64*1 -keep 16\n"
    "path    t0 total {{collector} {collector} {element total}}\n"
    "path    t1 total {{collector} {proxy p0} {collector} {element total}}\n";

/* Returns a tuple.  The times of a collector are within those of the one above,
   with equal distances on both passes, so the clocks agree. */
static struct es_tuple_path
tuple_of(uint32_t collector, uint32_t seq)
{
	uint64_t start = 10000 + (uint64_t)seq * STEP_NS + collector * 10;
	uint64_t stop = start + 100 + seq % 7 - collector * 20;

	return (struct es_tuple_path){ .start = start,
		.stop = seq == TUPLES - 1 ? 0 : stop,
		.seq = seq,
		.op = (uint16_t)(1 + seq % 4),
		.status = (uint16_t)(seq % 3),
		.element = collector,
		.bytes = seq * 8,
		.step = seq / 10 };
}

static struct fake_run *
run_of(uint32_t tuples, uint64_t keep)
{
	struct fake_run *run = fake_run_create(map, keep);

	for (uint32_t seq = 0; seq < tuples; seq++)
		for (uint32_t c = 0; c < COLLECTORS; c++) {
			struct es_tuple_path tuple = tuple_of(c, seq);

			fake_run_add(run, c, &tuple);
		}
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

/* Opens a database and loads the extension into it. */
static sqlite3 *
open_database(const char *file)
{
	char extension[512];
	char *why = NULL;
	sqlite3 *db;

	EXPECT_EQ(SQLITE_OK, sqlite3_open(file, &db));
	EXPECT_EQ(SQLITE_OK,
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1,
		NULL));
	snprintf(extension, sizeof(extension), "%s/.libs/eventspace.so",
	    test_builddir());
	if (sqlite3_load_extension(db, extension, NULL, &why) != SQLITE_OK)
		EXPECT_STR_EQ("", why);
	return db;
}

static sqlite3 *
open_run(const struct fake_run *run)
{
	sqlite3 *db = open_database(":memory:");
	char *sql =
	    sqlite3_mprintf("CREATE VIRTUAL TABLE temp.e USING event(%Q)",
		fake_run_dir(run));

	EXPECT_EQ(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
	sqlite3_free(sql);
	return db;
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		EXPECT_STR_EQ("", sqlite3_errmsg(db));
	return s;
}

static int64_t
number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = prepare(db, sql);
	int64_t n;

	if (sqlite3_step(s) != SQLITE_ROW)
		EXPECT_STR_EQ("", sqlite3_errmsg(db));
	n = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return n;
}

/* Returns the error of a query, or "".  The next call overwrites it. */
static const char *
failure(sqlite3 *db, const char *sql)
{
	static char text[512];
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

	while (rc == SQLITE_OK || rc == SQLITE_ROW)
		rc = sqlite3_step(s);
	snprintf(text, sizeof(text), "%s",
	    rc == SQLITE_DONE ? "" : sqlite3_errmsg(db));
	sqlite3_finalize(s);
	return text;
}

/* Comparisons of a key, in SQL and in C. */
enum compare { NONE, EQ, LT, LE, GT, GE, COMPARES };

static const char *const operators
    [] = { [EQ] = "=", [LT] = "<", [LE] = "<=", [GT] = ">", [GE] = ">=" };

static bool
holds(int64_t left, enum compare how, double right)
{
	double value = (double)left;

	return how == NONE || (how == EQ && value == right) ||
	    (how == LT && value < right) || (how == LE && value <= right) ||
	    (how == GT && value > right) || (how == GE && value >= right);
}

struct condition {
	enum compare how[3]; /* of collector, seq, start_ns */
	double value[3];
};

static char *
condition_sql(const struct condition *c)
{
	static const char *const columns[] = { "collector", "seq", "start_ns" };
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendall(sql,
	    "SELECT count(*), total(seq * 7 + collector) FROM e WHERE 1");
	for (int i = 0; i < 3; i++)
		if (c->how[i] != NONE)
			sqlite3_str_appendf(sql, " AND %s %s %.17g", columns[i],
			    operators[c->how[i]], c->value[i]);
	return sqlite3_str_finish(sql);
}

/* Computes the result that the query must have. */
static void
condition_expect(const struct condition *c, int64_t *count, double *sum)
{
	*count = 0;
	*sum = 0;
	for (uint32_t k = 0; k < COLLECTORS; k++)
		for (uint32_t seq = 0; seq < TUPLES; seq++) {
			struct es_tuple_path t = tuple_of(k, seq);

			if (!holds(k, c->how[0], c->value[0]) ||
			    !holds(seq, c->how[1], c->value[1]) ||
			    !holds((int64_t)t.start, c->how[2], c->value[2]))
				continue;
			++*count;
			*sum += seq * 7 + k;
		}
}

static void
condition_check(sqlite3 *db, const struct condition *c)
{
	char *sql = condition_sql(c);
	sqlite3_stmt *s = prepare(db, sql);
	int64_t count;
	double sum;

	condition_expect(c, &count, &sum);
	EXPECT_EQ(SQLITE_ROW, sqlite3_step(s));
	if (count != sqlite3_column_int64(s, 0))
		printf("# %s\n", sql);
	EXPECT_EQ(count, sqlite3_column_int64(s, 0));
	EXPECT_NEAR(sum, sqlite3_column_double(s, 1), 0.0);
	sqlite3_finalize(s);
	sqlite3_free(sql);
}

/* Combines all comparisons of the three keys, inside and outside the range of
   their values. */
static void
conditions_select_the_same_rows_as_a_loop(void)
{
	static const double values[][3] = {
		{ 2, 57, 10000 + 57 * STEP_NS + 20 }, /* a tuple */
		{ 0, 0, 10000 },		      /* the first */
		{ 3, TUPLES - 1, 10000 + (TUPLES - 1) * STEP_NS + 30 },
		{ -1, -1, -1 },
		{ 9, 1e6, 1e12 },
		{ 1.5, 56.5, 66000.5 }, /* between two */
		{ 1e300, -1e300, 1e300 },
		{ 1, 10, -1e15 }, /* before the clock was 0 */
		{ 1, 10, 1e18 },
	};
	struct fake_run *run = run_of(TUPLES, 1024);
	sqlite3 *db = open_run(run);

	for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
		for (int n = 0; n < COMPARES * COMPARES * COMPARES; n++) {
			struct condition c = { .how = { n % COMPARES,
						   n / COMPARES % COMPARES,
						   n / COMPARES / COMPARES } };

			memcpy(c.value, values[v], sizeof(c.value));
			condition_check(db, &c);
		}
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

static void
comparisons_with_other_types_are_those_of_sqlite(void)
{
	struct fake_run *run = run_of(TUPLES, 1024);
	sqlite3 *db = open_run(run);

	EXPECT_EQ(4, number(db, "SELECT count(*) FROM e WHERE seq = '57'"));
	EXPECT_EQ(0, number(db, "SELECT count(*) FROM e WHERE seq = NULL"));
	EXPECT_EQ(0, number(db, "SELECT count(*) FROM e WHERE seq > NULL"));
	EXPECT_EQ(800, number(db, "SELECT count(*) FROM e WHERE seq < 'x'"));
	EXPECT_EQ(0, number(db, "SELECT count(*) FROM e WHERE seq > x'00'"));
	EXPECT_EQ(8,
	    number(db, "SELECT count(*) FROM e WHERE seq IN (3, 5, 3000)"));
	EXPECT_EQ(2,
	    number(db,
		"SELECT count(*) FROM e WHERE collector IN"
		" (1, 3, 77) AND seq = 8"));
	EXPECT_EQ(20,
	    number(db,
		"SELECT count(*) FROM e WHERE seq BETWEEN 10"
		" AND 14"));
	EXPECT_EQ(7,
	    number(db,
		"SELECT count(*) FROM e WHERE seq = 3 OR"
		" (seq > 196 AND collector = 1)"));
	EXPECT_EQ(0,
	    number(db,
		"SELECT count(*) FROM e WHERE start_ns >"
		" 9223372036854775807"));
	EXPECT_EQ(800,
	    number(db,
		"SELECT count(*) FROM e WHERE start_ns >="
		" -9223372036854775807 - 1"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* Returns the number of steps of SQLite's virtual machine for a query. */
static int
steps(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = prepare(db, sql);
	int taken;

	while (sqlite3_step(s) == SQLITE_ROW)
		continue;
	taken = sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 0);
	sqlite3_finalize(s);
	return taken;
}

/* Without a plan for seq the join of 20,000 tuples reads 400 million rows. */
static void
a_join_on_seq_does_not_scan(void)
{
	struct fake_run *run = run_of(20000, 32768);
	sqlite3 *db = open_run(run);

	EXPECT_TRUE(
	    steps(db,
		"SELECT count(*) FROM e a JOIN e b ON b.seq = a.seq"
		" WHERE a.collector = 0 AND b.collector = 1") < 20000 * 20);
	EXPECT_EQ(20000,
	    number(db,
		"SELECT count(*) FROM e a JOIN e b ON b.seq = a.seq"
		" WHERE a.collector = 0 AND b.collector = 1"));
	EXPECT_TRUE(
	    steps(db, "SELECT bytes FROM e WHERE collector = 2 AND seq = 9") <
	    50);
	EXPECT_TRUE(steps(db,
			"SELECT bytes FROM e WHERE collector = 2 AND"
			" start_ns BETWEEN 5000000 AND 5009999") < 200);
	/* The table with bounds is read first. */
	EXPECT_TRUE(steps(db,
			"SELECT count(*) FROM e a JOIN e b ON b.seq = a.seq"
			" WHERE a.collector = 0 AND b.collector = 1 AND"
			" b.start_ns BETWEEN 5000000 AND 5009999") < 2000);
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* Returns true if SQLite sorts the rows of a query. */
static bool
sorts(sqlite3 *db, const char *sql)
{
	char *explain = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
	sqlite3_stmt *s = prepare(db, explain);
	bool found = false;

	while (sqlite3_step(s) == SQLITE_ROW)
		found = found ||
		    strstr((const char *)sqlite3_column_text(s, 3),
			"TEMP B-TREE") != NULL;
	sqlite3_finalize(s);
	sqlite3_free(explain);
	return found;
}

/* Returns true if the numbers in the first column ascend. */
static bool
ascends(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = prepare(db, sql);
	int64_t last = INT64_MIN;
	bool good = true;

	while (sqlite3_step(s) == SQLITE_ROW) {
		good = good && sqlite3_column_int64(s, 0) >= last;
		last = sqlite3_column_int64(s, 0);
	}
	sqlite3_finalize(s);
	return good;
}

static void
rows_that_are_in_order_are_not_sorted(void)
{
	static const char *const in_order[] = {
		"SELECT start_ns FROM e WHERE collector = 1 ORDER BY start_ns",
		"SELECT seq FROM e WHERE collector = 1 ORDER BY seq, start_ns",
		"SELECT collector FROM e ORDER BY collector, start_ns",
		"SELECT rowid FROM e ORDER BY rowid",
		"SELECT collector FROM e GROUP BY collector",
	};
	static const char *const mixed[] = {
		"SELECT start_ns FROM e ORDER BY start_ns",
		"SELECT seq FROM e ORDER BY seq, collector",
		"SELECT -seq FROM e WHERE collector = 1 ORDER BY seq DESC",
		"SELECT bytes FROM e ORDER BY bytes",
		"SELECT seq FROM e WHERE collector IN (1, 2) ORDER BY seq",
	};
	struct fake_run *run = run_of(TUPLES, 1024);
	sqlite3 *db = open_run(run);

	for (size_t i = 0; i < sizeof(in_order) / sizeof(in_order[0]); i++) {
		EXPECT_TRUE(!sorts(db, in_order[i]));
		EXPECT_TRUE(ascends(db, in_order[i]));
	}
	for (size_t i = 0; i < sizeof(mixed) / sizeof(mixed[0]); i++) {
		EXPECT_TRUE(sorts(db, mixed[i]));
		EXPECT_TRUE(ascends(db, mixed[i]));
	}
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* The oldest tuples were discarded: numbers go on, and no tuple comes twice. */
static void
a_full_ring_shows_its_retained_tuples(void)
{
	struct fake_run *run = run_of(TUPLES, 64);
	sqlite3 *db = open_run(run);

	EXPECT_EQ(64, number(db, "SELECT count(*) FROM e WHERE collector = 3"));
	EXPECT_EQ(136,
	    number(db, "SELECT min(seq) FROM e WHERE collector = 3"));
	EXPECT_EQ(0, number(db, "SELECT count(*) FROM e WHERE seq = 135"));
	EXPECT_EQ(4, number(db, "SELECT count(*) FROM e WHERE seq = 136"));
	EXPECT_EQ(256, number(db, "SELECT count(DISTINCT rowid) FROM e"));
	EXPECT_EQ((INT64_C(2) << 40) + 199,
	    number(db, "SELECT max(rowid) FROM e WHERE collector = 2"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

static void
each_column_has_the_recorded_value(void)
{
	struct fake_run *run = run_of(TUPLES, 1024);
	sqlite3 *db = open_run(run);

	EXPECT_EQ(1,
	    number(db,
		"SELECT start_ns = 60010 AND stop_ns = 60091 AND"
		" duration_ns = 81"
		" AND op = 'exchange' AND op_code = 3 AND status = 2 AND"
		" element = 1 AND bytes = 400 AND step = 5"
		" FROM e WHERE collector = 1 AND seq = 50"));
	EXPECT_EQ(1,
	    number(db,
		"SELECT stop_ns IS NULL AND duration_ns IS NULL"
		" FROM e WHERE collector = 1 AND seq = 199"));
	EXPECT_EQ(4, number(db, "SELECT count(DISTINCT op) FROM e"));
	EXPECT_EQ(10,
	    number(db, "SELECT count(*) FROM pragma_table_info('e')"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

static const struct es_tuple_field odd_fields[] = {
	{ "start", PATHS_TYPE_U64, 0, 8, "ticks", "when" },
	{ "seq", PATHS_TYPE_U32, 8, 4, "", "number" },
	{ "i8", PATHS_TYPE_I8, 12, 1, "", "" },
	{ "u8", PATHS_TYPE_U8, 13, 1, "", "" },
	{ "i16", PATHS_TYPE_I16, 14, 2, "", "" },
	{ "f32", PATHS_TYPE_F32, 16, 4, "", "" },
	{ "f64", PATHS_TYPE_F64, 20, 8, "", "" },
	{ "half", PATHS_TYPE_U64, 28, 8, "ticks", "a stamp between" },
	{ "a \"b", PATHS_TYPE_I32, 36, 4, "", "a name that must be quoted" },
	{ "op", PATHS_TYPE_U16, 40, 2, "", "" },
	{ "u16", PATHS_TYPE_U16, 42, 2, "", "" },
};

static const struct es_tuple_type odd_type = { .name = "odd",
	.about = "every kind of field",
	.bytes = 44,
	.field_count = sizeof(odd_fields) / sizeof(odd_fields[0]),
	.fields = odd_fields };

struct odd_tuple {
	uint64_t start;
	uint32_t seq;
	int8_t i8;
	uint8_t u8;
	int16_t i16;
	float f32;
	double f64;
	uint64_t half;
	int32_t ab;
	uint16_t op;
	uint16_t u16;
} __attribute__((packed, aligned(4)));

static void
fields_of_another_tuple_type_are_columns(void)
{
	struct odd_tuple odd = { .start = 1000,
		.seq = 0,
		.i8 = -8,
		.u8 = 250,
		.i16 = -16,
		.f32 = 0.5f,
		.f64 = -0.25,
		.half = 0,
		.ab = -5,
		.op = 77,
		.u16 = 65535 };
	struct fake_run *run = fake_run_create_of(map, 64, &odd_type);
	sqlite3 *db;

	fake_run_add_raw(run, 0, &odd);
	fake_run_end(run, FAKE_RUN_ENDED);
	db = open_run(run);
	EXPECT_EQ(1,
	    number(db,
		"SELECT start_ns = 1000 AND seq = 0 AND i8 = -8 AND"
		" u8 = 250 AND"
		" i16 = -16 AND f32 = 0.5 AND f64 = -0.25 AND"
		" half_ns IS NULL AND"
		" \"a \"\"b\" = -5 AND op = 77 AND u16 = 65535 FROM e"));
	EXPECT_EQ(1,
	    number(db,
		"SELECT stop_ns IS NULL AND duration_ns IS NULL"
		" AND bytes IS NULL AND step IS NULL FROM e"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* After 2^32 operations the seq of tuples starts at 0; that of rows goes on. */
static void
tuples_are_found_after_seq_has_wrapped(void)
{
	struct fake_run *run = fake_run_create(map, 64);
	sqlite3 *db;

	for (uint32_t i = 0; i < 20; i++) {
		struct es_tuple_path t = { .start = i * 1000 + 1000,
			.stop = i * 1000 + 1500,
			.seq = UINT32_MAX - 9 + i,
			.op = 3 };

		fake_run_add(run, 0, &t);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	db = open_run(run);
	EXPECT_EQ(1,
	    number(db, "SELECT count(*) FROM e WHERE seq = 4294967299"));
	EXPECT_EQ(0, number(db, "SELECT count(*) FROM e WHERE seq = 3"));
	EXPECT_EQ(10,
	    number(db, "SELECT count(*) FROM e WHERE seq < 4294967296"));
	EXPECT_EQ(9,
	    number(db, "SELECT count(*) FROM e WHERE seq > 4294967296"));
	EXPECT_EQ(5,
	    number(db,
		"SELECT count(*) FROM e"
		" WHERE seq BETWEEN 4294967294 AND 4294967298"));
	EXPECT_TRUE(
	    ascends(db, "SELECT seq FROM e WHERE collector = 0 ORDER BY seq"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* The clock of thor is wrong by an offset that the operations of p1 show. */
static void
times_are_on_one_clock(void)
{
	struct fake_run *run = fake_run_create(map, 64);
	sqlite3 *db;

	fake_run_clock(run, 1, 123456789, 0.0);
	for (uint32_t seq = 0; seq < 8; seq++) {
		struct es_tuple_path t = { .start = seq * 1000 + 1000,
			.stop = seq * 1000 + 1500,
			.seq = seq,
			.op = 3 };

		fake_run_add(run, 2, &t);
		t.start += 100;
		t.stop -= 100;
		fake_run_add(run, 3, &t);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	db = open_run(run);
	EXPECT_EQ(8,
	    number(db,
		"SELECT count(*) FROM e a JOIN e b USING (seq) WHERE"
		" a.collector = 2 AND b.collector = 3 AND"
		" b.start_ns - a.start_ns = 100 AND"
		" a.stop_ns - b.stop_ns = 100"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* A table without a run can be created; reading it fails. */
static void
a_missing_run_or_space_is_an_error_of_the_query(void)
{
	sqlite3 *db = open_database(":memory:");
	struct fake_run *run = run_of(4, 64);
	char file[512];

	EXPECT_TRUE(
	    strstr(failure(db, "SELECT * FROM event"), "no run") != NULL);
	EXPECT_STR_EQ("",
	    failure(db,
		"CREATE VIRTUAL TABLE temp.gone USING"
		" event('/nonexistent/run')"));
	EXPECT_TRUE(strstr(failure(db, "SELECT * FROM gone"),
			"/nonexistent/run") != NULL);
	EXPECT_STR_EQ("",
	    failure(db,
		"SELECT name FROM pragma_table_info("
		"'gone')"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	snprintf(file, sizeof(file), "%s/p0.space", fake_run_dir(run));
	EXPECT_EQ(0, truncate(file, 100));
	db = open_run(run);
	/* Collectors 0, 1 and 3 are in p0. */
	EXPECT_EQ(4, number(db, "SELECT count(*) FROM e"));
	EXPECT_EQ(0, number(db, "SELECT count(*) FROM e WHERE collector = 0"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	snprintf(file, sizeof(file), "%s/p1.space", fake_run_dir(run));
	EXPECT_EQ(0, unlink(file));
	db = open_run(run);
	EXPECT_TRUE(
	    strstr(failure(db, "SELECT count(*) FROM e"), "event: ") != NULL);
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

static void
the_table_cannot_be_changed(void)
{
	struct fake_run *run = run_of(4, 64);
	sqlite3 *db = open_run(run);

	EXPECT_TRUE(failure(db, "DELETE FROM e")[0] != '\0');
	EXPECT_TRUE(failure(db, "UPDATE e SET bytes = 1")[0] != '\0');
	EXPECT_TRUE(failure(db, "INSERT INTO e(seq) VALUES (1)")[0] != '\0');
	EXPECT_EQ(16, number(db, "SELECT count(*) FROM e"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

static void
write_view_db(const struct fake_run *fake, const char *file)
{
	struct es_analysis *analysis;
	struct es_store *store;
	struct es_run *run;

	EXPECT_OK(es_run_open(fake_run_dir(fake), &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_run(store, analysis));
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
	es_analysis_close(analysis);
	es_run_close(run);
}

/* A view.db has the name of its run and the clock of its views. */
static void
the_run_of_a_view_db_is_found(void)
{
	struct fake_run *run = run_of(TUPLES, 1024);
	char file[512];
	char sql[600];
	sqlite3 *db;

	snprintf(file, sizeof(file), "%s/view.db", fake_run_dir(run));
	write_view_db(run, file);
	db = open_database(file);
	EXPECT_EQ(800, number(db, "SELECT count(*) FROM event"));
	EXPECT_EQ(60010,
	    number(db,
		"SELECT start_ns FROM event WHERE"
		" collector = 1 AND seq = 50"));
	EXPECT_EQ(SQLITE_OK,
	    sqlite3_exec(db, "UPDATE timebase SET origin_ns = origin_ns + 5",
		NULL, NULL, NULL));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	db = open_database(file);
	EXPECT_EQ(60015,
	    number(db,
		"SELECT start_ns FROM event WHERE"
		" collector = 1 AND seq = 50"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	db = open_database(":memory:");
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS other", file);
	EXPECT_STR_EQ("", failure(db, sql));
	EXPECT_EQ(200,
	    number(db,
		"SELECT count(*) FROM other.event WHERE"
		" collector = 0"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	fake_run_remove(run);
}

/* A table timebase with extreme numbers causes no crash. */
static void
a_damaged_timebase_causes_no_crash(void)
{
	static const char *const lies[] = {
		"UPDATE timebase SET scale = 0",
		"UPDATE timebase SET scale = -1",
		"UPDATE timebase SET scale = 9223372036854775807",
		"UPDATE timebase SET origin_ns = 9223372036854775807",
		"UPDATE timebase SET origin_ticks = 'x', scale = x'00'",
		"UPDATE timebase SET process = process + 4294967296",
		"DROP TABLE timebase",
	};
	struct fake_run *run = run_of(TUPLES, 1024);
	char file[512];

	snprintf(file, sizeof(file), "%s/view.db", fake_run_dir(run));
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		sqlite3 *db;

		write_view_db(run, file);
		db = open_database(file);
		EXPECT_EQ(SQLITE_OK,
		    sqlite3_exec(db, lies[i], NULL, NULL, NULL));
		EXPECT_EQ(800, number(db, "SELECT count(*) FROM event"));
		(void)number(db,
		    "SELECT total(start_ns + duration_ns)"
		    " FROM event WHERE start_ns < 60000");
		EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	}
	fake_run_remove(run);
}

/* Number of allocations until one fails; -1: it has failed. */
static long fail_in_query = -1;

static int
try_to_query(const char *file)
{
	sqlite3 *db = open_database(file);
	sqlite3_stmt *s = NULL;
	int rc;

	fail_in = fail_in_query;
	rc = sqlite3_prepare_v2(db,
	    "SELECT op, median(duration_ns), percentile(seq, 9),"
	    " stdev(start_ns), readable_ns(sum(bytes)) FROM event"
	    " WHERE collector = 2 AND seq > 50 GROUP BY op",
	    -1, &s, NULL);
	while (rc == SQLITE_OK || rc == SQLITE_ROW)
		rc = sqlite3_step(s);
	sqlite3_finalize(s);
	fail_in_query = fail_in;
	fail_in = -1;
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
	return rc;
}

/* Fails each allocation of SQLite in turn. */
static void
a_failed_allocation_is_an_error_of_the_query(void)
{
	struct fake_run *run = run_of(TUPLES, 1024);
	char file[512];
	int rc = SQLITE_NOMEM;

	snprintf(file, sizeof(file), "%s/view.db", fake_run_dir(run));
	write_view_db(run, file);
	fail_begin();
	for (long n = 0; fail_in_query < 0; n++) {
		fail_in_query = n;
		rc = try_to_query(file);
		EXPECT_TRUE(rc == SQLITE_DONE || rc == SQLITE_NOMEM ||
		    rc == SQLITE_ERROR);
	}
	EXPECT_EQ(SQLITE_DONE, rc);
	fail_end();
	fake_run_remove(run);
}

TEST_MAIN(conditions_select_the_same_rows_as_a_loop,
    comparisons_with_other_types_are_those_of_sqlite,
    a_join_on_seq_does_not_scan, rows_that_are_in_order_are_not_sorted,
    a_full_ring_shows_its_retained_tuples, each_column_has_the_recorded_value,
    fields_of_another_tuple_type_are_columns,
    tuples_are_found_after_seq_has_wrapped, times_are_on_one_clock,
    a_missing_run_or_space_is_an_error_of_the_query,
    the_table_cannot_be_changed, the_run_of_a_view_db_is_found,
    a_damaged_timebase_causes_no_crash,
    a_failed_allocation_is_an_error_of_the_query)
