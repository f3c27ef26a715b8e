/* SPDX-License-Identifier: MIT */
/*
 * scopes/export_main.c - eventspace export: a run in the formats of others
 */

#include "scopes/command.h"
#include "scopes/matrix_file_private.h"

#include "libpaths/log.h"

#include <getopt.h>
#include <string.h>

static const char help[] =
    "usage: eventspace export [OPTIONS] RUN --format FORMAT -o PREFIX\n"
    "\n"
    "Writes a run in the format of another tool.  Formats:\n"
    "\n"
    "  prof       the matrix of MPI as Open MPI's monitoring writes it, a\n"
    "             file PREFIX.RANK.prof for each rank; for profile2mat\n"
    "  mat        the same as matrices, a row for each source:\n"
    "             PREFIX_{size,msg,avg}_{external,osc,coll}.mat\n"
    "\n"
    "  --format   the format\n"
    "  -o PREFIX  how the names of the files begin\n"
    "  --quiet    say nothing but errors\n"
    "  --help     this text\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "about", no_argument, NULL, 'A' },
	{ NULL, 0, NULL, 0 },
};

typedef paths_status export_write(const struct es_mpi *mpi, const char *prefix);

static const struct {
	const char *name;
	export_write *write;
} formats[] = {
	{ "prof", es__prof_export },
	{ "mat", es__mat_export },
};

static export_write *
format_find(const char *name)
{
	for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++) {
		if (strcmp(formats[n].name, name) == 0)
			return formats[n].write;
	}
	return NULL;
}

static paths_status
export_run(const char *dir, export_write *write, const char *prefix)
{
	struct es_run *run;
	paths_status st = es_run_open(dir, &run);

	if (st != PATHS_OK)
		return st;
	if (es_run_mpi(run) == NULL)
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: not a run of MPI processes", dir);
	else
		st = write(es_run_mpi(run), prefix);
	es_run_close(run);
	return st;
}

int
main(int argc, char **argv)
{
	struct es_command command = { .verb = "export",
		.about = "a run in the formats of other tools",
		.help = help };
	const char *format = NULL, *prefix = NULL;
	int option;

	opterr = 0;
	while (
	    (option = getopt_long(argc, argv, ":qho:", options, NULL)) != -1) {
		int status = -1;

		if (option == 'f')
			format = optarg;
		else if (option == 'o')
			prefix = optarg;
		else
			status = es_command_option(&command, option, argv);
		if (status >= 0)
			return status;
	}
	if (argc - optind != 1 || format == NULL || prefix == NULL)
		return es_command_usage(&command,
		    "a run, --format and -o were expected");
	if (format_find(format) == NULL)
		return es_command_usage(&command, "no format %s", format);
	if (export_run(argv[optind], format_find(format), prefix) != PATHS_OK)
		return es_command_fail(&command);
	return ES_DONE;
}
