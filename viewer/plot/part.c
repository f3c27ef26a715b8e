/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/part.c - charts of a part of the run
 */

#include "viewer/plot/part.h"

#include "libpaths/log.h"

#include <stdlib.h>

bool
esv__part_wanted(const struct esv__sheet *sheet)
{
	return sheet->options->t1_ns > 0;
}

const struct esv_interval *
esv__part_get(struct esv__sheet *sheet)
{
	const int64_t ns[2] = { sheet->options->t0_ns, sheet->options->t1_ns };
	const struct esv_interval *interval = NULL;
	paths_status st;

	if (sheet->figure->status != PATHS_OK)
		return NULL;
	if (sheet->model->run == NULL) {
		esv__sheet_nothing(sheet,
		    "A part of the run needs the event spaces, which are not "
		    "here.");
		return NULL;
	}
	st = esv_interval_get(sheet->model, ns, 0, NULL, &interval);
	if (st != PATHS_OK)
		sheet->figure->status = st;
	return interval;
}

const char *
esv__part_text(struct esv__sheet *sheet)
{
	const struct esv_chart_options *o = sheet->options;

	return esv_figure_printf(sheet->figure, "%s from %s",
	    esv__sheet_number(sheet, (double)(o->t1_ns - o->t0_ns),
		PATHS_UNIT_TIME),
	    esv__sheet_number(sheet, (double)o->t0_ns, PATHS_UNIT_TIME));
}

static int
sum_key(const void *a, const void *b)
{
	const struct esv__part_sum *x = a, *y = b;

	if (x->mpi != y->mpi || x->op != y->op)
		return x->mpi * 0x10000 + (int)x->op <
			y->mpi * 0x10000 + (int)y->op ?
		    -1 :
		    1;
	return (x->site > y->site) - (x->site < y->site);
}

static int
sum_time(const void *a, const void *b)
{
	const struct esv__part_sum *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns > y->time_ns ? -1 : 1;
	return sum_key(a, b);
}

struct esv__part_sum *
esv__part_sums(struct esv__sheet *sheet, const struct esv_interval *interval,
    bool sites, size_t *count)
{
	struct esv__part_sum *sums =
	    esv__sheet_take(sheet, interval->cell_count, sizeof(*sums));
	size_t kept = 0;

	*count = 0;
	if (sums == NULL || interval->cell_count == 0)
		return sums;
	for (size_t n = 0; n < interval->cell_count; n++) {
		const struct esv_interval_cell *c = &interval->cells[n];

		sums[n] = (struct esv__part_sum){ .op = c->op,
			.site = sites ? c->site : 0,
			.mpi = c->mpi,
			.calls = (double)c->calls,
			.time_ns = (double)c->time_ns,
			.wait_ns = (double)c->wait_ns };
	}
	qsort(sums, interval->cell_count, sizeof(*sums), sum_key);
	for (size_t n = 0; n < interval->cell_count; n++) {
		struct esv__part_sum *to = &sums[kept - (kept > 0)];

		if (kept == 0 || sum_key(to, &sums[n]) != 0) {
			sums[kept++] = sums[n];
			continue;
		}
		to->calls += sums[n].calls;
		to->time_ns += sums[n].time_ns;
		to->wait_ns += sums[n].wait_ns;
	}
	qsort(sums, kept, sizeof(*sums), sum_time);
	*count = kept;
	return sums;
}
