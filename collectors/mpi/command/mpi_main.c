/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/mpi_main.c - main of eventspace-mpi, which records an
 * MPI program
 *
 * mpirun starts one process of eventspace-mpi for each rank.  The process
 * preloads the interposer and executes the program in its place, so signals,
 * standard streams and the exit status are the program's own.  If recording
 * cannot begin, the program runs without it.
 */

#include "collectors/control/mode_private.h"
#include "collectors/mpi/base/setting_private.h"
#include "collectors/mpi/base/traced_private.h"
#include "collectors/mpi/command/fail_private.h"
#include "collectors/mpi/command/job_private.h"
#include "collectors/mpi/command/watch_private.h"
#include "collectors/space.h"
#include "libpaths/base/command.h"
#include "libpaths/base/verb.h"
#include "libpaths/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAIN_LIBRARY "libeventspace-mpi.so"
/* Bytes of a tuple; a ring has at most 2^32 tuples. */
#define MAIN_TUPLE_BYTES 48u
#define MAIN_FRAMES_MAX 32u

struct main_options {
	const char *run;     /* NULL: the default name */
	const char *control; /* NULL: run a program */
	const char *traced;  /* file of phases; NULL: all */
	uint32_t modes;
	uint64_t path, keep; /* 0: not given */
	bool stack, off, quiet;
	char **words; /* the program with its arguments, or the action */
};

static paths_status
main_option_modes(const char *word, void *values)
{
	return mode_parse(word, &((struct main_options *)values)->modes);
}

static const struct paths_command_option main_options[] = {
	{ "output", 'o', "RUN",
	    "run directory, new or empty; default named after the program", 0,
	    PATHS_COMMAND_TO_WORD(struct main_options, run) },
	{ "mode", 0, "MODES",
	    "some of trace, profile and matrix, with commas between them; "
	    "default all",
	    0, PATHS_COMMAND_TO_CALL(main_option_modes) },
	{ "path", 0, "N",
	    "number of innermost stack frames in a call site; default 1", 0,
	    PATHS_COMMAND_TO_NUMBER(struct main_options, path, COUNT, 1,
		MAIN_FRAMES_MAX) },
	{ "keep", 0, "N",
	    "number of calls of each thread that its trace retains; default "
	    "262144, or what PATHS_SPACE_BYTES has room for",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct main_options, keep, COUNT, 1,
		UINT32_MAX) },
	{ "trace-phases", 0, "FILE|auto",
	    "phases whose calls are traced, or some instances of each; default "
	    "all calls",
	    0, PATHS_COMMAND_TO_WORD(struct main_options, traced) },
	{ "stack", 0, NULL, "calls visible to tools preloaded after this one",
	    0, PATHS_COMMAND_TO_FLAG(struct main_options, stack) },
	{ "start-off", 0, NULL,
	    "no recording until the program or --control starts it", 0,
	    PATHS_COMMAND_TO_FLAG(struct main_options, off) },
	{ "control", 0, "RUN",
	    "live run to start, stop, reset or copy, as `eventspace control`",
	    0, PATHS_COMMAND_TO_WORD(struct main_options, control) },
	PATHS_COMMAND_QUIET(struct main_options, quiet),
};

static const struct paths_command main_command = {
	.verb = "mpi",
	.about = "record the MPI calls of an unchanged program",
	.usage = "[OPTIONS] [--] PROGRAM [ARGS]\n"
		 "--control RUN start [MODES] | stop | reset\n"
		 "--control RUN snapshot [DIRECTORY]",
	.text = "Records the MPI calls of PROGRAM in the run directory RUN.  "
		"mpirun starts this\ncommand in each rank, which then "
		"executes PROGRAM.  PROGRAM is not changed.",
	PATHS_COMMAND_OPTIONS(main_options),
	.exits = "  that of PROGRAM, otherwise\n"
		 "  0  the action of --control succeeded\n"
		 "  1  failed, or PROGRAM cannot be started\n"
		 "  2  wrong usage\n",
	.rest = PATHS_COMMAND_AFTER_OPTIONS,
	.rest_at = offsetof(struct main_options, words),
};

/* Sets the number of tuples that each thread keeps, unless --keep did.  Returns
   the exit status, or PATHS_COMMAND_GO_ON. */
static int
main_keep(struct main_options *o)
{
	const char *text = getenv("PATHS_SPACE_BYTES");
	uint64_t bytes = MPI_KEEP_DEFAULT * MAIN_TUPLE_BYTES;

	if (text != NULL && o->keep == 0 &&
	    paths_unit_parse(PATHS_UNIT_BYTES, text, MAIN_TUPLE_BYTES,
		(uint64_t)MAIN_TUPLE_BYTES * UINT32_MAX, &bytes) != PATHS_OK)
		return paths_command_wrong("mpi", "PATHS_SPACE_BYTES=%s: %s",
		    text, paths_log_last());
	if (o->keep == 0)
		o->keep = bytes / MAIN_TUPLE_BYTES;
	return PATHS_COMMAND_GO_ON;
}

static void
main_set_number(const char *name, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	setenv(name, text, 1);
}

/* Ranks read the file again.  Returns the exit status, or
   PATHS_COMMAND_GO_ON. */
