/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/loop_test.c - proves libpaths/net/loop.c
 */

#include "libpaths/net/loop_private.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <sys/resource.h>

/* The limit rises until there are descriptors enough. */
static void
a_lack_of_descriptors_is_named(void)
{
	struct paths__loop *loop = NULL;
	struct rlimit before, limit;
	paths_status st = PATHS_EIO;

	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	limit = before;
	for (rlim_t n = 0; st != PATHS_OK && n < 64; n++) {
		limit.rlim_cur = n;
		EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
		st = paths__loop_open(&loop);
		EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
		if (st != PATHS_OK)
			EXPECT_STR_EQ("no loop: Too many open files",
			    paths_log_last());
	}
	EXPECT_OK(st);
	paths__loop_close(loop);
}

TEST_MAIN(a_lack_of_descriptors_is_named)
