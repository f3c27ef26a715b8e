/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/view_main.c - eventspace view: shows a run in a window, as
 * pictures or as a page
 */

#include "viewer/command/batch.h"
#include "viewer/command/list.h"
#include "viewer/command/resolve.h"
#include "viewer/command/window.h"
#include "viewer/model/rows.h"
#include "viewer/report/report.h"

#include "scopes/command/plugins.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <stdlib.h>
#include <string.h>

static paths_status
view_size(const char *word, void *values)
{
	struct esv__view *view = values;
	char *end;
	double width = strtod(word, &end), height = 0.0;

	if (*end == 'x')
		height = strtod(end + 1, &end);
	if (*end != '\0' || !(width >= 40.0 && width <= 32767.0) ||
	    !(height >= 40.0 && height <= 32767.0))
		return paths_log_fail(PATHS_ESYNTAX,
		    "expected a size like 800x400, 40 to 32767 either way");
	view->width = width;
	view->height = height;
	return PATHS_OK;
}

static paths_status
view_scale(const char *word, void *values)
{
	struct esv__view *view = values;
	char *end;
	double scale = strtod(word, &end);

	if (*end != '\0' || !(scale >= 0.1 && scale <= 20.0))
		return paths_log_fail(PATHS_ESYNTAX,
		    "expected a factor of 0.1 to 20");
	view->scale = scale;
	view->scale_text = word;
	return PATHS_OK;
}

static paths_status
view_theme(const char *word, void *values)
{
	if (esv_theme_find(word) == NULL)
		return paths_log_fail(PATHS_ESYNTAX, "expected light or dark");
	((struct esv__view *)values)->theme = word;
	return PATHS_OK;
}

static paths_status
view_level(const char *word, void *values)
{
	enum esv_row_kind kind;

	if (!esv_row_kind_find(word, &kind))
		return paths_log_fail(PATHS_ESYNTAX,
		    "expected thread, process, host or run");
	((struct esv__view *)values)->level = word;
	return PATHS_OK;
}

static paths_status
view_colour(const char *word, void *values)
{
	struct esv__view *view = values;

	view->colour_text = word;
	return esv_colour_by_find(word, &view->colour) ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ESYNTAX,
		"expected group, function, wait, share, site, "
		"communicator, peer, bytes or step");
}

/* Reads names of classes with commas between them. */
static paths_status
view_hide(const char *word, void *values)
{
	struct esv__view *view = values;

	view->hide_text = word;
	while (*word != '\0') {
		size_t length = strcspn(word, ",");
		uint32_t class;
		enum esv_colour_by by = esv_class_find(word, length, &class);

		if (by == ESV_BY_COUNT)
			return paths_log_fail(PATHS_ESYNTAX,
			    "expected waiting, groups of operations as in the "
			    "legend, no-core, or classes as site-3");
		view->hidden_by[by] |= 1u << class;
		word += length;
		word += *word == ',';
	}
	return PATHS_OK;
}

