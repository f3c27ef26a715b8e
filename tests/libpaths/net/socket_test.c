/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/socket_test.c - proves libpaths/net/socket.c
 */

#include "libpaths/net/socket_private.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void
a_run_directory_with_a_long_name_leaves_no_descriptor(void)
{
	const char *temporary = getenv("TMPDIR");
	char name[64], run[PATH_MAX], file[PATH_MAX + 8];
	const struct paths_program program = { .run = run };
	int before, fd;

	memset(name, 'r', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(run, sizeof(run), "%s/%s.%d", temporary ? temporary : "/tmp",
	    name, (int)getpid());
	snprintf(file, sizeof(file), "%s/p.sock", run);
	EXPECT_EQ(0, mkdir(run, 0700));
	/* The descriptor that the next open returns. */
	before = dup(0);
	close(before);
	EXPECT_OK(paths__socket_listen_unix(&program, "p.sock", &fd));
	close(fd);
	fd = dup(0);
	EXPECT_EQ(before, fd);
	close(fd);
	EXPECT_EQ(0, unlink(file));
	EXPECT_EQ(0, rmdir(run));
}

TEST_MAIN(a_lack_of_descriptors_is_named,
    a_run_directory_with_a_long_name_leaves_no_descriptor)
