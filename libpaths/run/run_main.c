/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/run_main.c - eventspace-run: start the processes of a path map
 */

#include "libpaths/log.h"
#include "libpaths/run/run_private.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GRACE_DEFAULT_S 10

static const char usage[] =
    "usage: eventspace run MAP [-o RUN] [--launcher local|ssh|srun|mpirun]\n"
    "                      [--grace SECONDS] [--quiet] -- PROGRAM [ARGS]\n";

bool
run_fail(const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES + 64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, "eventspace run: %s\n", text);
	return false;
}

/* "ssh -p 22" into words; how it starts processes by the name of the first. */
static bool
main_launcher(struct run *run, const char *text)
{
	static const char *const names[] = { [RUN_LOCAL] = "local",
		[RUN_SSH] = "ssh",
		[RUN_SRUN] = "srun",
		[RUN_MPIRUN] = "mpirun" };
	const char *name;
	char *rest;
	size_t count = 0;

	free(run->launcher_text);
	free(run->launcher);
	run->launcher_text = strdup(text);
	run->launcher = calloc(strlen(text) + 2, sizeof(*run->launcher));
	if (run->launcher_text == NULL || run->launcher == NULL)
		return false;
	for (char *word = strtok_r(run->launcher_text, " \t", &rest);
	     word != NULL; word = strtok_r(NULL, " \t", &rest))
		run->launcher[count++] = word;
	if (count == 0)
		return false;
	name = strrchr(run->launcher[0], '/');
	name = name == NULL ? run->launcher[0] : name + 1;
	for (int how = RUN_LOCAL; how <= RUN_MPIRUN; how++) {
		run->how = (enum run_how)how;
		if (strcmp(names[how], name) == 0)
			return true;
	}
	return false;
}

static bool
main_seconds(const char *text, uint64_t *ns)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || (*end != '\0' && strcmp(end, "s") != 0) ||
	    !(seconds >= 0) || seconds > 1e6)
		return false;
	*ns = (uint64_t)(seconds * 1e9);
	return true;
}

static bool
main_option(struct run *run, int option)
{
	switch (option) {
	case 'o':
		run->dir_given = optarg;
		return true;
	case 'l':
		return main_launcher(run, optarg) ||
		    run_fail("--launcher %s: expected local, ssh, srun or "
			     "mpirun",
			optarg);
	case 'g':
		return main_seconds(optarg, &run->grace_ns) ||
		    run_fail("--grace %s: expected seconds", optarg);
	case 'q':
		run->quiet = true;
		return true;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	case 'a':
		puts("start the processes of a path map and wait for them");
		exit(0);
	default:
		return false;
	}
}

/* The command line; MAP may stand before or after the options. */
static bool
main_arguments(struct run *run, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "launcher", required_argument, NULL, 'l' },
		{ "grace", required_argument, NULL, 'g' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "about", no_argument, NULL, 'a' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	opterr = 0;
	/* "-": what is no option comes as option 1, in its place. */
	while (
	    (option = getopt_long(argc, argv, "-o:q", options, NULL)) != -1) {
		if (option == 1 && run->map_file == NULL)
			run->map_file = optarg;
		else if (option == 1 || option == '?')
			return run_fail("%s: not expected here",
			    option == 1 ? optarg : argv[optind - 1]);
		else if (!main_option(run, option))
			return false;
	}
	run->program = argv + optind;
	if (run->map_file == NULL)
		return run_fail("no map was named");
	if (run->program[0] == NULL)
		return run_fail("no program was named after --");
	return true;
}

static bool
main_load(struct run *run)
{
	if (paths_map_load(run->map_file, &run->map) != PATHS_OK)
		return run_fail("%s", paths_log_last());
	if (run->map->process_count == 0)
		return run_fail("%s: no process to start", run->map_file);
	if (getcwd(run->cwd, sizeof(run->cwd)) == NULL)
		return run_fail("working directory: %s", strerror(errno));
	return true;
}

static void
main_summary(const struct run *run, const struct timespec *begin)
{
	const char *what = run->how == RUN_MPIRUN ? "launcher" : "process";
	const char *more = run->job_count == 1 ? "" :
	    run->how == RUN_MPIRUN	       ? "s" :
						 "es";
	struct timespec end;
	double seconds;

	if (run->quiet)
		return;
	clock_gettime(CLOCK_MONOTONIC, &end);
	seconds = (double)(end.tv_sec - begin->tv_sec) +
	    (double)(end.tv_nsec - begin->tv_nsec) / 1e9;
	if (run->failed == 0)
		fprintf(stderr,
		    "eventspace run: %u %s%s ended well after %.1f s, see "
		    "%s\n",
		    run->job_count, what, more, seconds, run->dir);
	else
		fprintf(stderr,
		    "eventspace run: %u of %u %s%s failed, %.1f s, see %s\n",
		    run->failed, run->job_count, what, more, seconds, run->dir);
}

/* True: all was started, and all ended well. */
static bool
main_run(struct run *run)
{
	struct timespec begin;
	bool started;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (!main_load(run) || !run_listen_open(run) || !run_dir_make(run) ||
	    !run_dir_write_map(run))
		return false;
	run_wait_block();
	started = run_start(run);
	run_listen_close(run);
	run_wait(run, !started);
	if (started)
		main_summary(run, &begin);
	if (started && run->how == RUN_LOCAL && !run_dir_check(run))
		return false;
	return started && run->failed == 0;
}

int
main(int argc, char **argv)
{
	struct run run = {
		.grace_ns = (uint64_t)GRACE_DEFAULT_S * 1000000000,
	};
	int code = 2;

	if (main_arguments(&run, argc, argv)) {
		code = main_run(&run) ? 0 : 1;
		run_dir_clean(&run);
		run_listen_close(&run);
		paths_map_close(run.map);
		free(run.jobs);
	} else {
		fputs(usage, stderr);
	}
	free(run.launcher);
	free(run.launcher_text);
	return code;
}
