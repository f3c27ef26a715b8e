/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/model_fuzz.c - the timeline draws or refuses any rows in view.db
 *
 * Unlike store_fuzz, which damages the file, this program keeps a valid SQLite
 * file and changes the rows that a scope wrote: numbers out of range, BLOBs of
 * any size, missing and repeated rows.  The event spaces are in place.
 *
 * Input	changes of 12 bytes: table, row, column, kind of value, u64
 */

#include "viewer/event/critical.h"
#include "viewer/timeline/strips.h"

#include "tests/fuzz/fuzz.h"
#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANGE_BYTES 12u
#define CHANGES_MOST 64u

static const char map_text[] =
    FAKE_MAP_THREADS "path v e {{collector} {proxy p} {element e}}\n";

static struct fake_run *run;
static char file[300];
static unsigned char *base; /* size of the file of a scope */
static sqlite3_int64 base_bytes;

static void
fuzz_remove(void)
{
	fake_run_remove(run);
	sqlite3_free(base);
}

/* Writes a run long enough for two chunks at level 0. */
static void
fuzz_begin(void)
{
	sqlite3 *db;

	run = fake_run_create(map_text, 6000);
	MUST(atexit(fuzz_remove) == 0);
	for (uint32_t n = 0; n < 18000; n++)
		FAKE_OP(run, n % 3, WRITE, n / 3, 40 * n, 40 * n + 30 + n % 7);
	fake_run_end(run, FAKE_RUN_ENDED);
	fake_store_fill(fake_run_dir(run));
	snprintf(file, sizeof(file), "%s/view.db", fake_run_dir(run));
	MUST(sqlite3_open(file, &db) == SQLITE_OK);
	base = sqlite3_serialize(db, "main", &base_bytes, 0);
	MUST(base != NULL);
	MUST(sqlite3_close(db) == SQLITE_OK);
}

static void
fuzz_bind(sqlite3_stmt *statement, unsigned kind, uint64_t value)
{
	switch (kind % 8) {
	case 0:
		sqlite3_bind_int64(statement, 1, (sqlite3_int64)value);
		break;
	case 1:
		sqlite3_bind_int64(statement, 1, (sqlite3_int64)(value % 64));
		break;
	case 2:
		sqlite3_bind_int64(statement, 1,
		    (sqlite3_int64)(UINT64_C(1) << value % 64));
		break;
	case 3:
		sqlite3_bind_int64(statement, 1, -(sqlite3_int64)(value % 64));
		break;
	case 4:
		sqlite3_bind_double(statement, 1, (double)value);
		break;
	case 5:
		sqlite3_bind_text(statement, 1, "1e9", -1, SQLITE_STATIC);
		break;
	case 6:
		sqlite3_bind_zeroblob(statement, 1, (int)(value % 20000));
		break;
	default:
		break; /* NULL */
	}
}

/* Returns SQL that changes a column of a table, or its row. */
static char *
fuzz_sql(const char *table, const char *column, unsigned row, unsigned kind)
{
	char *where =
	    sqlite3_mprintf("(SELECT rowid FROM %s LIMIT 1 OFFSET %u %% "
			    "max(1, (SELECT count(*) FROM %s)))",
		table, row, table);
	char *sql;

	if (kind % 10 == 8)
		sql = sqlite3_mprintf("DELETE FROM %s WHERE rowid = %s", table,
		    where);
	else if (kind % 10 == 9)
		sql = sqlite3_mprintf("INSERT OR IGNORE INTO %s "
				      "SELECT * FROM %s WHERE rowid = %s",
		    table, table, where);
	else
		sql = sqlite3_mprintf("UPDATE OR IGNORE %s SET %s = ?1 "
				      "WHERE rowid = %s",
		    table, column, where);
	sqlite3_free(where);
	return sql;
}

