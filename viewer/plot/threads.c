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

const bool *
esv__threads_shown(struct esv__sheet *sheet)
{
	const struct esv_model *model = sheet->model;
	const struct esv_chart_options *o = sheet->options;
	bool *rows, *threads;

	if (o->rows == NULL)
		return NULL;
	rows = esv__sheet_take(sheet, model->row_count, sizeof(*rows));
	threads = esv__sheet_take(sheet, model->thread_count, sizeof(*threads));
	if (rows == NULL || threads == NULL)
		return NULL;
	for (uint32_t n = 0; n < o->row_count; n++)
		if (o->rows[n] < model->row_count)
			rows[o->rows[n]] = true;
	for (uint32_t t = 0; t < model->thread_count; t++)
		threads[t] = thread_shown(model, rows, model->thread_rows[t]);
	return threads;
}

bool
esv__threads_shows(const struct esv__sheet *sheet, const bool *threads,
    int64_t id)
{
	return id >= 0 && id < sheet->model->thread_count &&
	    (threads == NULL || threads[id]);
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
	uint32_t all = sheet->model->thread_count;
	struct esv__query q;

	*threads = (struct esv__threads){ .all = all };
	threads->place = esv__sheet_take(sheet, all, sizeof(*threads->place));
	threads->names = esv__sheet_take(sheet, all, sizeof(*threads->names));
	threads->ids = esv__sheet_take(sheet, all, sizeof(*threads->ids));
	if (sheet->figure->status != PATHS_OK)
		return false;
	for (uint32_t t = 0; t < all; t++)
		threads->place[t] = UINT32_MAX;
	esv__query_open(&q, sheet,
	    "SELECT thread, name FROM thread ORDER BY thread");
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
			ESV_THING(ESV_THING_THREAD, threads->ids[n]) });
}
