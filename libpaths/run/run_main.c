/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/run_main.c - eventspace-run: starts the processes of a path map
 */

#include "libpaths/base/command.h"
#include "libpaths/base/verb.h"
#include "libpaths/log.h"
#include "libpaths/nearest.h"
#include "libpaths/run/dir_private.h"
#include "libpaths/run/fail_private.h"
#include "libpaths/run/guard_private.h"
#include "libpaths/run/launcher_private.h"
#include "libpaths/run/listen_private.h"
#include "libpaths/run/plugins_private.h"
#include "libpaths/run/remote_private.h"
#include "libpaths/run/start_private.h"
#include "libpaths/run/wait_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RUN_GRACE_NS UINT64_C(10000000000)
#define RUN_WAIT_NS UINT64_C(60000000000)
#define RUN_GRACE_MOST_NS UINT64_C(1000000000000000)

/* Returns true when a program is of a kind.  Debian's have names such as
   mpirun.mpich, and mpiexec is the name of the standard for mpirun. */
static bool
main_is_kind(const char *name, const char *kind)
{
	const size_t length = strcspn(name, ".");

	if (strcmp(kind, "mpirun") == 0 &&
	    strncmp(name, "mpiexec", length) == 0)
		return length == strlen("mpiexec");
	return length == strlen(kind) && strncmp(name, kind, length) == 0;
}

/* Returns true for the words of an srun that starts an MPI job, whose ranks are
   tasks of one job step. */
static bool
main_is_mpi(char *const *words)
{
	static const char option[] = "--mpi=";
	bool mpi = false;

	/* srun takes the last one. */
	for (; *words != NULL; words++)
		if (strncmp(*words, option, sizeof(option) - 1) == 0)
			mpi = strcmp(*words + sizeof(option) - 1, "none") != 0;
	return mpi;
}

/* Reads a launcher.  The name of its program is the kind of launcher. */
static paths_status
main_launcher(const char *word, void *values)
{
	static const char *const names[] = { [RUN_LOCAL] = "local",
		[RUN_SSH] = "ssh",
		[RUN_SRUN] = "srun",
		[RUN_MPIRUN] = "mpirun",
		[RUN_COMMAND] = "command" };
	struct paths_nearest nearest;
	struct run *run = values;
	paths_status st = run_launcher_split(run, word);
	const char *name, *slash;

	if (st != PATHS_OK)
		return st;
	name = run->launcher[0] == NULL ? "" : run->launcher[0];
	slash = strrchr(name, '/');
	name = slash == NULL ? name : slash + 1;
	paths_nearest_init(&nearest, name);
	for (int how = RUN_LOCAL; how <= RUN_COMMAND; how++) {
		run->how = (enum run_how)how;
		if (main_is_kind(name, names[how]) &&
		    (how != RUN_COMMAND || run->launcher[1] != NULL)) {
			if (how == RUN_SRUN && main_is_mpi(run->launcher))
				run->how = RUN_MPIRUN;
			return PATHS_OK;
		}
		paths_nearest_try(&nearest, names[how]);
	}
	return paths_log_fail(PATHS_ESYNTAX,
	    "expected local, ssh, srun, mpirun or command TEMPLATE%s",
	    paths_nearest_hint(&nearest));
}

/* Reads a port.  Returns false if it is none. */
static bool
main_port(const char *text, size_t length, uint16_t *port)
{
	unsigned long number = strtoul(text, NULL, 10);

	*port = (uint16_t)number;
	return length > 0 && length <= 5 &&
	    strspn(text, "0123456789") >= length && number > 0 &&
	    number <= UINT16_MAX;
}

/* Reads a range of ports, LOW-HIGH. */
static paths_status
main_ports(const char *word, void *values)
{
	struct run *run = values;
	const size_t low = strspn(word, "0123456789");

	if (word[low] == '-' && main_port(word, low, &run->ports.low) &&
	    main_port(word + low + 1, strlen(word + low + 1),
		&run->ports.high) &&
	    run->ports.low <= run->ports.high)
		return PATHS_OK;
	return paths_log_fail(PATHS_ESYNTAX,
	    "expected LOW-HIGH, ports from 1 to 65535");
}

/* Refuses --control behind another word: the words behind it are those of
   another command. */
static paths_status
main_control_late(const char *word, void *values)
{
	(void)word;
	(void)values;
	return paths_log_fail(PATHS_ESYNTAX, "goes with no other option");
}

