/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/export_main.c - eventspace export: writes a run in the formats
 * of other tools
 */

#include "scopes/command/diagnose_private.h"
#include "scopes/command/interrupt_private.h"
#include "scopes/export/export_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/ompi_monitoring_matrix_private.h"
#include "scopes/export/ompi_monitoring_private.h"
#include "scopes/export/target_private.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char export_text[] =
    "Writes a run in the format of another tool.  Formats of events:\n"
    "\n"
    "  ctf        folder for babeltrace2 and Trace Compass\n"
    "  perfetto   file for ui.perfetto.dev and trace_processor\n"
    "  chrome     JSON file for chrome://tracing, Perfetto, speedscope\n"
    "  otf2       folder for Vampir and otf2-print\n"
    "  csv        file with a line for each tuple, for SQLite, DuckDB, R\n"
    "\n"
    "Formats of messages between MPI ranks, with OUT a prefix:\n"
    "\n"
    "  prof       files OUT.RANK.prof of Open MPI's monitoring, one for each "
    "rank\n"
    "  mat        files OUT_{size,msg,avg}_{external,osc,coll}.mat, the same as\n"
    "             matrices with a row for each source";

typedef paths_status matrix_write(const struct es_mpi *mpi, const char *prefix);

static const struct {
	const char *name;
	matrix_write *write;
} matrices[] = {
	{ "prof", es__export_ompi_monitoring },
	{ "mat", es__export_ompi_monitoring_matrix },
};

struct command {
	struct es_command command; /* first */
	const char *run;
	const char *format;
	const char *clock;
	const char *out;
	bool others; /* the other event spaces in place of the run's */
	bool no_arrows;
	bool all_args;
	double since; /* begin of the export, in seconds */
	double shown; /* last time that progress was shown, in seconds */
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

/* Prints the progress on a terminal, once a second has passed. */
static void
progress_show(struct command *command, const struct es__export *export)
{
	char share[PATHS_UNIT_TEXT_BYTES], tuples[PATHS_UNIT_TEXT_BYTES];
	double now = seconds();

	if (command->command.quiet || now - command->since < 1.0 ||
	    now - command->shown < 0.2)
		return;
	command->shown = now;
	fprintf(stderr, "\r\033[Keventspace export: %s, %s of %s tuples ...",
	    command->format,
	    paths_unit_text(PATHS_UNIT_SHARE,
		(double)export->done / (double)export->tuples, share),
	    paths_unit_text(PATHS_UNIT_WHOLE, (double)export->tuples, tuples));
	(void)fflush(stderr);
}

static paths_status
beat(struct es__export *export, void *to)
{
	struct command *command = to;

	if (es__interrupt_caught())
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
	paths_status st =
	    (command->others ? es_analysis_open_others : es_analysis_open)(run,
		0, command->clock, &analysis);

	if (st != PATHS_OK)
		return st;
	st = es__export_open(&export, analysis, !command->no_arrows,
	    format->requests);
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

/* Exports events.  Refuses an existing file or folder before the analysis. */
static paths_status
events_export(struct command *command, struct es_run *run)
{
	const struct es__export_format *format =
	    es__export_format_find(command->format);
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

/* Reports the event spaces that will be left out. */
static void
export_tell_others(const struct command *command, struct es_run *run)
{
	struct es_run *others = es_run_others(run);
	uint32_t count = 0;

	if (!command->others && others != NULL && others != run)
		count = es_run_map(others)->process_count;
	if (count > 0)
		es_run_diagnose(run, ES_WARNING, command->format,
		    "%" PRIu32 " other event space%s in the directory %s left "
		    "out; --others exports %s",
		    count, count == 1 ? "" : "s", count == 1 ? "is" : "are",
		    count == 1 ? "it" : "them");
}

static int
export_run(struct command *command)
{
	matrix_write *matrix = matrix_find(command->format);
	int status = PATHS_COMMAND_DONE;
	struct es_run *run;
	paths_status st = es_run_open(command->run, &run);

	if (st != PATHS_OK)
		return es_command_fail(&command->command);
	if (matrix == NULL) {
		export_tell_others(command, run);
		st = events_export(command, run);
	} else if (es_run_mpi(run) == NULL) {
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: not a run of MPI processes", command->run);
	} else {
		st = matrix(es_run_mpi(run), command->out);
	}
	if (st != PATHS_OK)
		status = es_command_fail(&command->command);
	else if (matrix == NULL)
		status = es__diagnose_print(&command->command,
		    command->others ? es_run_others(run) : run);
	es_run_close(run);
	return status;
}

static paths_status
export_check_format(const char *name)
{
	struct paths_nearest nearest;

	if (matrix_find(name) != NULL || es__export_format_find(name) != NULL)
		return PATHS_OK;
	paths_nearest_init(&nearest, name);
	es__export_format_try(&nearest);
	for (size_t n = 0; n < sizeof(matrices) / sizeof(matrices[0]); n++)
		paths_nearest_try(&nearest, matrices[n].name);
	return paths_log_fail(PATHS_ENOENT, "no such format%s",
	    paths_nearest_hint(&nearest));
}

static const struct paths_command_option export_options[] = {
	{ "format", 0, "FORMAT", "format of the output, as above", 0,
	    PATHS_COMMAND_TO_CHECKED(struct command, format,
		export_check_format) },
	{ "output", 'o', "OUT",
	    "file, folder or prefix to write; with formats of events it must "
	    "not exist",
	    0, PATHS_COMMAND_TO_WORD(struct command, out) },
	{ "others", 0, NULL,
	    "the event spaces that are not those of the run's processes, with "
	    "tuples of other types, in place of the run's",
	    0, PATHS_COMMAND_TO_FLAG(struct command, others) },
	{ "no-arrows", 0, NULL, "no arrows from sends to receives", 0,
	    PATHS_COMMAND_TO_FLAG(struct command, no_arrows) },
	{ "args", 0, NULL, "perfetto: every field of a tuple as an argument", 0,
	    PATHS_COMMAND_TO_FLAG(struct command, all_args) },
	ES_COMMAND_CLOCK(struct command, clock),
	PATHS_COMMAND_QUIET(struct command, command.quiet),
};

static const struct paths_command_operand export_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct command, run) },
};

static const struct paths_command export_command = {
	.verb = "export",
	.about = "a run in the formats of other tools",
	.usage = "[OPTIONS] RUN --format FORMAT -o OUT",
	.text = export_text,
	PATHS_COMMAND_OPTIONS(export_options),
	PATHS_COMMAND_OPERANDS(export_operands),
};

/* Checks the command line.  Returns the exit status, or PATHS_COMMAND_GO_ON. */
static int
export_check(const struct command *command)
{
	const struct es__export_format *format;

	if (command->format == NULL || command->out == NULL)
		return paths_command_wrong("export", "%s is missing",
		    command->format == NULL ? "--format FORMAT" : "-o OUT");
	if (matrix_find(command->format) != NULL)
		return command->others ?
		    paths_command_wrong("export",
			"--others: format %s has no tuples", command->format) :
		    PATHS_COMMAND_GO_ON;
	format = es__export_format_find(command->format);
	if (format->write == NULL)
		return paths_command_fail("export",
		    "this eventspace was built without the library of %s",
		    command->format);
	return PATHS_COMMAND_GO_ON;
}

int
main(int argc, char **argv)
{
	struct command command = { .command.verb = "export" };
	int status = paths_command_read(&export_command, &command, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = export_check(&command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	paths_log_name("eventspace export");
	es__interrupt_catch();
	return export_run(&command);
}
