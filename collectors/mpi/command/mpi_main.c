/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/mpi_main.c - eventspace-mpi: watch an MPI program
 *
 * Under mpirun, one for each rank: becomes the program, with the interposer
 * preloaded.  So signals, standard streams and the exit status are the
 * program's own; and where recording cannot begin the program runs without.
 */

#include "collectors/mpi/command/main_private.h"
#include "collectors/mpi/process/setting_private.h"

#include "collectors/space.h"
#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAIN_LIBRARY "libeventspace-mpi.so"
/* A tuple has 48 bytes, and no ring more than 2^32 of them. */
#define MAIN_TUPLE_BYTES 48u
#define MAIN_FRAMES_MAX 32u

static const char usage[] =
    "usage: mpirun ... eventspace mpi [OPTIONS] [--] PROGRAM [ARGS]\n"
    "       eventspace mpi --control RUN start [MODES] | stop | reset |\n"
    "                      snapshot [DIRECTORY]\n";

static const char help[] =
    "\n"
    "Becomes PROGRAM, a rank of an MPI program that nobody changed, and\n"
    "records its MPI calls in the run directory RUN.\n"
    "\n"
    "  -o, --output RUN  the directory, new or empty; named for the program\n"
    "  --mode MODES      some of trace, profile and matrix, with commas\n"
    "                    between them; all\n"
    "  --path N          a call site is the N innermost frames; 1\n"
    "  --keep N          the trace keeps the newest N calls of each thread;\n"
    "                    262144\n"
    "  --stack           tools preloaded behind this one see the calls too\n"
    "  --start-off       record nothing until something says so\n"
    "  --control RUN     instead of all that: say what a run that is under\n"
    "                    way records from now on (start, stop), forget what\n"
    "                    it counted (reset), or copy it (snapshot)\n"
    "  -q, --quiet       do not tell the name of the directory\n"
    "  --help            this text\n";

struct main_options {
	const char *run;     /* NULL: to be named */
	const char *control; /* NULL: there is a program to be run */
	uint32_t modes;
	uint64_t path, keep;
	bool stack, off, quiet;
};

bool
main_fail(const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES + 64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, "eventspace mpi: %s\n", text);
	return false;
}

bool
main_modes(const char *text, uint32_t *modes)
{
	static const struct {
		const char *name;
		uint32_t mode;
	} all[] = { { "trace", ES_MODE_TRACE }, { "profile", ES_MODE_PROFILE },
		{ "matrix", ES_MODE_MATRIX } };
	const char *at = text;
	size_t n, length;

	for (*modes = 0; *at != 0; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		for (n = 0; n < 3; n++) {
			if (strlen(all[n].name) == length &&
			    strncmp(all[n].name, at, length) == 0)
				break;
		}
		if (n == 3)
			break;
		*modes |= all[n].mode;
	}
	return (*at == 0 && *modes != 0) ||
	    main_fail("%s: expected trace, profile or matrix, with commas "
		      "between them",
		text);
}

static bool
main_number(const char *option, const char *text, uint64_t most, uint64_t *n)
{
	return paths_unit_parse(PATHS_UNIT_COUNT, text, 1, most, n) ==
	    PATHS_OK ||
	    main_fail("%s %s: %s", option, text, paths_log_last());
}

static bool
main_option(struct main_options *o, int option)
{
	switch (option) {
	case 'o':
		o->run = optarg;
		return true;
	case 'm':
		return main_modes(optarg, &o->modes);
	case 'p':
		return main_number("--path", optarg, MAIN_FRAMES_MAX, &o->path);
	case 'k':
		return main_number("--keep", optarg, UINT32_MAX, &o->keep);
	case 's':
		o->stack = true;
		return true;
	case 'f':
		o->off = true;
		return true;
	case 'q':
		o->quiet = true;
		return true;
	case 'c':
		o->control = optarg;
		return true;
	case 'h':
		fputs(usage, stdout);
		fputs(help, stdout);
		exit(0);
	case 'a':
		puts("watch an MPI program that nobody changed");
		exit(0);
	default:
		return false;
	}
}