static const struct paths_command_option main_options[] = {
	{ "output", 'o', "RUN",
	    "run directory to create; default named after the map and the time",
	    0, PATHS_COMMAND_TO_WORD(struct run, dir_given) },
	{ "launcher", 0, "HOW",
	    "program that starts the processes: local, ssh, srun or mpirun, "
	    "with its own options in the same word, or command TEMPLATE; "
	    "default local",
	    0, PATHS_COMMAND_TO_CALL(main_launcher) },
	{ "ports", 0, "LOW-HIGH",
	    "ports that may be chosen for processes that have none in MAP; "
	    "default any",
	    0, PATHS_COMMAND_TO_CALL(main_ports) },
	{ "chdir", 0, "DIR",
	    "working directory of the processes of other hosts; default this "
	    "one",
	    0, PATHS_COMMAND_TO_WORD(struct run, directory) },
	{ "host-dir", 0, "DIR",
	    "folder of other hosts in which they make their run directories, "
	    "each its own; default TMPDIR of the host, or /tmp",
	    0, PATHS_COMMAND_TO_WORD(struct run, host_dir) },
	{ "leave", 0, NULL,
	    "leave the files of other hosts there; default: they are copied "
	    "into RUN",
	    0, PATHS_COMMAND_TO_FLAG(struct run, leave) },
	{ "plain", 0, NULL,
	    "output of other hosts without the names of the processes", 1,
	    PATHS_COMMAND_TO_FLAG(struct run, plain) },
	{ "label", 0, NULL,
	    "output of this machine with the names of the processes, too", 1,
	    PATHS_COMMAND_TO_FLAG(struct run, label) },
	{ "agent", 0, "FILE",
	    "program run-agent on other hosts; default that of this "
	    "installation",
	    0, PATHS_COMMAND_TO_WORD(struct run, agent_file) },
	{ "wait", 0, "SECONDS",
	    "time that other hosts have to answer before the programs are "
	    "started; default 60",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct run, wait_ns, SECONDS, 1,
		RUN_GRACE_MOST_NS) },
	{ "grace", 0, "SECONDS",
	    "time that the other processes have to end after one has failed; "
	    "default 10",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct run, grace_ns, SECONDS, 0,
		RUN_GRACE_MOST_NS) },
	{ "alone", 0, NULL, "a process that fails does not end the others", 0,
	    PATHS_COMMAND_TO_FLAG(struct run, alone) },
	{ "space", 0, "BYTES",
	    "limit for the rings of the collectors of each process; default "
	    "that of MAP or PATHS_SPACE_BYTES",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct run, space, BYTES, 1, INT64_MAX) },
	{ "control", 0, "RUN",
	    "live run to start, stop, reset or copy, as `eventspace control`; "
	    "no other option goes with it",
	    0, PATHS_COMMAND_TO_CALL(main_control_late) },
	RUN_PLUGINS_OPTION,
	PATHS_COMMAND_QUIET(struct run, quiet),
};

static const struct paths_command_operand main_operands[] = {
	{ "MAP", false, PATHS_COMMAND_TO_OPERAND(struct run, map_file) },
};

static const struct paths_command main_command = {
	.verb = "run",
	.about = "start the processes of a path map and wait for them",
	.usage = "MAP [OPTIONS] -- PROGRAM [ARGS]\n"
		 "--control RUN start [MODES] | stop | reset\n"
		 "--control RUN snapshot [DIRECTORY]",
	.text = "Starts PROGRAM once for each process of the path map MAP, "
		"waits for all of\nthem, and keeps their event spaces in the "
		"run directory RUN.",
	PATHS_COMMAND_OPTIONS(main_options),
	PATHS_COMMAND_OPERANDS(main_operands),
	.exits = "  0  all processes succeeded\n"
		 "  1  a process failed or could not be started\n"
		 "  2  wrong usage\n",
	.rest = PATHS_COMMAND_AFTER_DASHES,
	.rest_at = offsetof(struct run, program),
};

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
	const uint32_t count = run->map->process_count;
	const char *more = count == 1 ? "" : "es";
	char took[PATHS_UNIT_TEXT_BYTES];
	struct timespec end;

	if (run->quiet)
		return;
	clock_gettime(CLOCK_MONOTONIC, &end);
	(void)paths_unit_text(PATHS_UNIT_TIME,
	    (double)(end.tv_sec - begin->tv_sec) * 1e9 +
		(double)(end.tv_nsec - begin->tv_nsec),
	    took);
	if (run->failed == 0)
		fprintf(stderr,
		    "eventspace run: %u process%s ended well after %s, see %s\n",
		    count, more, took, run->dir->name);
	else
		fprintf(stderr,
		    "eventspace run: %u of %u process%s failed, %s, see %s\n",
		    run->failed, count, more, took, run->dir->name);
}

/* Starts the processes on this machine and waits for them. */
static bool
main_local(struct run *run)
{
	struct run_labels labels = { .pid = 0 };
	bool started;

	if (!run_dir_write_map(run))
		return false;
	started = run_labels_open(run, &labels) && run_start(run, &labels);
	run_listen_close(run);
	run_labels_started(run, &labels);
	run_wait(run, !started);
	run_labels_close(&labels);
	return started;
}

/* Starts the processes and waits for them.  Returns true when all were started
   and succeeded. */
static bool
main_start(struct run *run)
{
	struct timespec begin;
	bool started;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (!run_listen_open(run) || !run_dir_make(run))
		return false;
	started = run->how == RUN_LOCAL ? main_local(run) : run_remote(run);
	explicit_bzero(run->secret, sizeof(run->secret));
	if (started)
		main_summary(run, &begin);
	if (started && !run->leave && !run_dir_check(run))
		return false;
	return started && run->failed == 0;
}

/* Opens standard descriptors that are closed, so that no other file gets their
   numbers. */
static void
main_fill_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int
main(int argc, char **argv)
{
	struct run run = {
		.grace_ns = RUN_GRACE_NS,
		.wait_ns = RUN_WAIT_NS,
	};
	int code;

	main_fill_standard();
	if (argc > 1 && strcmp(argv[1], "--control") == 0)
		return paths_verb_become("run", "control", argv + 1);
	code = paths_command_read(&main_command, &run, argc, argv);
	if (code == PATHS_COMMAND_GO_ON && run.program[0] == NULL)
		code =
		    paths_command_wrong("run", "PROGRAM is missing after --");
	if (code == PATHS_COMMAND_GO_ON) {
		code = main_load(&run) ? run_guard(&run, main_start) :
					 PATHS_COMMAND_FAILED;
		run_listen_close(&run);
		paths_map_close(run.map);
		free(run.jobs);
	}
	free(run.launcher);
	free(run.launcher_text);
	return code;
}
