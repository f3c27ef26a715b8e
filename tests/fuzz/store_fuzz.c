/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/store_fuzz.c - the reader of view.db takes or refuses any bytes
 *
 * A database that opens is read as by eventspace show: the schema, the tables
 * of every view.db, and the virtual table `event` of the run it names.
 */

#include "scopes/rows.h"
#include "scopes/store.h"

#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MUST(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

static char file[300];

static void
fuzz_remove(void)
{
	(void)unlink(file);
}

/* Writes the input into the one file of all inputs: SQLite opens by name. */
static void
fuzz_put(const uint8_t *bytes, size_t size)
{
	const char *top = getenv("TMPDIR");
	int fd;

	if (file[0] == '\0') {
		snprintf(file, sizeof(file), "%s/store_fuzz.%ld",
		    top != NULL && *top != '\0' ? top : "/tmp", (long)getpid());
		MUST(atexit(fuzz_remove) == 0);
	}
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0);
	MUST(write(fd, bytes, size) == (ssize_t)size);
	MUST(close(fd) == 0);
}

static void
fuzz_read(struct es_rows *rows)
{
	unsigned columns = es_rows_columns(rows);
	struct es_value value;

	while (es_rows_next(rows) == PATHS_OK)
		for (unsigned i = 0; i < columns; i++) {
			MUST(es_rows_name(rows, i) != NULL);
			es_rows_get(rows, i, &value);
			MUST(value.kind != ES_TEXT || value.as.text != NULL);
		}
	es_rows_close(rows);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const queries[] = {
		"SELECT * FROM sqlite_schema LIMIT 100",
		"SELECT * FROM meta LIMIT 100",
		"SELECT * FROM thread LIMIT 100",
		"SELECT max(abs(wait_ns)) FROM load_balance",
		"SELECT * FROM load_balance ORDER BY wait_ns LIMIT 100",
		"SELECT * FROM event WHERE collector = 1 LIMIT 10",
	};
	struct es_store *store;
	struct es_rows *rows;

	fuzz_put(bytes, size);
	if (es_store_open(file, &store) != PATHS_OK)
		return 0;
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		if (es_rows_open(store, queries[i], &rows, NULL) == PATHS_OK)
			fuzz_read(rows);
	es_store_close(store);
	return 0;
}