static bool
main_arguments(struct main_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "mode", required_argument, NULL, 'm' },
		{ "path", required_argument, NULL, 'p' },
		{ "keep", required_argument, NULL, 'k' },
		{ "stack", no_argument, NULL, 's' },
		{ "start-off", no_argument, NULL, 'f' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "control", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ "about", no_argument, NULL, 'a' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	opterr = 0;
	/* "+": what follows the program is the program's. */
	while (
	    (option = getopt_long(argc, argv, "+o:q", options, NULL)) != -1) {
		if (option == '?')
			return main_fail("%s: not expected here",
			    argv[optind - 1]);
		if (!main_option(o, option))
			return false;
	}
	if (optind == argc)
		return main_fail(
		    o->control == NULL ? "no program" : "--control: do what?");
	return true;
}

/* Sets the tuples that each thread keeps where no --keep did. */
static bool
main_keep(struct main_options *o)
{
	const char *text = getenv("PATHS_SPACE_BYTES");
	uint64_t bytes;

	if (o->keep != 0)
		return true;
	o->keep = MPI_KEEP_DEFAULT;
	if (text == NULL)
		return true;
	if (paths_unit_parse(PATHS_UNIT_BYTES, text, MAIN_TUPLE_BYTES,
		(uint64_t)MAIN_TUPLE_BYTES * UINT32_MAX, &bytes) != PATHS_OK)
		return main_fail("PATHS_SPACE_BYTES=%s: %s", text,
		    paths_log_last());
	o->keep = bytes / MAIN_TUPLE_BYTES;
	return true;
}

static void
main_set_number(const char *name, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	setenv(name, text, 1);
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

/* Where the interposer is: beside this program before it is installed. */
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
	    main_fail("%s: %s", file, strerror(errno));
}

/* In front of what is preloaded already. */
static bool
main_preload(void)
{
	const char *before = getenv("LD_PRELOAD");
	char file[PATH_MAX];
	char *both;

	if (!main_library(file))
		return false;
	if (strpbrk(file, ": ") != NULL)
		return main_fail("%s: cannot be preloaded from a folder of "
				 "that name",
		    file);
	if (before == NULL || before[0] == 0)
		return setenv("LD_PRELOAD", file, 1) == 0;
	if (asprintf(&both, "%s:%s", file, before) < 0)
		return main_fail("no memory");
	setenv("LD_PRELOAD", both, 1);
	free(both);
	return true;
}

/* Whether the program is where execvp looks for it: if not, no directory shall
   be left behind. */
static bool
main_finds(const char *program)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];
	size_t length = 0;

	if (strchr(program, '/') != NULL)
		return access(program, X_OK) == 0 ||
		    main_fail("%s: %s", program, strerror(errno));
	for (path = path == NULL ? "/bin:/usr/bin" : path;;
	     path += length + 1) {
		length = strcspn(path, ":");
		/* An empty one is the working directory. */
		snprintf(file, sizeof(file), "%.*s%s%s", (int)length, path,
		    length == 0 ? "" : "/", program);
		if (access(file, X_OK) == 0)
			return true;
		if (path[length] == 0)
			return main_fail("%s: %s", program, strerror(ENOENT));
	}
}

/* Become the program. */
static int
main_run(struct main_options *o, char **program)
{
	char directory[PATH_MAX];

	if (!main_finds(program[0]))
		return 1;
	if (job_directory(o->run, program[0], directory) && main_preload()) {
		main_set(o, directory);
		if (o->run == NULL && !o->quiet && job_rank() <= 0)
			fprintf(stderr, "eventspace mpi: recording to %s\n",
			    directory);
	} else if (job_rank() <= 0) {
		fprintf(stderr,
		    "eventspace mpi: %s runs without being recorded\n",
		    program[0]);
	}
	execvp(program[0], program);
	main_fail("%s: %s", program[0], strerror(errno));
	return 1;
}

int
main(int argc, char **argv)
{
	struct main_options o = { .modes = ES_MODE_ALL };

	paths_log_name("eventspace mpi");
	if (!main_arguments(&o, argc, argv) ||
	    (o.control == NULL && !main_keep(&o))) {
		fputs(usage, stderr);
		return 2;
	}
	if (o.control != NULL)
		return control_main(o.control, argv + optind);
	return main_run(&o, argv + optind);
}
