/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/serve_main.c - eventspace-serve: runs a tuple server
 *
 * The server is a process for which the map has no threads.  It serves its
 * elements and shared stages as long as other processes have paths to them.
 */

#include "libpaths/base/command.h"
#include "libpaths/log.h"
#include "libpaths/program.h"
#include "libpaths/run/plugins_private.h"

#include <signal.h>
#include <stdlib.h>

struct serve {
	const char *map, *process; /* NULL: taken from the environment */
	const char *spaces;	   /* NULL: not given */
};

/* Is set and freed only while the signals are blocked. */
static struct paths_program *serving;

static void
serve_stop(int signal)
{
	(void)signal;
	paths_program_stop(serving);
}

/* Opens and serves a process.  Signals are blocked until it is open. */
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
		return paths_command_fail("serve", "%s", paths_log_last());
	}
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	paths_program_serve(serving);
	/* A signal must not stop a program that is being freed. */
	sigprocmask(SIG_BLOCK, &set, NULL);
	paths_program_close(serving);
	return 0;
}

static const struct paths_command_option serve_options[] = {
	{ "spaces", 0, "DIR",
	    "event spaces that stages `spaces` of the process read", 0,
	    PATHS_COMMAND_TO_WORD(struct serve, spaces) },
	RUN_PLUGINS_OPTION,
};

static const struct paths_command_operand serve_operands[] = {
	{ "MAP", true, PATHS_COMMAND_TO_OPERAND(struct serve, map) },
	{ "PROCESS", true, PATHS_COMMAND_TO_OPERAND(struct serve, process) },
};

static const struct paths_command serve_command = {
	.verb = "serve",
	.about = "serve the elements and stages of a process of a path map",
	.usage = "[OPTIONS] [MAP [PROCESS]]",
	.text = "Becomes a process of the path map MAP that has no threads, "
		"and serves its\nelements and shared stages until all other "
		"processes are gone.  MAP and PROCESS\nare PATHS_MAP and "
		"PATHS_PROCESS where they are not given.",
	PATHS_COMMAND_OPTIONS(serve_options),
	PATHS_COMMAND_OPERANDS(serve_operands),
};

int
main(int argc, char **argv)
{
	struct serve s = { .map = NULL };
	int status = paths_command_read(&serve_command, &s, argc, argv);

	if (status != PATHS_COMMAND_GO_ON)
		return status;
	/* Stages of plugins read it: see scopes/gather/spaces.c. */
	if (s.spaces != NULL && setenv("PATHS_SPACES", s.spaces, 1) != 0)
		return paths_command_fail("serve", "out of memory");
	return serve(s.map, s.process);
}
