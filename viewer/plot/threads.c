/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/threads.c - the threads that a chart shows
 */

#include "viewer/plot/threads.h"

#include "viewer/plot/matrix.h"
#include "viewer/plot/query.h"
#include "viewer/plot/sheet.h"

/* A thread is shown if its row is shown, or a row above it. */
static bool
thread_shown(const struct esv_model *model, const bool *rows, uint32_t row)
{
	for (; row < model->row_count; row = model->rows[row].parent)
		if (rows[row])
			return true;
	return false;
}

/* Returns the id of the host, process or thread of this kind that a thread is
   part of. */
static uint32_t
thread_part(const struct esv_model *model, uint32_t thread,
    enum esv_row_kind kind)
{
	uint32_t row = model->thread_rows[thread];

	while (model->rows[row].kind > kind)
		row = model->rows[row].parent;
	return model->rows[row].id;
}

uint32_t
esv__threads_part(const struct esv__sheet *sheet, uint32_t thread)
{
	return thread_part(sheet->model, thread, esv__sheet_level(sheet));
}

const bool *
esv__threads_shown(struct esv__sheet *sheet)
{
	const struct esv_model *model = sheet->model;
	const struct esv_chart_options *o = sheet->options;
	enum esv_row_kind kind = esv__sheet_level(sheet);
	bool *rows, *parts;

	if (o->rows == NULL)
		return NULL;
	rows = esv__sheet_take(sheet, model->row_count, sizeof(*rows));
	/* There are at least as many rows as rows of a kind. */
	parts = esv__sheet_take(sheet, model->row_count, sizeof(*parts));
	if (rows == NULL || parts == NULL)
		return NULL;
	for (uint32_t n = 0; n < o->row_count; n++)
		if (o->rows[n] < model->row_count)
			rows[o->rows[n]] = true;
	for (uint32_t t = 0; t < model->thread_count; t++)
		parts[thread_part(model, t, kind)] |=
		    thread_shown(model, rows, model->thread_rows[t]);
	return parts;
}

/* Returns the number of threads, processes or hosts of the run. */
static uint32_t
threads_all(const struct esv__sheet *sheet)
{
	const struct esv_model *model = sheet->model;
	enum esv_row_kind kind = esv__sheet_level(sheet);
	uint32_t count = 0;

	if (kind == ESV_ROW_THREAD)
		return model->thread_count;
	for (uint32_t n = 0; n < model->row_count; n++)
		count += model->rows[n].kind == kind;
	return count;
}

bool
esv__threads_shows(const struct esv__sheet *sheet, const bool *threads,
    int64_t id)
{
	return id >= 0 && id < threads_all(sheet) &&
	    (threads == NULL || threads[id]);
}

struct esv_thing
esv__threads_thing(const struct esv__sheet *sheet, int64_t id)
{
	static const enum esv_thing_kind kinds[] = {
		[ESV_ROW_RUN] = ESV_THING_NONE,
		[ESV_ROW_HOST] = ESV_THING_HOST,
		[ESV_ROW_PROCESS] = ESV_THING_PROCESS,
		[ESV_ROW_THREAD] = ESV_THING_THREAD,
	};

	return ESV_THING(kinds[esv__sheet_level(sheet)], id);
}

const char *
esv__threads_plural(struct esv__sheet *sheet)
{
	static const char *const words[] = {
		[ESV_ROW_RUN] = "runs",
		[ESV_ROW_HOST] = "hosts",
		[ESV_ROW_PROCESS] = "processes",
		[ESV_ROW_THREAD] = "threads",
	};

	return esv__sheet_words(sheet, words[esv__sheet_level(sheet)]);
}

uint32_t
esv__threads_place(const struct esv__threads *threads, int64_t id)
{
	return id >= 0 && id < threads->all ? threads->place[id] : UINT32_MAX;
}

bool
esv__threads_open(struct esv__threads *threads, struct esv__sheet *sheet)
{
	const bool *shown = esv__threads_shown(sheet);
	uint32_t all = threads_all(sheet);
	const char *table =
	    sheet->options->level[0] == '\0' ? "thread" : sheet->options->level;
	struct esv__query q;

	*threads = (struct esv__threads){ .all = all,
		.kind = esv__threads_thing(sheet, 0).kind };
	threads->place = esv__sheet_take(sheet, all, sizeof(*threads->place));
	threads->names = esv__sheet_take(sheet, all, sizeof(*threads->names));
	threads->ids = esv__sheet_take(sheet, all, sizeof(*threads->ids));
	if (sheet->figure->status != PATHS_OK)
		return false;
	for (uint32_t t = 0; t < all; t++)
		threads->place[t] = UINT32_MAX;
	esv__query_open(&q, sheet, "SELECT %s, name FROM %s ORDER BY %s", table,
	    table, table);
	while (esv__query_next(&q)) {
		int64_t id = esv__query_int(&q, 0);

		if (!esv__threads_shows(sheet, shown, id))
			continue;
		threads->place[id] = threads->count;
		threads->ids[threads->count] = (uint32_t)id;
		threads->names[threads->count++] = esv__query_text(&q, 1);
	}
	return sheet->figure->status == PATHS_OK && threads->count > 0;
}

void
esv__threads_name(const struct esv__threads *threads, struct esv_axis *axis,
    uint32_t fold)
{
	for (uint32_t n = 0; n < threads->count; n++)
		esv__matrix_name(axis, fold, n,
		    &(struct esv__name){ threads->names[n],
			ESV_THING(threads->kind, threads->ids[n]) });
}
