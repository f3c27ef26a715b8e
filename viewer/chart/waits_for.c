/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/waits_for.c - waiting of each thread for each other thread
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/matrix.h"
#include "viewer/plot/part.h"
#include "viewer/plot/query.h"
#include "viewer/plot/threads.h"

#include <stdlib.h>

ESV__SQL(waits_longest);
ESV__SQL(waits_pairs);
ESV__SQL(waits_pairs_process);
ESV__SQL(waits_pairs_host);

static void
waits_say(struct esv__sheet *sheet)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_waits_longest);
	if (esv__query_next(&q))
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"Longest: %s waited %s for %s.%s%s%s",
			esv__query_text(&q, 0),
			esv__sheet_number(sheet, esv__query_num(&q, 2),
			    PATHS_UNIT_TIME),
			esv__query_text(&q, 1),
			esv__query_int(&q, 3) > 0 ? "  Not shown: " : "",
			esv__query_int(&q, 3) > 0 ?
			    esv__sheet_number(sheet, esv__query_num(&q, 3),
				PATHS_UNIT_TIME) :
			    "",
			esv__query_int(&q, 3) > 0 ?
			    esv__sheet_words(sheet,
				" of waiting for unknown threads.") :
			    ""));
	esv__query_close(&q);
}

static const char *
thread_name(const struct esv__sheet *sheet, uint32_t thread)
{
	return sheet->model->rows[sheet->model->thread_rows[thread]].name;
}

/* Says who waited longest for whom in a part of the run.  The waits of a pair
   are neighbours, one for each pattern. */
static void
part_say(struct esv__sheet *sheet, const struct esv_interval *interval)
{
	const struct esv_interval_blame *longest = NULL, *b;
	int64_t longest_ns = 0, pair_ns = 0, unknown_ns = 0;

	for (size_t n = 0; n < interval->blame_count; n++) {
		b = &interval->blames[n];
		pair_ns = n > 0 && b[-1].waiter == b->waiter &&
			b[-1].culprit == b->culprit ?
		    pair_ns + b->wait_ns :
		    b->wait_ns;
		if (b->culprit == PATHS_NONE)
			unknown_ns += b->wait_ns;
		else if (pair_ns > longest_ns) {
			longest_ns = pair_ns;
			longest = b;
		}
	}
	if (longest == NULL)
		return;
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure,
		"Longest: %s waited %s for %s.%s%s%s",
		thread_name(sheet, longest->waiter),
		esv__sheet_number(sheet, (double)longest_ns, PATHS_UNIT_TIME),
		thread_name(sheet, longest->culprit),
		unknown_ns > 0 ? "  Not shown: " : "",
		unknown_ns > 0 ? esv__sheet_number(sheet, (double)unknown_ns,
				     PATHS_UNIT_TIME) :
				 "",
		unknown_ns > 0 ? esv__sheet_words(sheet,
				     " of waiting for unknown threads.") :
				 ""));
}

/* The waits of a cell of the matrix, or a part of them. */
struct part_cell {
	uint32_t row, column;
	double ns, waits;
};

