/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/unreturned.c - waits in calls that did not return
 */

#include "viewer/timeline/unreturned.h"

#include "viewer/model/read.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>

/* A thread that does no other operation meanwhile. */
static const char calls_sql[] =
    "SELECT thread, min(since_ns) FROM mpi_inside AS i "
    "WHERE since_ns IS NOT NULL AND EXISTS (SELECT 1 FROM mpi_inside_for AS f "
    "WHERE f.thread = i.thread) GROUP BY thread";
static const char operations_sql[] =
    "SELECT thread, min(since_ns) FROM inside AS i "
    "WHERE since_ns IS NOT NULL AND blocks = 1 "
    "AND EXISTS (SELECT 1 FROM inside_for AS f "
    "WHERE f.thread = i.thread AND f.path = i.path) GROUP BY thread";

struct esv_unreturned {
	bool any;
	int64_t since_ns[]; /* of each thread; INT64_MAX: it does not wait */
};

static void
unreturned_close(struct esv_unreturned *unreturned)
{
	free(unreturned);
}

static paths_status
unreturned_take(struct esv_unreturned *to, const struct esv_model *model,
    const struct es_rows *rows)
{
	int64_t thread, ns;
	paths_status st = esv__read_number(rows, 0, 0,
	    (int64_t)model->thread_count - 1, &thread);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, INT64_MIN / 2, INT64_MAX / 2,
		    &ns);
	if (st != PATHS_OK)
		return st;
	to->any = true;
	to->since_ns[thread] = ns;
	return PATHS_OK;
}

/* Reads the waits of a query; without its tables there are none. */
static paths_status
unreturned_read(struct esv_unreturned *to, const struct esv_model *model,
    const char *sql)
{
	struct es_rows *rows;
	paths_status st = es_rows_try(model->store, sql, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	while (st == PATHS_OK && (st = es_rows_next(rows)) == PATHS_OK)
		st = unreturned_take(to, model, rows);
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
unreturned_open(struct esv_model *model)
{
	size_t count = model->thread_count;
	struct esv_unreturned *all =
	    malloc(sizeof(*all) + (count + 1) * sizeof(all->since_ns[0]));
	paths_status st;

	if (all == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	all->any = false;
	for (size_t n = 0; n < count; n++)
		all->since_ns[n] = INT64_MAX;
	st = count == 0 ? PATHS_OK :
			  unreturned_read(all, model,
			      model->mpi ? calls_sql : operations_sql);
	if (st != PATHS_OK) {
		free(all);
		return st;
	}
	model->unreturned = all;
	model->unreturned_close = unreturned_close;
	return PATHS_OK;
}

/* Returns the row behind the last one in the tree of a row. */
static uint32_t
row_end(const struct esv_model *model, uint32_t row)
{
	uint32_t n = row + 1;

	while (n < model->row_count &&
	    model->rows[n].depth > model->rows[row].depth)
		n++;
	return n;
}

static bool
row_is_recorded(const struct esv_row *row)
{
	return row->kind == ESV_ROW_THREAD && row->pyramid != PATHS_NONE;
}

/* Adds the wait of a thread from a time to the end of the run. */
static void
unreturned_add(const struct esv_model *model, const struct esv__zoom *zoom,
    int64_t since_ns, double share, struct esv__pixels *pixels)
{
	double x0 = fmax(((double)since_ns - zoom->t0_ns) * zoom->scale, 0);
	double x1 = fmin(((double)model->span_ns - zoom->t0_ns) * zoom->scale,
	    zoom->width);

	if (x0 >= x1)
		return;
	esv__pixels_wait(pixels, x0, x1, share);
	for (uint32_t x = (uint32_t)x0; x < x1; x++) {
		pixels->wait[x] = fmin(pixels->wait[x], pixels->share[x]);
		if (pixels->wait[x] > 0 && !pixels->split &&
		    2 * pixels->wait[x] >= pixels->share[x])
			pixels->code[x] = ESV_CLASS_WAIT;
	}
}

paths_status
esv__unreturned_draw(struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row, struct esv__pixels *pixels)
{
	uint32_t end, threads = 0;
	paths_status st =
	    model->unreturned == NULL ? unreturned_open(model) : PATHS_OK;

	if (st != PATHS_OK || !model->unreturned->any)
		return st;
	end = row_end(model, row);
	for (uint32_t n = row; n < end; n++)
		threads += row_is_recorded(&model->rows[n]);
	for (uint32_t n = row; n < end; n++) {
		int64_t since_ns;

		if (!row_is_recorded(&model->rows[n]))
			continue;
		since_ns = model->unreturned->since_ns[model->rows[n].id];
		if (since_ns < INT64_MAX)
			unreturned_add(model, zoom, since_ns, 1.0 / threads,
			    pixels);
	}
	return PATHS_OK;
}
