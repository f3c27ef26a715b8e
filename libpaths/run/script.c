/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/script.c - writes the script that starts a process on another
 * host
 *
 * The script is in the run directory, which all hosts must share.  It contains
 * the program and the environment, so command lines show only its name.
 */

#include "libpaths/run/script_private.h"

#include "libpaths/run/dir_private.h"
#include "libpaths/run/fail_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
run_script_word(FILE *to, const char *word)
{
	fputc('\'', to);
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	}
	fputc('\'', to);
}

/* Returns true when a variable is passed on to processes of other hosts. */
static bool
script_takes(const char *variable)
{
	static const char *const begins[] = { "PATHS_", "ES_", "EVENTSPACE_",
		"LD_LIBRARY_PATH=" };
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789_";

	for (size_t n = 0; n < sizeof(begins) / sizeof(begins[0]); n++) {
		if (strncmp(variable, begins[n], strlen(begins[n])) == 0)
			return variable[strspn(variable, letters)] == '=';
	}
	return false;
}

static void
script_environment(FILE *to)
{
	for (char **variable = environ; *variable != NULL; variable++) {
		const char *value = strchr(*variable, '=');

		if (!script_takes(*variable))
			continue;
		fprintf(to, "export %.*s=", (int)(value - *variable),
		    *variable);
		run_script_word(to, value + 1);
		fputc('\n', to);
	}
}

/* Sets PATHS_PROCESS from the argument of the script or, under mpirun, from the
   rank. */
static void
script_process(const struct run *run, FILE *to)
{
	if (run->how != RUN_MPIRUN) {
		fputs("export PATHS_PROCESS=\"$1\"\n", to);
		return;
	}
	fputs("rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-${PMIX_RANK-"
	      "${SLURM_PROCID-}}}}\n"
	      "case $rank in\n",
	    to);
	for (uint32_t n = 0; n < run->map->process_count; n++)
		fprintf(to, "%u) PATHS_PROCESS=%s ;;\n", n,
		    run->map->processes[n].name);
	fputs("*) echo \"eventspace run: rank '$rank': no such process\" >&2\n"
	      "exit 1 ;;\n"
	      "esac\n"
	      "export PATHS_PROCESS\n",
	    to);
}

/* Returns true when run-keeper is in the folder of this program or, in a build
   tree, above it. */
static bool
script_keeper(char file[PATH_MAX])
{
	char self[PATH_MAX / 2];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n < 0 ? 0 : n] = '\0';
	for (int folder = 0; folder < 2; folder++) {
		slash = strrchr(self, '/');
		if (slash == NULL)
			break;
		*slash = '\0';
		snprintf(file, PATH_MAX, "%s/run-keeper", self);
		if (access(file, X_OK) == 0)
			return true;
	}
	return false;
}

/* Begins a command that is run below run-keeper, if the other host has it. */
static void
script_keep(const struct run *run, FILE *to)
{
	char file[PATH_MAX] = "";

	fputs("keeper=", to);
	run_script_word(to, script_keeper(file) ? file : "");
	fprintf(to,
	    "\n[ -x \"$keeper\" ] || keeper=\n"
	    "exec 3<&0\n"
	    "${keeper:+\"$keeper\" %llu}",
	    (unsigned long long)run->grace_ns);
}

/*
 * Runs the program.  Under ssh, the end of standard input is the only sign that
 * the launcher is gone; the program is then ended.
 */
static void
script_program(const struct run *run, FILE *to)
{
	const bool watched = run->how == RUN_SSH;

	if (watched)
		script_keep(run, to);
	else
		fputs("exec", to);
	for (char **word = run->program; *word != NULL; word++) {
		fputc(' ', to);
		run_script_word(to, *word);
	}
	fputs(" </dev/null", to);
	if (watched)
		fprintf(to,
		    " 3<&- &\n"
		    "pid=$!\n"
		    "{ cat <&3 >/dev/null; kill -TERM $pid\n"
		    "[ \"$keeper\" ] || { sleep %u; kill -KILL $pid; }\n"
		    "} 2>/dev/null &\n"
		    "watch=$!\n"
		    "exec 3<&-\n"
		    "wait $pid\n"
		    "status=$?\n"
		    "kill $watch 2>/dev/null\n"
		    "exit $status",
		    (unsigned)(run->grace_ns / 1000000000) + 1);
	fputc('\n', to);
}

bool
run_script_write(const struct run *run)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	bool done = false;

	if (to != NULL) {
		fputs("#!/bin/sh\n# eventspace run: be a process of the map\n"
		      "cd ",
		    to);
		run_script_word(to, run->cwd);
		fputs(" || exit 1\n", to);
		script_environment(to);
		script_process(run, to);
		script_program(run, to);
		done = fclose(to) == 0;
	}
	if (done)
		done = run_dir_write(run, RUN_SCRIPT, 0700, text, bytes);
	else
		run_fail("%s/" RUN_SCRIPT ": %s", run->dir->name,
		    strerror(errno));
	free(text);
	return done;
}
