/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/sql_bench.c - time of queries on the table `event` for each row
 *
 * Each query runs on a table of SQLite with a copy of the rows, which is the
 * reference, and on `event`, in turns on one connection.  A ratio below 1 means
 * that `event` is faster.  Called from the build folder, it loads the extension
 * as the sqlite3 shell does.  The database is a file, with SQLite's own cache
 * of 2 MB.  `sql_bench QUERY` runs one of them.
 */

#include "tests/bench/bench.h"
#include "tests/scopes/fake_op.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4u
#define OPERATIONS 50000u /* of each thread */
#define ROUNDS 15

struct query {
	const char *what;
	const char *sql; /* %s: the table */
};

static const struct query queries[] = {
	{ "count(*)", "SELECT count(*) FROM %s" },
	{ "one sum", "SELECT sum(bytes) FROM %s" },
	{ "group by op",
	    "SELECT op, count(*), avg(duration_ns) FROM %s GROUP BY op" },
	{ "group by op, collector",
	    "SELECT op, collector, max(duration_ns) FROM %s"
	    " GROUP BY collector, op" },
	{ "group by collector",
	    "SELECT collector, sum(bytes) FROM %s GROUP BY collector" },
	{ "all columns", "SELECT * FROM %s" },
	{ "condition on a duration",
	    "SELECT count(*) FROM %s WHERE duration_ns > 3000" },
	{ "condition on an op", "SELECT sum(bytes) FROM %s WHERE op = 'read'" },
	{ "interval of a collector",
	    "SELECT sum(bytes) FROM %s WHERE collector = 2 AND"
	    " start_ns BETWEEN 200000000 AND 300000000" },
	{ "order by start_ns",
	    "SELECT start_ns, bytes FROM %s WHERE collector = 1"
	    " ORDER BY start_ns" },
};

/* Runs last, with a cache that holds the table. */
static const struct query cached = { "count(*), all in the cache,",
	"SELECT count(*) FROM %s" };

#define QUERIES (sizeof(queries) / sizeof(queries[0]))

static void
must(sqlite3 *db, int rc)
{
	if (rc == SQLITE_OK)
		return;
	fprintf(stderr, "sql_bench: %s\n", sqlite3_errmsg(db));
	exit(1);
}

/* Runs a query to its end; n is the number of rows of the table. */
static void
loop_query(void *to, unsigned n)
{
	sqlite3_stmt *s = to;

	(void)n;
	while (sqlite3_step(s) == SQLITE_ROW)
		continue;
	must(sqlite3_db_handle(s), sqlite3_reset(s));
}

static struct fake_run *
recorded(void)
{
	char map[4096] = FAKE_MAP "element e -process p -type f64*1 -keep 16\n";
	struct fake_run *fake;

	for (uint32_t t = 0; t < THREADS; t++) {
		size_t used = strlen(map);

		snprintf(map + used, sizeof(map) - used,
		    "thread t%u -process p\n"
		    "path t%u e {{collector} {element e}}\n",
		    t, t);
	}
	fake = fake_run_create(map, OPERATIONS);
	for (uint32_t t = 0; t < THREADS; t++)
		for (uint32_t seq = 0; seq < OPERATIONS; seq++) {
			uint64_t start = 1000 + t + seq * UINT64_C(10000);
			struct es_tuple_path tuple = { .start = start,
				.stop = start + 2500 + seq * 7919 % 1000,
				.seq = seq,
				.op = (uint16_t)(PATHS_WRITE + seq * 31 % 3),
				.bytes = 8,
				.step = seq / 10 };

			fake_run_add(fake, t, &tuple);
		}
	fake_run_end(fake, FAKE_RUN_ENDED);
	return fake;
}

/* Opens a database with the tables `event` and `plain`, which are equal. */
static sqlite3 *
database(const char *run)
{
	char *file = sqlite3_mprintf("%s/bench.db", run);
	char *sql =
	    sqlite3_mprintf("CREATE TABLE plain AS SELECT * FROM event");
	sqlite3 *db = NULL;

	must(db, sqlite3_open(file, &db));
	must(db,
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1,
		NULL));
	must(db, sqlite3_load_extension(db, ".libs/eventspace.so", NULL, NULL));
	must(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
	sqlite3_free(sql);
	sqlite3_free(file);
	return db;
}

static void
bench(sqlite3 *db, const struct query *query)
{
	static const char *const tables[] = { "plain", "event" };
	struct bench loops[2];
	char what[2][80];

	for (int i = 0; i < 2; i++) {
		char *sql = sqlite3_mprintf(query->sql, tables[i]);
		sqlite3_stmt *s;

		must(db, sqlite3_prepare_v2(db, sql, -1, &s, NULL));
		sqlite3_free(sql);
		snprintf(what[i], sizeof(what[i]), "%s of %s", query->what,
		    tables[i]);
		loops[i] = (struct bench){ what[i], loop_query, s,
			THREADS * OPERATIONS };
	}
	bench_run(loops, 2, ROUNDS);
	for (int i = 0; i < 2; i++)
		sqlite3_finalize(loops[i].to);
}

int
main(int argc, char **argv)
{
	struct fake_run *fake = recorded();
	sqlite3 *db = database(fake_run_dir(fake));

	bench_pin(0);
	for (size_t i = 0; i < QUERIES; i++)
		if (argc < 2 || strcmp(argv[1], queries[i].what) == 0)
			bench(db, &queries[i]);
	must(db,
	    sqlite3_exec(db, "PRAGMA cache_size = -100000", NULL, NULL, NULL));
	if (argc < 2)
		bench(db, &cached);
	must(db, sqlite3_close(db));
	fake_run_remove(fake);
	return 0;
}
