/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/view_main.c - eventspace view: a run in a window, or as
 * pictures
 */

#include "viewer/command/view_private.h"
#include "viewer/report/report.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: eventspace view [OPTIONS] RUN [RUN2]\n"
    "       eventspace view --batch VIEW -o FILE [OPTIONS] RUN\n"
    "       eventspace view --report FILE.html [OPTIONS] RUN\n"
    "       eventspace view --list RUN\n"
    "\n"
    "Shows the views of a run in a window, and with RUN2 how two runs differ.\n"
    "RUN is a run directory or a view.db.  Without a display, as pictures or\n"
    "as a page that a browser shows.\n"
    "\n"
    "  --batch VIEW      draw a view, \"timeline\", or \"all\" of them\n"
    "  -o, --output FILE where to: FILE.png, FILE.svg or FILE.pdf; of all\n"
    "                    views FILE-VIEW.png and so on\n"
    "  --report FILE     all views and tables on one page, in HTML\n"
    "  --list            which views this run has, and what they can show\n"
    "\n"
    "What is shown:\n"
    "  --from T, --to T  a part of time: 1.5s, 20ms, 300us, 7ns\n"
    "  --rows PATTERN    threads, processes and hosts by name, with * and ?;\n"
    "                    several between commas\n"
    "  --highlight THING thread=NAME, stage=NAME, step=NUMBER ...\n"
    "  --subject THING   what a view is about, where it is about one thing\n"
    "  --measure NAME    what a view shows, where there is a choice\n"
    "\n"
    "How:\n"
    "  --size WxH        in units of 1/96 inch\n"
    "  --scale FACTOR    so many pixels a unit; 1\n"
    "  --theme NAME      light or dark\n"
    "  --view NAME       open the window with this view\n"
    "  --script FILE     run Tcl commands in the window\n"
    "  --quiet           say nothing but errors\n"
    "  --help            this text\n";

enum option_name {
	OPTION_BATCH = 256,
	OPTION_REPORT,
	OPTION_LIST,
	OPTION_FROM,
	OPTION_TO,
	OPTION_ROWS,
	OPTION_HIGHLIGHT,
	OPTION_SUBJECT,
	OPTION_MEASURE,
	OPTION_SIZE,
	OPTION_SCALE,
	OPTION_THEME,
	OPTION_VIEW,
	OPTION_SCRIPT
};

static const struct option options[] = {
	{ "batch", required_argument, NULL, OPTION_BATCH },
	{ "output", required_argument, NULL, 'o' },
	{ "report", required_argument, NULL, OPTION_REPORT },
	{ "list", no_argument, NULL, OPTION_LIST },
	{ "from", required_argument, NULL, OPTION_FROM },
	{ "to", required_argument, NULL, OPTION_TO },
	{ "rows", required_argument, NULL, OPTION_ROWS },
	{ "highlight", required_argument, NULL, OPTION_HIGHLIGHT },
	{ "subject", required_argument, NULL, OPTION_SUBJECT },
	{ "measure", required_argument, NULL, OPTION_MEASURE },
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "scale", required_argument, NULL, OPTION_SCALE },
	{ "theme", required_argument, NULL, OPTION_THEME },
	{ "view", required_argument, NULL, OPTION_VIEW },
	{ "script", required_argument, NULL, OPTION_SCRIPT },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "about", no_argument, NULL, 'A' },
	{ NULL, 0, NULL, 0 },
};

static int
view_time(struct es__view *view, const char *option, const char *word,
    double *time_ns)
{
	uint64_t ns;

	if (paths_unit_parse(PATHS_UNIT_TIME, word, 0, INT64_MAX, &ns) !=
	    PATHS_OK)
		return es_command_usage(&view->command, "%s %s: %s", option,
		    word, paths_log_last());
	*time_ns = (double)ns;
	return -1;
}

static int
view_size(struct es__view *view, const char *word)
{
	char *end;
	double width = strtod(word, &end), height = 0.0;

	if (*end == 'x')
		height = strtod(end + 1, &end);
	if (*end != '\0' || !(width >= 40.0 && width <= 32767.0) ||
	    !(height >= 40.0 && height <= 32767.0))
		return es_command_usage(&view->command,
		    "--size %s: a size like 800x400 was expected, 40 to 32767"
		    " either way",
		    word);
	view->width = width;
	view->height = height;
	return -1;
}

static int
view_scale(struct es__view *view, const char *word)
{
	char *end;
	double scale = strtod(word, &end);

	if (*end != '\0' || !(scale >= 0.1 && scale <= 20.0))
		return es_command_usage(&view->command,
		    "--scale %s: a factor of 0.1 to 20 was expected", word);
	view->scale = scale;
	view->scale_text = word;
	return -1;
}

static int
view_theme(struct es__view *view, const char *word)
{
	if (es_theme_find(word) == NULL)
		return es_command_usage(&view->command,
		    "--theme %s: light or dark was expected", word);
	view->theme = word;
	return -1;
}