static int
main_traced(const struct main_options *o)
{
	char file[PATH_MAX];
	struct mpi_traced *traced;

	if (o->traced == NULL) {
		unsetenv(MPI_SETTING_TRACED);
		return PATHS_COMMAND_GO_ON;
	}
	/* Calls that other modes count leave gaps in the numbers of those that
	   are traced. */
	if (o->modes != ES_MODE_TRACE)
		return paths_command_wrong("mpi",
		    "--trace-phases: is for --mode trace alone");
	if (strcmp(o->traced, MPI_TRACED_AUTO) == 0) {
		setenv(MPI_SETTING_TRACED, MPI_TRACED_AUTO, 1);
		return PATHS_COMMAND_GO_ON;
	}
	if (realpath(o->traced, file) == NULL)
		return paths_command_wrong("mpi", "--trace-phases: %s: %s",
		    o->traced, strerror(errno));
	if (mpi_traced_open(file, &traced) != PATHS_OK)
		return paths_command_wrong("mpi", "--trace-phases: %s",
		    paths_log_last());
	mpi_traced_close(traced);
	setenv(MPI_SETTING_TRACED, file, 1);
	return PATHS_COMMAND_GO_ON;
}

static void
main_set(const struct main_options *o, const char *directory)
{
	setenv(MPI_SETTING_RUN, directory, 1);
	main_set_number(MPI_SETTING_MODE, o->modes);
	main_set_number(MPI_SETTING_START, o->off ? ES_MODE_OFF : o->modes);
	main_set_number(MPI_SETTING_KEEP, o->keep);
	main_set_number(MPI_SETTING_PATH, o->path);
	main_set_number(MPI_SETTING_STACK, o->stack);
}

/* Finds the interposer: next to this program in a build tree, otherwise where
   it is installed. */
static bool
main_library(char file[PATH_MAX])
{
	static const char *const beside[] = { "/", "/.libs/" };
	char self[PATH_MAX / 2];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n < 0 ? 0 : n] = 0;
	slash = strrchr(self, '/');
	for (size_t i = 0; slash != NULL && i < 2; i++) {
		*slash = 0;
		snprintf(file, PATH_MAX, "%s%s%s", self, beside[i],
		    MAIN_LIBRARY);
		if (access(file, R_OK) == 0)
			return true;
	}
	snprintf(file, PATH_MAX, "%s/%s", MAIN_LIBRARY_FOLDER, MAIN_LIBRARY);
	return access(file, R_OK) == 0 ||
	    MPI_FAIL("%s: %s", file, strerror(errno));
}

/* Adds the interposer in front of the libraries that are preloaded already. */
static bool
main_preload(void)
{
	const char *before = getenv("LD_PRELOAD");
	char file[PATH_MAX];
	char *both;

	if (!main_library(file))
		return false;
	if (strpbrk(file, ": ") != NULL)
		return MPI_FAIL("%s: cannot be preloaded from a folder of "
				"that name",
		    file);
	if (before == NULL || before[0] == 0)
		return setenv("LD_PRELOAD", file, 1) == 0;
	if (asprintf(&both, "%s:%s", file, before) < 0)
		return MPI_FAIL("no memory");
	setenv("LD_PRELOAD", both, 1);
	free(both);
	return true;
}

/* Returns whether execvp will find the program.  It is tested first, so that no
   directory is created for a mistyped name. */
static bool
main_finds(const char *program)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];
	size_t length = 0;

	if (strchr(program, '/') != NULL)
		return access(program, X_OK) == 0 ||
		    MPI_FAIL("%s: %s", program, strerror(errno));
	for (path = path == NULL ? "/bin:/usr/bin" : path;;
	     path += length + 1) {
		length = strcspn(path, ":");
		/* An empty entry is the working directory. */
		snprintf(file, sizeof(file), "%.*s%s%s", (int)length, path,
		    length == 0 ? "" : "/", program);
		if (access(file, X_OK) == 0)
			return true;
		if (path[length] == 0)
			return MPI_FAIL("%s: %s", program, strerror(ENOENT));
	}
}

/* Executes `eventspace control` in place of this process. */
static int
main_control(const struct main_options *o)
{
	/* The last word is NULL: more arguments are wrong usage there. */
	char *words[] = { NULL, (char *)(uintptr_t)o->control, o->words[0],
		o->words[1], NULL, NULL };

	if (o->words[1] != NULL)
		words[4] = o->words[2];
	return paths_verb_become("mpi", "control", words);
}

/* Executes the program in place of this process.  Returns the exit status of a
   failure. */
static int
main_run(struct main_options *o, char **program)
{
	char directory[PATH_MAX];

	if (!main_finds(program[0]))
		return 1;
	if (job_directory(o->run, program[0], directory) && main_preload()) {
		job_topology(directory);
		main_set(o, directory);
		watch_start(directory, job_rank());
		if (o->run == NULL && !o->quiet && job_rank() <= 0)
			fprintf(stderr, "eventspace mpi: recording to %s\n",
			    directory);
	} else if (job_rank() <= 0) {
		fprintf(stderr,
		    "eventspace mpi: %s runs without being recorded\n",
		    program[0]);
	}
	execvp(program[0], program);
	return paths_command_fail("mpi", "%s: %s", program[0], strerror(errno));
}

int
main(int argc, char **argv)
{
	struct main_options o = { .modes = ES_MODE_OFF };
	int status = paths_command_read(&main_command, &o, argc, argv);

	paths_log_name("eventspace mpi");
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (o.words[0] == NULL)
		return paths_command_wrong("mpi",
		    o.control == NULL ? "PROGRAM is missing" :
					"--control: start, stop, reset or "
					"snapshot is missing");
	if (o.control != NULL)
		return main_control(&o);
	if (o.modes == ES_MODE_OFF)
		o.modes = o.traced == NULL ? ES_MODE_ALL : ES_MODE_TRACE;
	status = main_keep(&o);
	if (status == PATHS_COMMAND_GO_ON)
		status = main_traced(&o);
	return status == PATHS_COMMAND_GO_ON ? main_run(&o, o.words) : status;
}
