/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/select.c - statistics of the operations in a time interval
 */

#include "viewer/event/select.h"

#include "viewer/event/ops.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>

/* The most durations kept for the median.  Of more, every second one is kept,
   then every fourth, and so on. */
#define SAMPLES (UINT32_C(1) << 20)

struct totals {
	int64_t t0_ns, t1_ns;
	uint64_t count;
	double mean_ns, squares, max_ns, sum_ns;
	double covered_ns;
	uint32_t threads; /* with a collector */
	double *samples;
	uint32_t sample_count;
	uint64_t every;
};

static void
totals_sample(struct totals *t, double ns)
{
	if (t->count % t->every != 0)
		return;
	if (t->sample_count == SAMPLES) {
		for (uint32_t n = 0; n < SAMPLES / 2; n++)
			t->samples[n] = t->samples[2 * n];
		t->sample_count = SAMPLES / 2;
		t->every *= 2;
		if (t->count % t->every != 0)
			return;
	}
	t->samples[t->sample_count++] = ns;
}

static void
totals_add(struct totals *t, double ns)
{
	double off = ns - t->mean_ns;

	totals_sample(t, ns);
	t->count++;
	t->mean_ns += off / (double)t->count;
	t->squares += off * (ns - t->mean_ns);
	t->sum_ns += ns;
	if (ns > t->max_ns)
		t->max_ns = ns;
}

/* Adds the part of an operation that lies in the selection. */
static void
totals_cover(struct totals *t, int64_t start, int64_t stop)
{
	int64_t from = start > t->t0_ns ? start : t->t0_ns;
	int64_t to = stop < t->t1_ns ? stop : t->t1_ns;

	if (to > from)
		t->covered_ns += (double)(to - from);
}

/* Adds the operations of a collector.  An operation of a thread ends before the
   next one begins, so only the last one before the selection can overlap it. */
static void
totals_collector(struct totals *t, const struct esv__ops *ops)
{
	uint64_t n = esv__ops_seek(ops, t->t0_ns), before = n;

	while (before > 0 && !esv__ops_is(ops, --before))
		;
	if (before < n)
		totals_cover(t, esv__ops_start(ops, before),
		    esv__ops_stop(ops, before));
	for (; n < ops->collector->count; n++) {
		int64_t start = esv__ops_start(ops, n), stop;

		if (start >= t->t1_ns)
			break;
		stop = esv__ops_stop(ops, n);
		if (!esv__ops_is(ops, n) || stop < start)
			continue;
		totals_add(t, (double)(stop - start));
		totals_cover(t, start, stop);
	}
}

/* Adds the threads below a row, or the row itself. */
static void
totals_row(struct totals *t, const struct esv_model *model, uint32_t row)
{
	for (uint32_t n = row; n < model->row_count; n++) {
		const struct esv_row *r = &model->rows[n];
		const uint32_t *head, *end;
		struct esv__ops ops;

		if (n > row && r->depth <= model->rows[row].depth)
			break;
		if (r->kind != ESV_ROW_THREAD)
			continue;
		esv__ops_heads(model, r->id, &head, &end);
		t->threads += head < end;
		for (; head < end; head++)
			if (esv__ops_open(model, *head, &ops))
				totals_collector(t, &ops);
	}
}

static int
compare_ns(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
totals_median(struct totals *t)
{
	uint32_t half = t->sample_count / 2;

	if (t->sample_count == 0)
		return 0;
	qsort(t->samples, t->sample_count, sizeof(*t->samples), compare_ns);
	return t->sample_count % 2 == 1 ?
	    t->samples[half] :
	    (t->samples[half - 1] + t->samples[half]) / 2;
}

static struct esv_selection_row
totals_result(struct totals *t, uint32_t row)
{
	double time_ns =
	    (double)(t->t1_ns - t->t0_ns) * (t->threads > 0 ? t->threads : 1);
	double share = t->covered_ns / time_ns;

	return (struct esv_selection_row){ .row = row,
		.count = t->count,
		.mean_ns = t->mean_ns,
		.median_ns = totals_median(t),
		.stdev_ns = t->count > 1 ?
		    sqrt(t->squares / (double)(t->count - 1)) :
		    0,
		.max_ns = t->max_ns,
		.sum_ns = t->sum_ns,
		.share = share < 1 ? share : 1 };
}

paths_status
esv_event_select(struct esv_model *model, int64_t t0_ns, int64_t t1_ns,
    struct esv_selection_row *statistics, uint32_t row_count)
{
	double *samples;
	paths_status st = esv__ops_check(model);

	if (st != PATHS_OK)
		return st;
	if (t1_ns <= t0_ns || t0_ns < -(INT64_C(1) << 60) ||
	    t1_ns > INT64_C(1) << 60)
		return paths_log_fail(PATHS_EINVAL,
		    "the interval is empty, or over 2^60 ns");
	samples = malloc(SAMPLES * sizeof(*samples));
	if (samples == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a selection");
	for (uint32_t n = 0; n < row_count; n++) {
		struct totals t = { .t0_ns = t0_ns,
			.t1_ns = t1_ns,
			.samples = samples,
			.every = 1 };

		if (statistics[n].row < model->row_count)
			totals_row(&t, model, statistics[n].row);
		statistics[n] = totals_result(&t, statistics[n].row);
	}
	free(samples);
	return PATHS_OK;
}
