/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fail_alloc_private.h - fails the n-th allocation of SQLite
 */

#ifndef TESTS_SCOPES_FAIL_ALLOC_PRIVATE_H
#define TESTS_SCOPES_FAIL_ALLOC_PRIVATE_H

#include "tests/test.h"

#include <sqlite3.h>

static sqlite3_mem_methods fail_real;
static long fail_in = -1; /* allocations until one fails; -1: none will */

static inline void *
fail_malloc(int size)
{
	return fail_in >= 0 && fail_in-- == 0 ? NULL : fail_real.xMalloc(size);
}

static inline void *
fail_realloc(void *memory, int size)
{
	return fail_in >= 0 && fail_in-- == 0 ?
	    NULL :
	    fail_real.xRealloc(memory, size);
}

/* No database may be open. */
static inline void
fail_begin(void)
{
	sqlite3_mem_methods methods;

	EXPECT_EQ(SQLITE_OK, sqlite3_shutdown());
	EXPECT_EQ(SQLITE_OK,
	    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &fail_real));
	methods = fail_real;
	methods.xMalloc = fail_malloc;
	methods.xRealloc = fail_realloc;
	EXPECT_EQ(SQLITE_OK, sqlite3_config(SQLITE_CONFIG_MALLOC, &methods));
	EXPECT_EQ(SQLITE_OK, sqlite3_initialize());
}

static inline void
fail_end(void)
{
	EXPECT_EQ(SQLITE_OK, sqlite3_shutdown());
	EXPECT_EQ(SQLITE_OK, sqlite3_config(SQLITE_CONFIG_MALLOC, &fail_real));
}

#endif