/* Where an option's word is kept as it is; NULL: not of this one. */
static const char **
view_word(struct es__view *view, int option)
{
	switch (option) {
	case OPTION_BATCH:
		return &view->batch;
	case OPTION_REPORT:
		return &view->report;
	case 'o':
		return &view->output;
	case OPTION_ROWS:
		return &view->rows_text;
	case OPTION_HIGHLIGHT:
		return &view->highlight_text;
	case OPTION_SUBJECT:
		return &view->subject_text;
	case OPTION_MEASURE:
		return &view->measure;
	case OPTION_VIEW:
		return &view->session_view;
	case OPTION_SCRIPT:
		return &view->script;
	default:
		return NULL;
	}
}

/* Returns the exit status, or -1: go on. */
static int
view_option(struct es__view *view, int option, char **argv)
{
	const char **word = view_word(view, option);

	if (word != NULL) {
		*word = optarg;
		return -1;
	}
	switch (option) {
	case OPTION_LIST:
		view->list = true;
		return -1;
	case OPTION_FROM:
		return view_time(view, "--from", optarg, &view->t0_ns);
	case OPTION_TO:
		return view_time(view, "--to", optarg, &view->t1_ns);
	case OPTION_SIZE:
		return view_size(view, optarg);
	case OPTION_SCALE:
		return view_scale(view, optarg);
	case OPTION_THEME:
		return view_theme(view, optarg);
	default:
		return es_command_option(&view->command, option, argv);
	}
}

/* Of the page and of the window: what only pictures are told.  Returns the exit
   status, or -1: go on. */
static int
view_check_shown(const struct es__view *view)
{
	const struct {
		const char *option;
		bool given;
	} shown[] = {
		{ "--from", view->t0_ns > 0.0 },
		{ "--to", view->t1_ns > 0.0 },
		{ "--rows", view->rows_text != NULL },
		{ "--highlight", view->highlight_text != NULL },
		{ "--subject", view->subject_text != NULL },
		{ "--measure", view->measure != NULL },
		{ "--size", view->width > 0.0 },
		{ "--theme", view->report != NULL && view->theme != NULL },
	};

	for (size_t n = 0; n < sizeof(shown) / sizeof(shown[0]); n++)
		if (shown[n].given)
			return es_command_usage(&view->command,
			    "%s is for --batch: %s", shown[n].option,
			    view->report != NULL ?
				"the page shows all, as the browser likes it" :
				"in the window that is chosen with the mouse "
				"and keys");
	return -1;
}

/* Options that do not go together.  Returns the exit status, or -1: go on. */
static int
view_check(const struct es__view *view)
{
	int doing = (view->batch != NULL) + (view->report != NULL) + view->list;

	if (doing > 1)
		return es_command_usage(&view->command,
		    "only one of --batch, --report and --list was expected");
	if ((view->batch != NULL) != (view->output != NULL))
		return es_command_usage(&view->command,
		    "--batch VIEW and -o FILE were expected together");
	if (doing == 1 && view->run2 != NULL)
		return es_command_usage(&view->command,
		    "%s: two runs are shown in the window only", view->run2);
	if (view->t1_ns > 0.0 && view->t1_ns <= view->t0_ns)
		return es_command_usage(&view->command,
		    "--to: not later than --from");
	return view->batch != NULL || view->list ? -1 : view_check_shown(view);
}

/* With the run open. */
static paths_status
view_do(struct es__view *view)
{
	paths_status st = es__view_resolve(view);

	if (st == PATHS_OK && view->list)
		st = es__view_list(view);
	else if (st == PATHS_OK && view->report != NULL)
		st = es_report_write(view->model, &view->command, view->report);
	else if (st == PATHS_OK)
		st = es__view_batch(view);
	return st;
}

/* Computed where that was not done yet; then only read. */
static paths_status
view_compute(const struct es__view *view, const char *run)
{
	struct es_store *store;
	paths_status st = es_command_store(&view->command, run, &store);

	if (st == PATHS_OK)
		es_store_close(store);
	return st;
}

static paths_status
view_run(struct es__view *view)
{
	paths_status st = view_compute(view, view->run);

	if (st == PATHS_OK && view->run2 != NULL)
		st = view_compute(view, view->run2);
	if (st != PATHS_OK)
		return st;
	if (view->batch == NULL && view->report == NULL && !view->list)
		return es__view_window(view);
	st = es_model_open(view->run, &view->model);
	if (st != PATHS_OK)
		return st;
	st = view_do(view);
	es_model_close(view->model);
	free(view->rows);
	return st;
}

int
main(int argc, char **argv)
{
	struct es__view view = { .scale = 1.0,
		.command = { .verb = "view",
		    .about = "a run in a window, as pictures or as a page",
		    .help = help } };
	int option, status;

	opterr = 0;
	while (
	    (option = getopt_long(argc, argv, ":o:qh", options, NULL)) != -1) {
		status = view_option(&view, option, argv);
		if (status >= 0)
			return status;
	}
	if (argc - optind < 1 || argc - optind > 2)
		return es_command_usage(&view.command,
		    "one or two runs were expected");
	view.run = argv[optind];
	view.run2 = argc - optind == 2 ? argv[optind + 1] : NULL;
	status = view_check(&view);
	if (status >= 0)
		return status;
	return view_run(&view) == PATHS_OK ? ES_DONE :
					     es_command_fail(&view.command);
}
