/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/batch.c - draws views of a run as pictures
 */

#include "viewer/command/batch.h"

#include "viewer/chart/timeline.h"
#include "viewer/event/causes.h"
#include "viewer/event/critical.h"
#include "viewer/figure/picture.h"

#include "libpaths/log.h"
#include "scopes/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 800.0
#define HEIGHT 420.0

/* The most operations that are highlighted. */
#define MOST_LINKS 100000

/* Adds an interval of a row: thread, start_ns, stop_ns.  An operation that did
   not end reaches to the end of the run. */
static paths_status
step_take(const struct esv__view *view, const struct es_rows *rows,
    struct esv_links *links)
{
	struct es_value thread, start, stop;
	uint32_t row;

	es_rows_get(rows, 0, &thread);
	es_rows_get(rows, 1, &start);
	es_rows_get(rows, 2, &stop);
	if (thread.kind != ES_INTEGER || start.kind != ES_INTEGER ||
	    thread.as.integer < 0 ||
	    thread.as.integer >= (int64_t)view->model->thread_count)
		return PATHS_OK;
	row = view->model->thread_rows[thread.as.integer];
	return esv_links_add(links, MOST_LINKS,
	    &(struct esv_link){ .from_row = row,
		.to_row = row,
		.from_ns = start.as.integer,
		.to_ns = stop.kind == ES_INTEGER ? stop.as.integer :
						   view->model->span_ns });
}

