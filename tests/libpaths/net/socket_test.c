/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/socket_test.c - proves libpaths/net/socket.c
 */

#include "libpaths/net/socket_private.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <sys/resource.h>

static void
a_lack_of_descriptors_is_named(void)
{
	const struct paths_program program = { .process = 0 };
	struct rlimit before, none;
	paths_status st;
	int fd;

	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	st = paths__socket_listen_unix(&program, "/nowhere/p.sock", &fd);
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
	EXPECT_EQ(PATHS_EIO, st);
	EXPECT_STR_EQ("socket /nowhere/p.sock: Too many open files",
	    paths_log_last());
}

TEST_MAIN(a_lack_of_descriptors_is_named)
