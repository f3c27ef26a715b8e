/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/serve_main.c - eventspace-serve: a tuple server of its own
 *
 * A process of a map without threads: its elements and shared stages, for as
 * long as other processes have paths to them.
 */

#include "libpaths/log.h"
#include "libpaths/program.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static struct paths_program *serving; /* set while signals are blocked */

static void
serve_stop(int signal)
{
	(void)signal;
	paths_program_stop(serving);
}

/* Signals that come before there is a program wait until it is open. */
static int
serve(const char *map, const char *process)
{
	struct sigaction stop = { .sa_handler = serve_stop };
	sigset_t set;

	paths_log_name("eventspace serve");
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (paths_program_open(map, process, &serving) != PATHS_OK) {
		fprintf(stderr, "eventspace serve: %s\n", paths_log_last());
		return 1;
	}
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	/* Serves until all others are gone, or it is stopped. */
	paths_program_close(serving);
	return 0;
}

int
main(int argc, char **argv)
{
	static const char usage[] = "usage: eventspace serve [MAP [PROCESS]]\n";

	if (argc == 2 && strcmp(argv[1], "--about") == 0) {
		puts("be a process of a path map that only serves");
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
		fputs(usage, stderr);
		return 2;
	}
	return serve(argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL);
}