/* Finds the operations of the step to highlight on the timeline. */
static paths_status
batch_step(struct esv__view *view, struct esv_links *links)
{
	char sql[160];
	struct es_rows *rows;
	paths_status st;

	if (view->highlight.kind != ESV_THING_STEP)
		return PATHS_OK;
	if (view->model->run == NULL)
		return paths_log_fail(PATHS_ENOENT, "--highlight %s: %s",
		    view->highlight_text, view->model->raw_missing);
	/* MPI calls have no step: the view step has that of iterations. */
	snprintf(sql, sizeof(sql),
	    view->model->mpi ?
		"SELECT thread, start_ns, stop_ns FROM step"
		" WHERE %lld BETWEEN step AND step + steps - 1 LIMIT %d" :
		"SELECT thread, start_ns, stop_ns FROM interval"
		" WHERE step = %lld LIMIT %d",
	    (long long)view->highlight.id, MOST_LINKS);
	st = es_rows_open(view->model->store, sql, &rows, NULL);
	if (st != PATHS_OK)
		return st;
	while ((st = es_rows_next(rows)) == PATHS_OK &&
	    (st = step_take(view, rows, links)) == PATHS_OK)
		;
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
batch_write(const struct esv__view *view, enum esv_colour_by by,
    const struct esv_figure *figure, const char *file)
{
	const char *theme = view->theme == NULL ? "light" : view->theme;

	return esv_picture_write(figure,
	    esv_theme_by(esv_theme_find(theme), by), view->scale, file);
}

/* Returns the height of a timeline of chosen rows; row_count 0: of those that
   are shown by default. */
static double
timeline_height(const struct esv__view *view, uint32_t row_count)
{
	return view->height > 0.0 ? view->height :
	    row_count > 0	  ? esv_timeline_height(row_count) :
				    esv_timeline_height_all(view->model);
}

/* Finds the critical path in the time that is shown. */
static paths_status
batch_critical(struct esv__view *view, struct esv_timeline_options *options,
    struct esv_links *critical)
{
	double end =
	    options->t1_ns > 0 ? options->t1_ns : (double)view->model->span_ns;
	double width = view->width > 0.0 ? view->width : WIDTH;
	struct esv_window window = { .t0_ns = options->t0_ns,
		.span_ns = end - options->t0_ns,
		.width = (uint32_t)(width * view->scale) };

	if (!view->model->critical)
		return paths_log_fail(PATHS_ENOENT,
		    "--critical-path: the view critical_path is not computed; "
		    "\"eventspace scope %s\" computes it",
		    view->model->dir);
	options->critical = critical;
	return window.span_ns > 0.0 ?
	    esv_event_critical(view->model, &window, critical) :
	    PATHS_OK;
}

/* Finds deaths and the cycle of a deadlock, and delays if they are wanted. */
static paths_status
batch_causes(struct esv__view *view, struct esv_timeline_options *options,
    struct esv_links causes[2])
{
	double end =
	    options->t1_ns > 0 ? options->t1_ns : (double)view->model->span_ns;
	paths_status st = esv_event_ends(view->model, &causes[0]);

	options->ends = &causes[0];
	if (st == PATHS_OK && view->delays) {
		options->delays = &causes[1];
		st = esv_event_delays(view->model, options->t0_ns,
		    end - options->t0_ns, &causes[1]);
	}
	return st;
}

/* Makes a text from the first of the diagnostics that `sql` selects, which the
   caller frees; NULL: there is none. */
static paths_status
batch_warning(struct esv__view *view, const char *sql, char **warning)
{
	struct es_value text;
	struct es_rows *rows;
	paths_status st = es_rows_open(view->model->store, sql, &rows, NULL);

	*warning = NULL;
	if (st != PATHS_OK)
		return st;
	st = es_rows_next(rows);
	if (st == PATHS_OK) {
		es_rows_get(rows, 0, &text);
		*warning = strdup(text.kind == ES_TEXT ? text.as.text : "");
		if (*warning == NULL)
			st = paths_log_fail(PATHS_ENOMEM, "a text");
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Finds what a timeline lacks: data that cannot be read, and waits that are not
   known for that reason. */
static paths_status
batch_warnings(struct esv__view *view, char *warnings[ESV_TIMELINE_WARNINGS])
{
	static const char *const sql[ESV_TIMELINE_WARNINGS] = {
		"SELECT 'Incomplete: ' || subject || ': ' || text || CASE "
		"WHEN count(*) OVER () > 1 THEN ' (1 of ' || count(*) OVER () "
		"|| ' errors)' ELSE '' END FROM diagnostic "
		"WHERE severity = 'error' ORDER BY rowid",
		"SELECT 'Waiting is incomplete: ' || text FROM diagnostic "
		"WHERE severity = 'warning' AND subject = 'wait_state' "
		"ORDER BY rowid"
	};
	paths_status st = PATHS_OK;

	for (int n = 0; st == PATHS_OK && n < ESV_TIMELINE_WARNINGS; n++)
		st = batch_warning(view, sql[n], &warnings[n]);
	return st;
}

static paths_status
timeline_picture(struct esv__view *view, const char *file)
{
	struct esv_links links = { 0 }, critical = { 0 };
	struct esv_links causes[2] = { { 0 }, { 0 } };
	struct esv_timeline_options options = { .t0_ns = (double)view->t0_ns,
		.t1_ns = (double)view->t1_ns,
		.rows = view->rows,
		.row_count = view->row_count,
		.by = view->colour,
		.hidden = esv_hidden_classes(view->hidden_by, view->colour),
		.resolution = view->scale };
	struct esv_figure figure;
	char *warnings[ESV_TIMELINE_WARNINGS] = { NULL };
	paths_status st = batch_step(view, &links);

	if (view->whole && view->t1_ns == 0) {
		options.t0_ns = (double)view->model->from_ns;
		options.t1_ns = (double)view->model->shown_to_ns;
	}
	if (view->timeline_rows != NULL) {
		options.rows = view->timeline_rows;
		options.row_count = view->timeline_row_count;
	}
	if (links.count > 0)
		options.highlight = &links;
	if (st == PATHS_OK && view->critical)
		st = batch_critical(view, &options, &critical);
	if (st == PATHS_OK)
		st = batch_causes(view, &options, causes);
	if (st == PATHS_OK)
		st = batch_warnings(view, warnings);
	for (int n = 0; n < ESV_TIMELINE_WARNINGS; n++)
		options.warnings[n] = warnings[n];
	esv_figure_init(&figure, view->width > 0.0 ? view->width : WIDTH,
	    timeline_height(view, options.row_count));
	if (st == PATHS_OK)
		st = esv_timeline_draw(view->model, &options, &figure);
	if (st == PATHS_OK)
		st = batch_write(view, view->colour, &figure, file);
	esv_figure_fini(&figure);
	esv_links_fini(&links);
	esv_links_fini(&critical);
	esv_links_fini(&causes[0]);
	esv_links_fini(&causes[1]);
	for (int n = 0; n < ESV_TIMELINE_WARNINGS; n++)
		free(warnings[n]);
	return st;
}

static paths_status
chart_picture(struct esv__view *view, const struct esv_chart *chart,
    const char *measure, const char *level, const char *file)
{
	struct esv_chart_options options = {
		.width = view->width > 0.0 ? view->width : WIDTH,
		.height = view->height > 0.0 ? view->height : HEIGHT,
		.t0_ns = (int64_t)view->t0_ns,
		.t1_ns = (int64_t)view->t1_ns,
		.rows = view->rows,
		.row_count = view->row_count,
		.highlight = view->highlight,
		.measure = measure,
		.level = level,
		.subject = view->subject,
	};
	struct esv_figure figure;
	paths_status st;

	esv_figure_init(&figure, options.width, options.height);
	st = esv_chart_draw(view->model, chart, &options, &figure);
	if (st == PATHS_OK && !(view->height > 0.0))
		esv_figure_trim(&figure);
	if (st == PATHS_OK)
		st = batch_write(view, ESV_BY_GROUP, &figure, file);
	esv_figure_fini(&figure);
	return st;
}

/* Makes the name FILE-VIEW.png from FILE.png; the caller frees it. */
static paths_status
batch_name(const struct esv__view *view, const char *name, char **file)
{
	const char *dot = strrchr(view->output, '.');

	if (asprintf(file, "%.*s-%s%s", (int)(dot - view->output), view->output,
		name, dot) < 0)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the name of a picture");
	return PATHS_OK;
}

static paths_status
batch_timeline(struct esv__view *view)
{
	char *file;
	paths_status st = batch_name(view, ESV__VIEW_TIMELINE, &file);

	if (st == PATHS_OK) {
		st = timeline_picture(view, file);
		free(file);
	}
	return st;
}

/* Returns true if a word is one of those that blanks separate. */
static bool
batch_has(const char *words, const char *word)
{
	while (words != NULL && *words != '\0') {
		size_t length = strcspn(words, " ");

		if (strlen(word) == length && strncmp(words, word, length) == 0)
			return true;
		words += length;
		words += strspn(words, " ");
	}
	return false;
}

/* Refuses a measure that no chart has.  Charts without it show their default
   measure. */
static paths_status
batch_check_measure(const struct esv__view *view)
{
	const struct esv_chart *chart;

	if (view->measure == NULL)
		return PATHS_OK;
	for (size_t n = 0; (chart = esv_chart_get(n)) != NULL; n++)
		if (batch_has(chart->measures, view->measure))
			return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "--measure %s: no view has this measure, see eventspace view --list %s",
	    view->measure, view->run);
}

static paths_status
batch_chart(struct esv__view *view, const struct esv_chart *chart)
{
	const char *measure = view->measure, *level = view->level;
	bool applies;
	char *file;
	paths_status st = esv_chart_applies(view->model, chart, &applies);

	if (st != PATHS_OK || !applies)
		return st;
	st = batch_name(view, chart->name, &file);
	if (st == PATHS_OK) {
		if (measure != NULL && !batch_has(chart->measures, measure))
			measure = NULL;
		if (level != NULL && !batch_has(chart->levels, level))
			level = NULL;
		st = chart_picture(view, chart, measure, level, file);
		free(file);
	}
	return st;
}

static paths_status
batch_all(struct esv__view *view)
{
	const struct esv_chart *chart;
	paths_status st = batch_check_measure(view);

	if (st == PATHS_OK)
		st = batch_timeline(view);
	for (size_t n = 0; st == PATHS_OK && (chart = esv_chart_get(n)) != NULL;
	     n++)
		st = batch_chart(view, chart);
	return st;
}

/* Warns that pictures lack what is damaged or discarded, with the first error
   of the run, or the first warning if it has no error. */
static paths_status
batch_warn(struct esv__view *view)
{
	struct es_value subject, text, count;
	struct es_rows *rows;
	paths_status st = es_rows_open(view->model->store,
	    "SELECT subject, text, count(*) OVER () FROM diagnostic"
	    " WHERE severity <> 'note' ORDER BY severity = 'warning', rowid",
	    &rows, NULL);

	if (st != PATHS_OK)
		return st;
	st = es_rows_next(rows);
	if (st == PATHS_OK) {
		es_rows_get(rows, 0, &subject);
		es_rows_get(rows, 1, &text);
		es_rows_get(rows, 2, &count);
		if (subject.kind == ES_TEXT && text.kind == ES_TEXT)
			es_command_note(&view->command,
			    "warning: %s: %s (1 of %lld diagnostics, see "
			    "eventspace show %s)",
			    subject.as.text, text.as.text,
			    (long long)count.as.integer, view->run);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
esv__batch_draw(struct esv__view *view)
{
	const struct esv_chart *chart = esv_chart_find(view->batch);
	paths_status st = esv_picture_check(view->output);

	if (st == PATHS_OK)
		st = batch_warn(view);
	if (st != PATHS_OK)
		return st;
	if (strcmp(view->batch, ESV__VIEW_ALL) == 0)
		return batch_all(view);
	if (strcmp(view->batch, ESV__VIEW_TIMELINE) == 0)
		return timeline_picture(view, view->output);
	return chart_picture(view, chart, view->measure, view->level,
	    view->output);
}
