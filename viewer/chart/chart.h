/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart.h - a chart: a view of a run as a figure
 *
 * A chart is one file viewer/chart/NAME.c and one line in
 * viewer/chart/charts.def.  The window shows the same figure as batch mode
 * writes, and as the report holds.
 */

#ifndef VIEWER_CHART_CHART_H
#define VIEWER_CHART_CHART_H

#include "viewer/figure/figure.h"
#include "viewer/model/model.h"

struct es_chart_options {
	double width, height;
	int64_t t0_ns, t1_ns; /* part of time; t1_ns 0: all of it */
	const uint32_t *rows; /* of model->rows that are shown; NULL: all */
	uint32_t row_count;
	struct es_thing highlight;
	const char *measure; /* what is shown where there is a choice; NULL: the
				 first of chart->measures */
	struct es_thing subject; /* which stage, thread ...; NONE: the most
				    interesting one */
};

struct es__sheet;

struct es_chart {
	const char *name;     /* "load_balance" */
	const char *title;    /* "Load balance" */
	const char *about;    /* the question that it answers */
	const char *measures; /* separated by blanks; NULL: no choice */
	const char *tables;   /* that it needs, separated by blanks */
	/* An SQL expression, true for a run that has something to show; and
	   what is said where it is not. */
	const char *applies;
	const char *nothing;
	bool timed; /* it can show a part of time; else it says that not */
	void (*draw)(struct es__sheet *sheet); /* for es_chart_draw */
};

/*
 * es_chart_get, es_chart_find - the n-th chart; the chart of a name
 *
 * Returns	the chart, a constant; NULL: there is none
 */
const struct es_chart *es_chart_get(size_t n);
const struct es_chart *es_chart_find(const char *name);

/*
 * es_chart_applies - whether a run has something to show there
 *
 * Returns	PATHS_OK; what es_rows_next answers
 */
paths_status es_chart_applies(struct es_model *model,
    const struct es_chart *chart, bool *applies) PATHS_CHECKED;

/*
 * es_chart_draw - draw a chart
 *
 * figure	inited by the caller, with the size that is wanted
 *
 * A chart of a run without data says so in the figure.
 *
 * Returns	PATHS_OK; PATHS_EINVAL: no such measure or subject; what
 *		es_rows_next answers; PATHS_ENOMEM
 */
paths_status es_chart_draw(struct es_model *model, const struct es_chart *chart,
    const struct es_chart_options *options, struct es_figure *figure)
    PATHS_CHECKED;

#endif
