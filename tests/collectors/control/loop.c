/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/control/loop.c - a program that writes until it is told to
 * stop, and a printer of event spaces
 *
 *	loop THREAD		writes to the element total, and adds a byte to
 *				the file `loops` each 100 tuples, until there is
 *				a file `stop`
 *	loop report FILE	prints a line for each collector of a space:
 *				modes, tuples since the last reset, operations
 *				of the profile, messages of the matrix, tuples
 *				that are retained
 */

#include "collectors/space.h"
#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"
#include "libpaths/thread.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOP_BATCH 100

static int
loop_fail(void)
{
	fprintf(stderr, "loop: %s\n", paths_log_last());
	return 1;
}

static int
loop_write(struct paths_path *path)
{
	FILE *loops = fopen("loops", "a");
	int64_t tuple = 0;

	while (loops != NULL && access("stop", F_OK) != 0) {
		for (int n = 0; n < LOOP_BATCH; n++) {
			if (paths_path_write(path, &tuple, sizeof(tuple)) !=
			    PATHS_OK)
				return loop_fail();
			tuple++;
		}
		putc('.', loops);
		fflush(loops);
	}
	return loops == NULL || fclose(loops) != 0;
}

static int
loop_run(const char *thread_name)
{
	struct paths_program *program;
	struct paths_thread *thread;
	struct paths_path *path;
	int status;

	if (paths_program_open(NULL, NULL, &program) != PATHS_OK ||
	    paths_thread_open(program, thread_name, &thread) != PATHS_OK ||
	    paths_path_open(thread, "total", &path) != PATHS_OK)
		return loop_fail();
	status = loop_write(path);
	paths_thread_close(thread);
	paths_program_close(program);
	return status;
}

static int
loop_report(const char *file)
{
	struct es_space_collector c;
	struct es_profile profile;
	struct es_matrix matrix;
	struct es_space *space;

	if (es_space_open(file, &space) != PATHS_OK)
		return loop_fail();
	for (uint32_t n = 0; es_space_collector(space, n, &c) == PATHS_OK;
	     n++) {
		uint64_t operations = 0, messages = 0;

		for (uint32_t row = 0; row < c.profile_ops; row++) {
			if (es_space_profile(space, n, row, &profile) ==
			    PATHS_OK)
				operations += profile.count;
		}
		for (uint32_t row = 0; row < c.matrix_categories; row++) {
			if (es_space_matrix(space, n, row, &matrix) == PATHS_OK)
				messages += matrix.messages;
		}
		printf("%u %llu %llu %llu %llu\n", c.mode,
		    (unsigned long long)(c.count - c.reset),
		    (unsigned long long)operations,
		    (unsigned long long)messages,
		    (unsigned long long)(c.count - c.first));
	}
	es_space_close(space);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "report") == 0)
		return loop_report(argv[2]);
	return argc == 2 ? loop_run(argv[1]) : 2;
}
