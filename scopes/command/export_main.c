/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/export_main.c - eventspace export: a run in the formats of
 * others
 */

#include "scopes/command/command_private.h"
#include "scopes/export/export_private.h"
#include "scopes/export/file_private.h"
#include "scopes/export/ompi_monitoring_private.h"

#include "libpaths/log.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: eventspace export [OPTIONS] RUN --format FORMAT -o OUT\n"
    "\n"
    "Writes a run in the format of another tool.  Formats of events:\n"
    "\n"
    "  ctf        a folder for babeltrace2 and Trace Compass\n"
    "  perfetto   a file for ui.perfetto.dev and trace_processor\n"
    "  chrome     a JSON file for chrome://tracing, Perfetto, speedscope\n"
    "  otf2       a folder for Vampir and otf2-print\n"
    "  csv        a file with a line for each tuple, for SQLite, DuckDB, R\n"
    "\n"
    "of what was sent between ranks of MPI, with OUT a PREFIX:\n"
    "\n"
    "  prof       as Open MPI's monitoring writes it, a file PREFIX.RANK.prof\n"
    "             for each rank; for profile2mat\n"
    "  mat        the same as matrices, a row for each source:\n"
    "             PREFIX_{size,msg,avg}_{external,osc,coll}.mat\n"
    "\n"
    "  --format   the format\n"
    "  -o OUT     what to write; of events it must not be there yet\n"
    "  --no-arrows  leave out from where to where messages went\n"
    "  --args     perfetto: every field of a tuple as an argument\n"
    "  --clock METHOD  how the clocks of hosts are brought together\n"
    "  --quiet    say nothing but errors\n"
    "  --help     this text\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "output", required_argument, NULL, 'o' },
	{ "no-arrows", no_argument, NULL, 'n' },
	{ "args", no_argument, NULL, 'a' },
	{ "clock", required_argument, NULL, 'c' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "about", no_argument, NULL, 'A' },
	{ NULL, 0, NULL, 0 },
};

typedef paths_status matrix_write(const struct es_mpi *mpi, const char *prefix);

static const struct {
	const char *name;
	matrix_write *write;
} matrices[] = {
	{ "prof", es__prof_export },
	{ "mat", es__mat_export },
};

struct command {
	struct es_command command; /* first */
	const char *run;
	const char *format;
	const char *clock;
	const char *out;
	bool arrows;
	bool all_args;
	double since; /* when it began to write */
	double shown; /* when progress was shown last */
};

static matrix_write *
matrix_find(const char *name)
{
	for (size_t n = 0; n < sizeof(matrices) / sizeof(matrices[0]); n++) {
		if (strcmp(matrices[n].name, name) == 0)
			return matrices[n].write;
	}
	return NULL;
}

static double
seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* How much is done, where somebody looks and waits for it. */
static void
progress_show(struct command *command, const struct es__export *export)
{
	double now = seconds();

	if (command->command.quiet || now - command->since < 1.0 ||
	    now - command->shown < 0.2)
		return;
	command->shown = now;
	fprintf(stderr,
	    "\r\033[Keventspace export: %s, %.0f %% of %" PRIu64 " tuples ...",
	    command->format,
	    100.0 * (double)export->done / (double)export->tuples,
	    export->tuples);
	(void)fflush(stderr);
}

static paths_status
beat(struct es__export *export, void *to)
{
	struct command *command = to;

	if (es__command_caught())
		return paths_log_fail(PATHS_ECANCELED, "interrupted");
	if (isatty(STDERR_FILENO))
		progress_show(command, export);
	return PATHS_OK;
}

static paths_status
format_write(struct es__export *export, const struct es__export_format *format,
    const char *to)
{
	paths_status st;

	if (format->shifts && export->shift_ns > 0)
		es_run_diagnose(export->run, ES_WARNING, format->name,
		    "times are %" PRId64 " ns later than those of the run,"
		    " which begin before 0",
		    export->shift_ns);
	st = format->write(export, to);
	es__export_tell(export, format->name);
	return st;
}

static paths_status
events_write(struct command *command, struct es_run *run,
    const struct es__export_format *format, const char *to)
{
	struct es_analysis *analysis;
	struct es__export export;
	paths_status st = es_analysis_open(run, 0, command->clock, &analysis);

	if (st != PATHS_OK)
		return st;
	st = es__export_open(&export, analysis, command->arrows);
	export.all_args = command->all_args;
	export.beat = beat;
	export.beat_to = command;
	command->since = seconds();
	if (st == PATHS_OK)
		st = format_write(&export, format, to);
	if (command->shown > 0)
		fputs("\r\033[K", stderr);
	es__export_close(&export);
	es_analysis_close(analysis);
	return st;
}

/* What is there already is refused before anything is read. */
static paths_status
events_export(struct command *command, struct es_run *run)
{
	const struct es__export_format *format =
	    es__export_format(command->format);
	struct es__export_target target;
	paths_status st =
	    es__export_target_open(&target, command->out, format->folder);

	if (st == PATHS_OK)
		st = events_write(command, run, format, target.temporary);
	if (st == PATHS_OK)
		st = es__export_target_commit(&target);
	es__export_target_close(&target);
	return st;
}

static int
export_run(struct command *command)
{
	matrix_write *matrix = matrix_find(command->format);
	int status = ES_DONE;
	struct es_run *run;
	paths_status st = es_run_open(command->run, &run);

	if (st != PATHS_OK)
		return es_command_fail(&command->command);
	if (matrix == NULL)
		st = events_export(command, run);
	else if (es_run_mpi(run) == NULL)
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: not a run of MPI processes", command->run);
	else
		st = matrix(es_run_mpi(run), command->out);
	if (st != PATHS_OK)
		status = es_command_fail(&command->command);
	else if (matrix == NULL)
		status = es__command_diagnose(&command->command, run);
	es_run_close(run);
	return status;
}

/* Returns the exit status, or -1: go on. */
static int
export_option(struct command *command, int option, char **argv)
{
	switch (option) {
	case 'f':
		command->format = optarg;
		return -1;
	case 'o':
		command->out = optarg;
		return -1;
	case 'c':
		command->clock = optarg;
		return -1;
	case 'n':
		command->arrows = false;
		return -1;
	case 'a':
		command->all_args = true;
		return -1;
	default:
		return es_command_option(&command->command, option, argv);
	}
}

int
main(int argc, char **argv)
{
	struct command command = { .arrows = true,
		.command = { .verb = "export",
		    .about = "a run in the formats of other tools",
		    .help = help } };
	int option;

	opterr = 0;
	while (
	    (option = getopt_long(argc, argv, ":qho:", options, NULL)) != -1) {
		int status = export_option(&command, option, argv);

		if (status >= 0)
			return status;
	}
	if (argc - optind != 1 || command.format == NULL || command.out == NULL)
		return es_command_usage(&command.command,
		    "a run, --format and -o were expected");
	if (matrix_find(command.format) == NULL &&
	    es__export_format(command.format) == NULL)
		return es_command_usage(&command.command, "no format %s",
		    command.format);
	if (matrix_find(command.format) == NULL &&
	    es__export_format(command.format)->write == NULL) {
		(void)paths_log_fail(PATHS_EINVAL,
		    "this eventspace was built without the library of %s",
		    command.format);
		return es_command_fail(&command.command);
	}
	command.run = argv[optind];
	paths_log_name("eventspace export");
	es__command_catch();
	return export_run(&command);
}
