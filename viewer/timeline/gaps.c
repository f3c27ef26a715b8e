/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/gaps.c - times in which threads were runnable without a core
 */

#include "viewer/timeline/gaps.h"

#include "viewer/model/read.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct esv_gaps {
	struct esv__gaps *threads;
	uint32_t count;
};

void
esv__gaps_close(struct esv_gaps *gaps)
{
	if (gaps == NULL)
		return;
	for (uint32_t n = 0; n < gaps->count; n++)
		free(gaps->threads[n].list);
	free(gaps->threads);
	free(gaps);
}

static paths_status
gaps_open(struct esv_model *model)
{
	struct esv_gaps *gaps = calloc(1, sizeof(*gaps));

	if (gaps != NULL)
		gaps->threads = calloc((size_t)model->thread_count + 1,
		    sizeof(*gaps->threads));
	if (gaps == NULL || gaps->threads == NULL) {
		free(gaps);
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	}
	gaps->count = model->thread_count;
	model->gap_lists = gaps;
	model->gaps_close = esv__gaps_close;
	return PATHS_OK;
}

/* Takes a gap, unless it begins in the one before: the file may be damaged. */
static paths_status
gaps_take(void *to, const struct es_rows *rows)
{
	struct esv__gaps *gaps = to;
	struct esv__gap gap;
	paths_status st =
	    esv__read_number(rows, 0, INT64_MIN, INT64_MAX, &gap.start_ns);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, INT64_MIN, INT64_MAX,
		    &gap.stop_ns);
	if (st != PATHS_OK || gap.stop_ns <= gap.start_ns ||
	    (gaps->count > 0 &&
		gap.start_ns < gaps->list[gaps->count - 1].stop_ns))
		return st;
	if (!paths__array_grow(&gaps->list, gaps->count, &gaps->room,
		sizeof(*gaps->list)))
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	gaps->list[gaps->count++] = gap;
	return PATHS_OK;
}

/* Returns the gaps of a thread, which the first call reads: the longest ones,
   if there are more than a query may have. */
static paths_status
gaps_of(struct esv_model *model, uint32_t thread, struct esv__gaps **gaps)
{
	char sql[200];
	paths_status st = PATHS_OK;

	if (model->gap_lists == NULL)
		st = gaps_open(model);
	if (st != PATHS_OK)
		return st;
	*gaps = &model->gap_lists->threads[thread];
	if ((*gaps)->read)
		return PATHS_OK;
	snprintf(sql, sizeof(sql),
	    "SELECT start_ns, stop_ns FROM (SELECT start_ns, stop_ns "
	    "FROM cpu_gap WHERE thread = %u ORDER BY stop_ns - start_ns DESC "
	    "LIMIT %u) ORDER BY start_ns",
	    thread, ESV__READ_ROWS - 1);
	st = esv__read_each(model, sql, gaps_take, *gaps);
	(*gaps)->read = st == PATHS_OK;
	return st;
}

/* Returns the index of the first gap that ends after a time. */
static size_t
gaps_find(const struct esv__gaps *gaps, double ns)
{
	size_t low = 0, high = gaps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((double)gaps->list[middle].stop_ns <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
gaps_add(const struct esv__gaps *gaps, const struct esv__zoom *zoom,
    double share, double *lost)
{
	struct esv__pixels pixels = { .wait = lost };

	for (size_t n = gaps_find(gaps, zoom->t0_ns); n < gaps->count; n++) {
		const struct esv__gap *g = &gaps->list[n];
		double x0 = ((double)g->start_ns - zoom->t0_ns) * zoom->scale;
		double x1 = ((double)g->stop_ns - zoom->t0_ns) * zoom->scale;

		if (x0 >= zoom->width)
			return;
		esv__pixels_wait(&pixels, fmax(x0, 0), fmin(x1, zoom->width),
		    share);
	}
}

/* Returns the next row of a thread in the tree of a row, from row n on;
   row_count: there is none. */
static uint32_t
gaps_row(const struct esv_model *model, uint32_t row, uint32_t n)
{
	for (; n < model->row_count; n++) {
		if (n > row && model->rows[n].depth <= model->rows[row].depth)
			return model->row_count;
		if (model->rows[n].kind == ESV_ROW_THREAD)
			return n;
	}
	return n;
}

paths_status
esv__gaps_draw(struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row, double *lost)
{
	double share =
	    1.0 / (model->rows[row].threads > 0 ? model->rows[row].threads : 1);
	struct esv__gaps *gaps;
	paths_status st = PATHS_OK;

	for (uint32_t n = gaps_row(model, row, row);
	     st == PATHS_OK && n < model->row_count;
	     n = gaps_row(model, row, n + 1)) {
		st = gaps_of(model, model->rows[n].id, &gaps);
		if (st == PATHS_OK)
			gaps_add(gaps, zoom, share, lost);
	}
	return st;
}

paths_status
esv_gaps_at(struct esv_model *model, uint32_t row, double ns,
    struct esv__gap *gap)
{
	struct esv__gaps *gaps;
	paths_status st;
	size_t n;

	if (!model->gaps || row >= model->row_count ||
	    model->rows[row].kind != ESV_ROW_THREAD)
		return PATHS_ENOENT;
	st = gaps_of(model, model->rows[row].id, &gaps);
	if (st != PATHS_OK)
		return st;
	n = gaps_find(gaps, ns);
	if (n == gaps->count || (double)gaps->list[n].start_ns > ns)
		return PATHS_ENOENT;
	*gap = gaps->list[n];
	return PATHS_OK;
}
