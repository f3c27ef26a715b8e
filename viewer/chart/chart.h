/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart.h - the charts: views of a run as figures
 *
 * A chart is one file viewer/chart/NAME.c and one line in
 * viewer/chart/charts.def.  The window shows the same figure as batch mode
 * writes, and as the report holds.
 */

#ifndef VIEWER_CHART_CHART_H
#define VIEWER_CHART_CHART_H

#include "viewer/figure/figure.h"
#include "viewer/model/model.h"
#include "viewer/plot/sheet.h"

struct es_chart {
	const char *name;     /* "load_balance" */
	const char *title;    /* "Load balance" */
	const char *about;    /* the question that it answers */
	const char *measures; /* separated by blanks; NULL: no choice */
	const char *tables;   /* required tables, separated by blanks */
	const char *applies;  /* SQL expression: true where there is data */
	const char *nothing;  /* sentence shown where there is none */
	bool timed; /* can show a part of time; else the chart says no */
	void (*draw)(struct es__sheet *sheet); /* for es_chart_draw */
};

/*
 * es_chart_get, es_chart_find - gets a chart by its index or name
 *
 * Returns	the chart, a constant; NULL: not found
 */
const struct es_chart *es_chart_get(size_t n);
const struct es_chart *es_chart_find(const char *name);

/*
 * es_chart_applies - asks whether a run has data for a chart
 *
 * Returns	PATHS_OK, or the status of es_rows_next
 */
paths_status es_chart_applies(struct es_model *model,
    const struct es_chart *chart, bool *applies) PATHS_CHECKED;

/*
 * es_chart_draw - draw a chart
 *
 * figure	initialised by the caller, with the wanted size
 *
 * A chart of a run without data says so in the figure.
 *
 * Returns	PATHS_OK; PATHS_EINVAL: no such measure or subject;
 *		PATHS_ENOMEM; or the status of es_rows_next
 */
paths_status es_chart_draw(struct es_model *model, const struct es_chart *chart,
    const struct es_chart_options *options, struct es_figure *figure)
    PATHS_CHECKED;

#endif
