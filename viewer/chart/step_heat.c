/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/step_heat.c - heat map of threads and steps
 *
 * Durations need no common clock, so a wave through the threads is visible
 * even if clocks are not aligned.  See the table `step`.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/matrix.h"
#include "viewer/plot/query.h"
#include "viewer/plot/threads.h"

#include <inttypes.h>
#include <math.h>

ESV__SQL(heat_bins);
ESV__SQL(heat_cells);

struct heat {
	struct esv__sheet *sheet;
	struct esv__matrix matrix;
	struct esv__threads threads;
	int64_t width; /* of a bin */
	int64_t first; /* first bin shown */
	uint32_t bins;
};

/* Finds the bins that overlap the time shown. */
static bool
heat_bins(struct heat *h)
{
	struct esv__query q;

	esv__query_begin(&q, h->sheet, esv__sql_heat_bins);
	esv__query_bind_time(&q);
	if (esv__query_next(&q)) {
		h->width = esv__query_int(&q, 0);
		h->first = esv__query_int(&q, 1);
		h->bins = (uint32_t)(esv__query_int(&q, 2) - h->first + 1);
	}
	esv__query_close(&q);
	return h->width > 0;
}

static void
heat_fill(struct heat *h)
{
	struct esv__query q;

	esv__query_begin(&q, h->sheet, esv__sql_heat_cells);
	esv__query_bind_text(&q, "measure", h->sheet->options->measure);
	esv__query_bind(&q, "first", h->first);
	esv__query_bind(&q, "end", h->first + h->bins);
	while (esv__query_next(&q))
		esv__matrix_put(&h->matrix,
		    esv__threads_place(&h->threads, esv__query_int(&q, 0)),
		    (uint32_t)(esv__query_int(&q, 1) - h->first),
		    esv__query_num(&q, 2));
}

static void
heat_measure(struct heat *h)
{
	if (esv__sheet_measure(h->sheet, "arrival"))
		h->matrix.value = "arrival after the first thread";
	else if (esv__sheet_measure(h->sheet, "wait"))
		h->matrix.value = "time waiting for others";
	else if (esv__sheet_measure(h->sheet, "longest"))
		h->matrix.value = "longest operation";
	else
		h->matrix.value = "time in communication";
}

/* Returns the name of a step: MPI programs set none. */
static const char *
heat_step(struct esv__sheet *sheet)
{
	if (!sheet->model->mpi)
		return "step";
	return esv__query_one(sheet, 0,
		   "SELECT count(*) FROM meta "
		   "WHERE key = 'step_source' AND value = 'iterations'") > 0 ?
	    "iteration" :
	    "call";
}

static void
step_heat_draw(struct esv__sheet *sheet)
{
	struct heat h = { .sheet = sheet,
		.matrix = { .unit = PATHS_UNIT_TIME,
		    .rare = true,
		    .numbered = true,
		    .fold = ESV__FOLD_MAX,
		    .x = { .label = heat_step(sheet),
			.unit = PATHS_UNIT_PLAIN },
		    .y = { .label = esv__sheet_words(sheet, "thread") } } };

	heat_measure(&h);
	if (!heat_bins(&h)) {
		esv__sheet_nothing(sheet, "No step is in this range of time.");
		return;
	}
	if (h.width > 1)
		esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
		    esv_figure_printf(sheet->figure,
			"Each column is %" PRId64 " steps.", h.width));
	if (!esv__threads_open(&h.threads, sheet))
		return;
	h.matrix.x.from = (double)(h.first * h.width);
	h.matrix.x.to = (double)((h.first + h.bins) * h.width);
	esv__matrix_open(&h.matrix, sheet, h.threads.count, h.bins);
	esv__threads_name(&h.threads, &h.matrix.y, h.matrix.row_fold);
	heat_fill(&h);
	esv__matrix_draw(&h.matrix, sheet);
}

const struct esv_chart esv__chart_step_heat = {
	.name = "step_heat",
	.title = "Steps and threads",
	.about =
	    "Shows in which steps each thread communicates long or arrives "
	    "late.  A diagonal line is a wave that passes through the "
	    "threads.  Durations need no synchronized clocks.",
	.measures = "communication arrival wait longest",
	.tables = "step thread",
	.applies = "EXISTS (SELECT 1 FROM step)",
	.nothing = "No operation was recorded.",
	.timed = true,
	.draw = step_heat_draw,
};