static void
fuzz_change(sqlite3 *db, const uint8_t *change)
{
	static const char *const tables[][10] = {
		{ "meta", "key", "value" },
		{ "host", "host", "name" },
		{ "process", "process", "host", "name" },
		{ "thread", "thread", "process", "name" },
		{ "collector", "collector", "process", "tuples", "discarded",
		    "thread", "head" },
		{ "timebase", "process", "origin_ticks", "origin_ns", "scale",
		    "piece" },
		{ "timeline_row", "row", "kind", "id", "threads", "bucket_ns",
		    "buckets", "levels", "class" },
		{ "timeline_level", "row", "level", "chunk", "data" },
		{ "timeline_group", "row", "level", "chunk", "class", "data" },
		{ "timeline_wait", "row", "level", "chunk", "class", "data" },
		{ "timeline_span", "thread", "start_ns", "stop_ns", "waits",
		    "data" },
		{ "critical_hop", "thread", "start_ns", "stop_ns" },
	};
	const char *const *table =
	    tables[change[0] % (sizeof(tables) / sizeof(tables[0]))];
	sqlite3_stmt *statement;
	unsigned columns = 1;
	uint64_t value;
	char *sql;

	while (columns < 9 && table[columns + 1] != NULL)
		columns++;
	memcpy(&value, change + 4, sizeof(value));
	sql = fuzz_sql(table[0], table[1 + change[2] % columns], change[1],
	    change[3]);
	MUST(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
	if (sqlite3_bind_parameter_count(statement) > 0)
		fuzz_bind(statement, change[3] % 10, value);
	(void)sqlite3_step(statement);
	(void)sqlite3_finalize(statement);
	sqlite3_free(sql);
}

static void
fuzz_write(sqlite3 *db)
{
	sqlite3_int64 bytes;
	unsigned char *image = sqlite3_serialize(db, "main", &bytes, 0);
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	MUST(image != NULL && fd >= 0);
	MUST(write(fd, image, (size_t)bytes) == (ssize_t)bytes);
	MUST(close(fd) == 0);
	sqlite3_free(image);
}

static void
fuzz_make(const uint8_t *bytes, size_t size)
{
	unsigned char *image = sqlite3_malloc64((sqlite3_uint64)base_bytes);
	sqlite3 *db;

	MUST(image != NULL);
	memcpy(image, base, (size_t)base_bytes);
	MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
	MUST(sqlite3_deserialize(db, "main", image, base_bytes, base_bytes,
		 SQLITE_DESERIALIZE_FREEONCLOSE |
		     SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
	for (size_t n = 0; n < CHANGES_MOST && (n + 1) * CHANGE_BYTES <= size;
	     n++)
		fuzz_change(db, bytes + n * CHANGE_BYTES);
	fuzz_write(db);
	MUST(sqlite3_close(db) == SQLITE_OK);
}

static void
fuzz_look(struct esv_model *model)
{
	static const double parts[] = { 1.5, 0.9, 0.02, 1e-4, 1e-7 };
	struct esv_strips strips = { 0 };
	struct esv_links links = { 0 };
	uint32_t *rows = calloc(model->row_count, sizeof(*rows));
	double span = (double)model->span_ns;

	MUST(rows != NULL);
	for (uint32_t n = 0; n < model->row_count; n++) {
		MUST(n == 0 || model->rows[n].parent < n);
		MUST(model->rows[n].name != NULL);
		rows[n] = n;
	}
	for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
		struct esv_window window = { -0.1 * span * parts[n],
			span * parts[n] + 1, 300,
			n % 2 == 0 ? ESV_BY_GROUP : ESV_BY_SHARE, 0 };

		if (esv_strips_fill(model, &window, rows, model->row_count,
			&strips) != PATHS_OK ||
		    esv_event_critical(model, &window, &links) != PATHS_OK)
			break;
		for (size_t s = 0; s < strips.count; s++)
			MUST(strips.strips[s].row < model->row_count &&
			    strips.strips[s].x0 < strips.strips[s].x1 &&
			    strips.strips[s].x1 <= 300 &&
			    strips.strips[s].grey < ESV_GREYS);
	}
	for (size_t n = 0; n < links.count; n++)
		MUST(links.links[n].from_row < model->row_count &&
		    links.links[n].from_ns <= links.links[n].to_ns);
	esv_links_fini(&links);
	esv_strips_fini(&strips);
	free(rows);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct esv_model *model;

	if (run == NULL)
		fuzz_begin();
	fuzz_make(bytes, size);
	if (esv_model_open(file, &model) != PATHS_OK)
		return 0;
	fuzz_look(model);
	esv_model_close(model);
	return 0;
}
