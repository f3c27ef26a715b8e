/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/sqlite_file_private.h - changes a database as its user might
 */

#ifndef TESTS_SCOPES_SQLITE_FILE_PRIVATE_H
#define TESTS_SCOPES_SQLITE_FILE_PRIVATE_H

#include "tests/test.h"

#include <sqlite3.h>

/* Runs statements on a file; makes it first if it is not there. */
static inline void
sqlite_file_run(const char *file, const char *sql)
{
	sqlite3 *db;

	EXPECT_EQ(SQLITE_OK, sqlite3_open(file, &db));
	EXPECT_EQ(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
}

#endif