static int
part_order(const void *a, const void *b)
{
	const struct part_cell *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/* Lists the waits of a part of the run between threads that are shown, sorted
   by cell.  Returns their number. */
static size_t
part_cells(struct esv__sheet *sheet, const struct esv__threads *threads,
    const struct esv_interval *interval, struct part_cell *cells)
{
	size_t count = 0;

	for (size_t n = 0; n < interval->blame_count; n++) {
		const struct esv_interval_blame *b = &interval->blames[n];
		struct part_cell *cell = &cells[count];

		if (b->culprit == PATHS_NONE)
			continue;
		*cell = (struct part_cell){ esv__threads_place(threads,
						esv__threads_part(sheet,
						    b->waiter)),
			esv__threads_place(threads,
			    esv__threads_part(sheet, b->culprit)),
			(double)b->wait_ns, (double)b->waits };
		count +=
		    cell->row < threads->count && cell->column < threads->count;
	}
	qsort(cells, count, sizeof(*cells), part_order);
	return count;
}

/* Puts the waits of a part of the run into cells.  The mean of a cell divides
   the time by all its waits. */
static void
part_fill(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct esv__threads *threads, const struct esv_interval *interval)
{
	bool operations = esv__sheet_measure(sheet, "operations");
	bool mean = esv__sheet_measure(sheet, "mean");
	struct part_cell *cells =
	    esv__sheet_take(sheet, interval->blame_count, sizeof(*cells));
	size_t count;

	if (cells == NULL)
		return;
	count = part_cells(sheet, threads, interval, cells);
	for (size_t n = 0; n < count; n++) {
		struct part_cell sum = cells[n];

		for (; n + 1 < count && part_order(&sum, &cells[n + 1]) == 0;
		     n++) {
			sum.ns += cells[n + 1].ns;
			sum.waits += cells[n + 1].waits;
		}
		if (sum.ns > 0 && (!mean || sum.waits > 0))
			esv__matrix_put(m, sum.row, sum.column,
			    operations ? sum.waits :
				mean   ? sum.ns / sum.waits :
					 sum.ns);
	}
}

static void
waits_fill(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct esv__threads *threads)
{
	static const char *const queries[] = {
		[ESV_ROW_HOST] = esv__sql_waits_pairs_host,
		[ESV_ROW_PROCESS] = esv__sql_waits_pairs_process,
		[ESV_ROW_THREAD] = esv__sql_waits_pairs,
	};
	bool operations = esv__sheet_measure(sheet, "operations");
	bool mean = esv__sheet_measure(sheet, "mean");
	struct esv__query q;

	esv__query_begin(&q, sheet, queries[esv__sheet_level(sheet)]);
	while (esv__query_next(&q)) {
		double value = esv__query_num(&q, operations ? 3 : 2);

		if (mean)
			value /= esv__query_num(&q, 3);
		esv__matrix_put(m,
		    esv__threads_place(threads, esv__query_int(&q, 0)),
		    esv__threads_place(threads, esv__query_int(&q, 1)), value);
	}
}

static void
waits_for_draw(struct esv__sheet *sheet)
{
	static const char *const labels[][2] = {
		[ESV_ROW_HOST] = { "for a thread of host", "waiting threads" },
		[ESV_ROW_PROCESS] = { "for a thread of process",
		    "waiting threads" },
		[ESV_ROW_THREAD] = { "for thread", "waiting thread" },
	};
	bool operations = esv__sheet_measure(sheet, "operations");
	struct esv__matrix m = { .value = "time waited",
		.pairs = esv__sheet_level(sheet) == ESV_ROW_THREAD,
		.fold = ESV__FOLD_SUM,
		.x = { .label = esv__sheet_words(sheet,
			   labels[esv__sheet_level(sheet)][0]) },
		.y = { .label = esv__sheet_words(sheet,
			   labels[esv__sheet_level(sheet)][1]) } };
	const struct esv_interval *interval = NULL;
	struct esv__threads threads;

	if (esv__part_wanted(sheet)) {
		interval = esv__part_get(sheet);
		if (interval == NULL)
			return;
		if (!interval->waits) {
			esv__sheet_nothing(sheet,
			    "The waiting in a range of time needs a trace.");
			return;
		}
		part_say(sheet, interval);
	} else {
		waits_say(sheet);
	}
	if (operations)
		m.value = "operations that waited";
	else if (esv__sheet_measure(sheet, "mean"))
		m.value = "mean time waited by an operation";
	m.unit = operations ? PATHS_UNIT_COUNT : PATHS_UNIT_TIME;
	if (!esv__threads_open(&threads, sheet))
		return;
	esv__matrix_open(&m, sheet, threads.count, threads.count);
	esv__threads_name(&threads, &m.x, m.column_fold);
	esv__threads_name(&threads, &m.y, m.row_fold);
	if (interval != NULL)
		part_fill(&m, sheet, &threads, interval);
	else
		waits_fill(&m, sheet, &threads);
	esv__matrix_draw(&m, sheet);
}

const struct esv_chart esv__chart_waits_for = {
	.name = "waits_for",
	.title = "Who waits for whom",
	.about = "Shows for which threads each thread waits, and how long in "
		 "total.  A strongly coloured column is a thread that keeps "
		 "others waiting.",
	.measures = "time mean operations",
	.levels = "thread process host",
	.tables = "waits_for thread",
	.applies = "EXISTS (SELECT 1 FROM waits_for WHERE culprit IS NOT NULL)",
	.nothing = "No waiting was found: either no thread waited, or no "
		   "collectors are before joins and elements.",
	.measured = true,
	.timed = true,
	.summed = true,
	.draw = waits_for_draw,
};