static const struct paths_command_option view_options[] = {
	PATHS_COMMAND_TITLE("Output without a window:"),
	{ "batch", 0, "VIEW",
	    "picture of a view, of \"timeline\", or of \"all\"", 1,
	    PATHS_COMMAND_TO_WORD(struct esv__view, batch) },
	{ "output", 'o', "FILE",
	    "file of the picture: FILE.png, FILE.svg or FILE.pdf; of all views "
	    "FILE-VIEW.png and so on",
	    0, PATHS_COMMAND_TO_WORD(struct esv__view, output) },
	{ "report", 0, "FILE", "page in HTML with all views and tables", 1,
	    PATHS_COMMAND_TO_WORD(struct esv__view, report) },
	{ "list", 0, NULL, "list of the views of the run and their measures", 1,
	    PATHS_COMMAND_TO_FLAG(struct esv__view, list) },
	PATHS_COMMAND_TITLE("Contents of pictures:"),
	{ "from", 0, "TIME", "begin of the time shown, such as 1.5s or 300us",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct esv__view, t0_ns, TIME, 0,
		INT64_MAX) },
	{ "to", 0, "TIME", "end of the time shown", 0,
	    PATHS_COMMAND_TO_NUMBER(struct esv__view, t1_ns, TIME, 0,
		INT64_MAX) },
	{ "rows", 0, "PATTERN",
	    "threads, processes and hosts by name, with * and ?; several with "
	    "commas between them",
	    0, PATHS_COMMAND_TO_WORD(struct esv__view, rows_text) },
	{ "level", 0, "NAME",
	    "deepest rows of the timeline, and whose sums other views show: "
	    "host, process or thread; run",
	    0, PATHS_COMMAND_TO_CALL(view_level) },
	{ "colour", 0, "NAME",
	    "meaning of colours in the timeline: group, function, wait, share, "
	    "site, communicator, peer, bytes or step; default group",
	    0, PATHS_COMMAND_TO_CALL(view_colour) },
	{ "hide", 0, "CLASS",
	    "waiting, groups of operations, no-core, or classes of another "
	    "colour, as site-3, to hide in the timeline; several with commas "
	    "between them",
	    0, PATHS_COMMAND_TO_CALL(view_hide) },
	{ "critical-path", 0, NULL, "critical path of the run in the timeline",
	    0, PATHS_COMMAND_TO_FLAG(struct esv__view, critical) },
	{ "delays", 0, NULL,
	    "delays in the timeline, with the waits that they caused", 0,
	    PATHS_COMMAND_TO_FLAG(struct esv__view, delays) },
	{ "highlight", 0, "THING",
	    "thing in a strong colour: thread=NAME, stage=NAME, step=NUMBER "
	    "...",
	    0, PATHS_COMMAND_TO_WORD(struct esv__view, highlight_text) },
	{ "subject", 0, "THING", "thing to show in a view of a single thing", 0,
	    PATHS_COMMAND_TO_WORD(struct esv__view, subject_text) },
	{ "measure", 0, "NAME", "measure of a view that has several", 0,
	    PATHS_COMMAND_TO_WORD(struct esv__view, measure) },
	PATHS_COMMAND_TITLE("Form:"),
	{ "size", 0, "WxH", "width and height in units of 1/96 inch", 0,
	    PATHS_COMMAND_TO_CALL(view_size) },
	{ "scale", 0, "FACTOR", "pixels for each unit; default 1", 0,
	    PATHS_COMMAND_TO_CALL(view_scale) },
	{ "theme", 0, "NAME", "colours: light or dark", 0,
	    PATHS_COMMAND_TO_CALL(view_theme) },
	{ "view", 0, "NAME", "view that the window opens with", 0,
	    PATHS_COMMAND_TO_WORD(struct esv__view, session_view) },
	{ "script", 0, "FILE", "Tcl commands to run in the window", 0,
	    PATHS_COMMAND_TO_WORD(struct esv__view, script) },
	ES_COMMAND_PLUGIN(struct esv__view, command.plugins),
	PATHS_COMMAND_QUIET(struct esv__view, command.quiet),
};

static const struct paths_command_operand view_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct esv__view, run) },
	{ "RUN2", true, PATHS_COMMAND_TO_OPERAND(struct esv__view, run2) },
};

static const struct paths_command view_command = {
	.verb = "view",
	.about = "a run in a window, as pictures or as a page",
	.usage = "[OPTIONS] RUN [RUN2]\n"
		 "--batch VIEW -o FILE [OPTIONS] RUN\n"
		 "--report FILE.html [OPTIONS] RUN [RUN2]\n"
		 "--list RUN",
	.text =
	    "Shows the views of a run in a window, and with RUN2 the "
	    "differences of two runs.\nWithout a display it draws pictures, "
	    "or a page for a browser.\nRUN is a run directory or a view.db.",
	PATHS_COMMAND_OPTIONS(view_options),
	PATHS_COMMAND_OPERANDS(view_operands),
};

/* Refuses options of pictures for the page and the window.  Returns the exit
   status, or PATHS_COMMAND_GO_ON. */
static int
view_check_shown(const struct esv__view *view)
{
	const struct {
		const char *option;
		bool given;
	} shown[] = {
		{ "--from", !view->whole },
		{ "--to", view->t1_ns > 0 },
		{ "--rows", view->rows_text != NULL },
		{ "--level", view->level != NULL },
		{ "--colour", view->colour_text != NULL },
		{ "--hide", view->hide_text != NULL },
		{ "--critical-path", view->critical },
		{ "--delays", view->delays },
		{ "--highlight", view->highlight_text != NULL },
		{ "--subject", view->subject_text != NULL },
		{ "--measure", view->measure != NULL },
		{ "--size", view->width > 0.0 },
		{ "--theme", view->report != NULL && view->theme != NULL },
	};

	for (size_t n = 0; n < sizeof(shown) / sizeof(shown[0]); n++)
		if (shown[n].given)
			return paths_command_wrong("view",
			    "%s is for --batch: %s", shown[n].option,
			    view->report != NULL ?
				"the page has all views" :
				"the window is set with mouse and keys");
	return PATHS_COMMAND_GO_ON;
}

