/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/store/extension_mpi_test.c - the table `event` shows MPI calls
 */

#include "tests/scopes/fake_mpi.h"

#include "tests/test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the rows of a query, "a|b\n" each, NULL as "".  The next call
   overwrites them. */
static const char *
rows(const struct fake_mpi *fake, const char *sql)
{
	static char text[1024];
	char file[512], *why = NULL;
	sqlite3_stmt *s = NULL;
	sqlite3 *db;
	size_t length = 0;

	EXPECT_EQ(SQLITE_OK, sqlite3_open(":memory:", &db));
	EXPECT_EQ(SQLITE_OK,
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1,
		NULL));
	snprintf(file, sizeof(file), "%s/.libs/eventspace.so", test_builddir());
	if (sqlite3_load_extension(db, file, NULL, &why) != SQLITE_OK)
		EXPECT_STR_EQ("", why);
	snprintf(text, sizeof(text),
	    "CREATE VIRTUAL TABLE temp.e USING event('%s')",
	    fake_mpi_dir(fake));
	EXPECT_EQ(SQLITE_OK, sqlite3_exec(db, text, NULL, NULL, NULL));
	snprintf(text, sizeof(text),
	    "CREATE VIRTUAL TABLE temp.p USING event_part('%s')",
	    fake_mpi_dir(fake));
	EXPECT_EQ(SQLITE_OK, sqlite3_exec(db, text, NULL, NULL, NULL));
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		EXPECT_STR_EQ("", sqlite3_errmsg(db));
	text[0] = '\0';
	while (sqlite3_step(s) == SQLITE_ROW) {
		for (int c = 0; c < sqlite3_column_count(s); c++) {
			const char *value =
			    (const char *)sqlite3_column_text(s, c);

			length += (size_t)snprintf(text + length,
			    sizeof(text) - length, "%s%s", c > 0 ? "|" : "",
			    value == NULL ? "" : value);
		}
		length += (size_t)snprintf(text + length, sizeof(text) - length,
		    "\n");
	}
	sqlite3_finalize(s);
	sqlite3_close(db);
	return text;
}

static void
calls_have_names_and_numbers_of_the_run(void)
{
	struct fake_mpi *fake = fake_mpi_create(3, 8);
	const int32_t members[] = { 2, 0 };
	const struct es_mpi_frame frame[] = { { .module = UINT32_MAX,
						  .offset = 16 },
		{ .module = FAKE_MPI_NO_FRAME } };
	struct es_mpi_comm comm = { .id = 9, .size = 2 };
	struct es_tuple_mpi call = { .start = 100,
		.stop = 150,
		.seq = 1,
		.op = (uint16_t)es_mpi_function_find("MPI_Send"),
		.comm = 9,
		.peer = 2,
		.tag = 5,
		.bytes = 64,
		.site = 7,
		.match = 3 };

	fake_mpi_comm(fake, 0, &comm, members, "");
	fake_mpi_site(fake, 0, 7, frame);
	fake_mpi_add(fake, 0, 0, &call);
	call.op = (uint16_t)es_mpi_function_find("MPI_Finalize");
	call.seq = 2;
	call.peer = ES_MPI_PEER_NONE;
	call.comm = ES_MPI_COMM_NULL;
	call.site = 0;
	fake_mpi_add(fake, 0, 0, &call);
	call.op = 60000;
	call.peer = ES_MPI_PEER_PROC_NULL;
	call.comm = 1234;
	call.site = 1234;
	fake_mpi_add(fake, 0, 0, &call);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	EXPECT_STR_EQ("MPI_Send|3|2|5|64|1|3\nMPI_Finalize|||5|64|0|3\n",
	    rows(fake,
		"SELECT op, comm, peer, tag, bytes, site, match FROM e"));
	/* The third tuple has the seq of the second. */
	EXPECT_STR_EQ("60000||-2|5|64||3\n",
	    rows(fake,
		"SELECT op, comm, peer, tag, bytes, site, match FROM p"));
	EXPECT_STR_EQ("MPI_Send|50\n",
	    rows(fake, "SELECT op, duration_ns FROM e WHERE peer = 2"));
	fake_mpi_remove(fake);
}

TEST_MAIN(calls_have_names_and_numbers_of_the_run)
