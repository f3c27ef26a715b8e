/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/show_main.c - eventspace show: views of a run in the terminal
 */

#include "scopes/show/show_private.h"

#include "libpaths/log.h"

#include <getopt.h>
#include <stdlib.h>

static const char help[] =
    "usage: eventspace show [OPTIONS] RUN [VIEW]\n"
    "\n"
    "Shows a view of a run as a table, ids as names and times in units that\n"
    "suit; without VIEW what ran, what to distrust, and which views there\n"
    "are.  RUN is a run directory or a view.db.\n"
    "\n"
    "  --csv        one table as it is: comma-separated values\n"
    "  --json       one table as it is: an array of objects\n"
    "  --limit N    at most N rows of a table, 0: all; without --csv and\n"
    "               --json 50\n"
    "  --quiet      say nothing but errors\n"
    "  --help       this text\n";

static const struct option options[] = {
	{ "csv", no_argument, NULL, 'c' },
	{ "json", no_argument, NULL, 'j' },
	{ "limit", required_argument, NULL, 'l' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "about", no_argument, NULL, 'A' },
	{ NULL, 0, NULL, 0 },
};

#define LIMIT_UNSAID INT64_MIN

static int
show_limit(struct es_show *show, const char *word)
{
	char *end;
	long long limit = strtoll(word, &end, 10);

	if (*word < '0' || *word > '9' || *end != '\0')
		return es_command_usage(&show->command,
		    "--limit %s: a number of rows was expected", word);
	show->limit = limit == 0 ? -1 : limit;
	return -1;
}

/* Returns the exit status, or -1: go on. */
static int
show_option(struct es_show *show, int option, char **argv)
{
	switch (option) {
	case 'c':
		show->form = ES_SHOW_CSV;
		return -1;
	case 'j':
		show->form = ES_SHOW_JSON;
		return -1;
	case 'l':
		return show_limit(show, optarg);
	default:
		return es_command_option(&show->command, option, argv);
	}
}

int
main(int argc, char **argv)
{
	struct es_show show = { .limit = LIMIT_UNSAID,
		.form = ES_SHOW_TEXT,
		.out = stdout,
		.command = { .verb = "show",
		    .about = "views of a run in the terminal",
		    .help = help } };
	paths_status st;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":qh", options, NULL)) != -1) {
		int status = show_option(&show, option, argv);

		if (status >= 0)
			return status;
	}
	if (argc - optind < 1 || argc - optind > 2)
		return es_command_usage(&show.command,
		    "a run and a view were expected");
	if (show.limit == LIMIT_UNSAID)
		show.limit = show.form == ES_SHOW_TEXT ? ES_SHOW_LIMIT : -1;
	show.run = argv[optind];
	if (es_command_store(&show.command, show.run, &show.store) != PATHS_OK)
		return es_command_fail(&show.command);
	st = argc - optind == 2 ? es__show_view(&show, argv[optind + 1]) :
				  es__show_page(&show);
	es_store_close(show.store);
	return st == PATHS_OK ? ES_DONE : es_command_fail(&show.command);
}