/* Refuses an unknown view.  Returns the exit status, or
   PATHS_COMMAND_GO_ON. */
static int
view_check_name(const char *option, const char *name)
{
	struct paths_nearest nearest;
	const struct esv_chart *chart;

	if (name == NULL || esv_chart_find(name) != NULL ||
	    strcmp(name, ESV__VIEW_TIMELINE) == 0 ||
	    strcmp(name, ESV__VIEW_ALL) == 0)
		return PATHS_COMMAND_GO_ON;
	paths_nearest_init(&nearest, name);
	for (size_t n = 0; (chart = esv_chart_get(n)) != NULL; n++)
		paths_nearest_try(&nearest, chart->name);
	paths_nearest_try(&nearest, ESV__VIEW_TIMELINE);
	return paths_command_wrong("view", "%s %s: no such view%s", option,
	    name, paths_nearest_hint(&nearest));
}

/* Refuses options that exclude each other.  Returns the exit status, or
   PATHS_COMMAND_GO_ON. */
static int
view_check(const struct esv__view *view)
{
	bool window =
	    view->batch == NULL && view->report == NULL && !view->list;

	if ((view->batch != NULL) != (view->output != NULL))
		return paths_command_wrong("view",
		    "--batch VIEW and -o FILE: one is given without the other");
	if (!window && view->report == NULL && view->run2 != NULL)
		return paths_command_wrong("view",
		    "%s: a second run is for the window and --report only",
		    view->run2);
	if (view->t1_ns > 0 && view->t1_ns <= view->t0_ns)
		return paths_command_wrong("view",
		    "--to: not later than --from");
	if (view->batch != NULL)
		return view_check_name("--batch", view->batch);
	return view->list ? PATHS_COMMAND_GO_ON : view_check_shown(view);
}

/* Writes the page, with a comparison if there is a second run. */
static paths_status
view_report(struct esv__view *view)
{
	struct esv_report_other other = { .names = { view->run, view->run2 } };
	paths_status st;

	if (view->run2 == NULL)
		return esv_report_write(view->model, NULL, view->report);
	st = esv_model_open(view->file2.path, &other.model);
	if (st != PATHS_OK)
		return st;
	st = esv_report_write(view->model, &other, view->report);
	esv_model_close(other.model);
	return st;
}

static paths_status
view_do(struct esv__view *view)
{
	paths_status st = esv__resolve_options(view);

	if (st == PATHS_OK && view->list)
		st = esv__list_print(view);
	else if (st == PATHS_OK && view->report != NULL)
		st = view_report(view);
	else if (st == PATHS_OK)
		st = esv__batch_draw(view);
	return st;
}

/* Draws a picture, or writes the page or the list. */
static paths_status
view_draw(struct esv__view *view)
{
	paths_status st = esv_model_open(view->file.path, &view->model);

	if (st != PATHS_OK)
		return st;
	st = view_do(view);
	esv_model_close(view->model);
	free(view->rows);
	free(view->timeline_rows);
	return st;
}

/* status: out, the exit status of the window. */
static paths_status
view_run(struct esv__view *view, int *status)
{
	paths_status st =
	    es_command_file_find(&view->command, view->run, &view->file);

	if (st != PATHS_OK)
		return st;
	if (view->run2 != NULL)
		st = es_command_file_find(&view->command, view->run2,
		    &view->file2);
	if (st == PATHS_OK)
		st =
		    view->batch == NULL && view->report == NULL && !view->list ?
		    esv__window_run(view, status) :
		    view_draw(view);
	if (view->run2 != NULL)
		es_command_file_remove(&view->file2);
	es_command_file_remove(&view->file);
	return st;
}

int
main(int argc, char **argv)
{
	struct esv__view view = { .scale = 1.0,
		.colour = ESV_BY_GROUP,
		.t0_ns = UINT64_MAX,
		.command.verb = "view" };
	int status = paths_command_read(&view_command, &view, argc, argv);

	view.whole = view.t0_ns == UINT64_MAX;
	view.t0_ns = view.whole ? 0 : view.t0_ns;
	if (status == PATHS_COMMAND_GO_ON)
		status = view_check(&view);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	status = es_command_plugins(&view.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	status = PATHS_COMMAND_DONE;
	return view_run(&view, &status) == PATHS_OK ?
	    status :
	    es_command_fail(&view.command);
}
