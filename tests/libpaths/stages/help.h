/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/help.h - programs from a few lines of map, for tests
 */

#ifndef TESTS_LIBPATHS_STAGES_HELP_H
#define TESTS_LIBPATHS_STAGES_HELP_H

#include "libpaths/log.h"
#include "libpaths/path.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first lines of most maps: one host and one process. */
#define HELP_HEAD "pathmap 1\nhost h\nprocess p -host h\n"

/* A time that is long enough for other threads. */
#define HELP_LONG_NS UINT64_C(60000000000)

/* Opens the only process of a map. */
static inline paths_status
help_try(const char *map, struct paths_program **program)
{
	char file[] = "/tmp/eventspace-map-XXXXXX";
	int fd = mkstemp(file);
	paths_status st;

	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ((ssize_t)strlen(map), write(fd, map, strlen(map)));
	close(fd);
	st = paths_program_open(file, NULL, program);
	unlink(file);
	return st;
}

static inline struct paths_program *
help_open(const char *map)
{
	struct paths_program *program = NULL;
	paths_status st = help_try(map, &program);

	if (st != PATHS_OK)
		fprintf(stderr, "# %s\n", paths_log_last());
	EXPECT_OK(st);
	return program;
}

/* Returns the status with which opening a map fails. */
static inline paths_status
help_refused(const char *map)
{
	struct paths_program *program = NULL;
	paths_status st = help_try(map, &program);

	if (st == PATHS_OK)
		paths_program_close(program);
	return st;
}

/* Opens a thread and its only path. */
static inline struct paths_path *
help_path(struct paths_program *program, const char *thread,
    const char *element)
{
	struct paths_thread *t;
	struct paths_path *path = NULL;

	EXPECT_OK(paths_thread_open(program, thread, &t));
	EXPECT_OK(paths_path_open(t, element, &path));
	return path;
}

/* Checks that the reason of the last operation has a text. */
static inline bool
help_reason_has(const struct paths_path *path, const char *text)
{
	if (strstr(paths_path_why(path), text) != NULL)
		return true;
	fprintf(stderr, "# \"%s\" does not contain \"%s\"\n",
	    paths_path_why(path), text);
	return false;
}

struct help_counter {
	unsigned counter;
	uint64_t value;
	bool found;
};

static inline void
help_emit(void *to, unsigned counter, uint64_t value)
{
	struct help_counter *want = to;

	if (counter != want->counter)
		return;
	want->value = value;
	want->found = true;
}

/* Returns a counter of the stage at a position of a path. */
static inline uint64_t
help_stat(const struct paths_path *path, uint32_t stage, unsigned counter)
{
	struct help_counter want = { .counter = counter };

	EXPECT_OK(paths_path_stat(path, stage, help_emit, &want));
	EXPECT_TRUE(want.found);
	return want.value;
}

#endif
