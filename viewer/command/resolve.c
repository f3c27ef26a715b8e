/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/resolve.c - finds the things of a run that options name
 */

#include "viewer/command/resolve.h"

#include "viewer/figure/draw.h"
#include "viewer/model/rows.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"
#include "scopes/rows.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of things, and the tables with their names. */
static const struct {
	const char *word;
	enum esv_thing_kind kind;
	const char *table; /* NULL: things without names, given by number */
} kinds[] = {
	{ "host", ESV_THING_HOST, "host" },
	{ "process", ESV_THING_PROCESS, "process" },
	{ "thread", ESV_THING_THREAD, "thread" },
	{ "element", ESV_THING_ELEMENT, "element" },
	{ "stage", ESV_THING_STAGE, "stage" },
	{ "path", ESV_THING_PATH, NULL },
	{ "collector", ESV_THING_COLLECTOR, NULL },
	{ "step", ESV_THING_STEP, NULL },
	{ "site", ESV_THING_SITE, NULL },
	{ "function", ESV_THING_FUNCTION, NULL },
	{ "call", ESV_THING_CALL, NULL },
};

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

static paths_status
thing_number(const char *text, const char *number, int64_t *id)
{
	uint64_t value;

	if (paths_unit_parse(PATHS_UNIT_COUNT, number, 0, INT64_MAX, &value) !=
	    PATHS_OK)
		return paths_log_fail(PATHS_EINVAL, "%s: %s", text,
		    paths_log_last());
	*id = (int64_t)value;
	return PATHS_OK;
}

/* Finds the id of a name. */
static paths_status
thing_named(const struct esv__view *view, const char *table, const char *name,
    int64_t *id)
{
	char sql[80];
	struct es_rows *rows;
	struct es_value value = ES_NIL;
	paths_status st;

	snprintf(sql, sizeof(sql), "SELECT %s FROM %s WHERE name = :name",
	    table, table);
	st = es_rows_open(view->model->store, sql, &rows, NULL);
	if (st != PATHS_OK)
		return st;
	st = es_rows_bind(rows, "name", &ES_STR(name));
	if (st == PATHS_OK)
		st = es_rows_next(rows);
	if (st == PATHS_OK)
		es_rows_get(rows, 0, &value);
	if (value.kind == ES_INTEGER)
		*id = value.as.integer;
	es_rows_close(rows);
	return st;
}

/* Reads KIND=NAME, or KIND=NUMBER for things without names. */
static paths_status
resolve_thing(const struct esv__view *view, const char *text,
    struct esv_thing *thing)
{
	const char *equals = strchr(text, '=');
	size_t length = equals == NULL ? 0 : (size_t)(equals - text), i = 0;
	int64_t id = 0;
	paths_status st;

	while (i < KIND_COUNT &&
	    (strlen(kinds[i].word) != length ||
		strncmp(kinds[i].word, text, length) != 0))
		i++;
	if (i == KIND_COUNT)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: expected host=, process=, thread=, element=, stage=,"
		    " path=, collector=, step=, site=, function= or call=",
		    text);
	if (kinds[i].table == NULL)
		st = thing_number(text, equals + 1, &id);
	else
		st = thing_named(view, kinds[i].table, equals + 1, &id);
	if (st == PATHS_ENOENT)
		return paths_log_fail(PATHS_ENOENT, "%s: not in the run", text);
	if (st == PATHS_OK)
		*thing = ESV_THING(kinds[i].kind, id);
	return st;
}

/* Returns true if a name matches one of several patterns.  Commas separate the
   patterns; the text is changed and restored. */
static bool
rows_match(char *patterns, const char *name)
{
	bool match = false;
	char *end;

	for (char *word = patterns; word != NULL && !match;
	     word = end == NULL ? NULL : end + 1) {
		end = strchr(word, ',');
		if (end != NULL)
			*end = '\0';
		match = fnmatch(word, name, 0) == 0;
		if (end != NULL)
			*end = ',';
	}
	return match;
}

static paths_status
resolve_rows(struct esv__view *view)
{
	const struct esv_model *model = view->model;
	char *patterns = strdup(view->rows_text);

	view->rows = calloc(model->row_count + 1, sizeof(*view->rows));
	if (patterns == NULL || view->rows == NULL) {
		free(patterns);
		return paths_log_fail(PATHS_ENOMEM, "no memory for rows");
	}
	for (uint32_t n = 0; n < model->row_count; n++)
		if (rows_match(patterns, model->rows[n].name))
			view->rows[view->row_count++] = n;
	free(patterns);
	return view->row_count > 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOENT,
		"--rows %s: no host, process or thread has such a name",
		view->rows_text);
}

/* Folds the rows of the timeline at a level: each row that is deeper gives way
   to the one above it at that level. */
static paths_status
resolve_level(struct esv__view *view)
{
	const struct esv_model *model = view->model;
	enum esv_row_kind kind = ESV_ROW_THREAD;
	bool *folded = calloc(model->row_count + 1, sizeof(*folded));

	view->timeline_rows =
	    calloc(model->row_count + 1, sizeof(*view->timeline_rows));
	if (folded == NULL || view->timeline_rows == NULL) {
		free(folded);
		return paths_log_fail(PATHS_ENOMEM, "no memory for rows");
	}
	(void)esv_row_kind_find(view->level, &kind);
	for (uint32_t n = 0; n < model->row_count; n++)
		folded[n] = view->rows == NULL && n > 0;
	for (uint32_t n = 0; n < view->row_count; n++)
		folded[view->rows[n]] = true;
	/* A row comes before its children. */
	for (uint32_t n = model->row_count; n-- > 0;)
		if (folded[n] && model->rows[n].kind > kind)
			folded[model->rows[n].parent] = true;
	for (uint32_t n = 0; n < model->row_count; n++)
		if (folded[n] && model->rows[n].kind <= kind)
			view->timeline_rows[view->timeline_row_count++] = n;
	free(folded);
	return PATHS_OK;
}

static paths_status
resolve_time(const struct esv__view *view)
{
	int64_t span = view->model->span_ns;
	char from[PATHS_UNIT_TEXT_BYTES], end[PATHS_UNIT_TEXT_BYTES];

	if (view->t0_ns > 0 && (int64_t)view->t0_ns >= span)
		return paths_log_fail(PATHS_ERANGE,
		    "--from %s: the run ends after %s",
		    paths_unit_text(PATHS_UNIT_TIME, (double)view->t0_ns, from),
		    paths_unit_text(PATHS_UNIT_TIME, (double)span, end));
	return PATHS_OK;
}

paths_status
esv__resolve_options(struct esv__view *view)
{
	paths_status st = resolve_time(view);

	if ((int64_t)view->t1_ns > view->model->span_ns)
		view->t1_ns = (uint64_t)view->model->span_ns;
	if (st == PATHS_OK && view->rows_text != NULL)
		st = resolve_rows(view);
	if (st == PATHS_OK && view->level != NULL)
		st = resolve_level(view);
	if (st == PATHS_OK && view->highlight_text != NULL)
		st =
		    resolve_thing(view, view->highlight_text, &view->highlight);
	if (st == PATHS_OK && view->subject_text != NULL)
		st = resolve_thing(view, view->subject_text, &view->subject);
	return st;
}
