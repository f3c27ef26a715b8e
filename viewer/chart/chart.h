/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart.h - the charts: views of a run as figures
 *
 * A chart is one file viewer/chart/NAME.c and one line in
 * viewer/chart/charts.def.  The window, batch mode and the report show
 * the same figure.
 */

#ifndef VIEWER_CHART_CHART_H
#define VIEWER_CHART_CHART_H

#include "viewer/figure/figure.h"
#include "viewer/model/model.h"
#include "viewer/plot/sheet.h"

struct esv_chart {
	const char *name;     /* "load_balance" */
	const char *title;    /* "Load balance" */
	const char *about;    /* sentences about what it shows */
	const char *measures; /* separated by blanks; NULL: no choice */
	const char *levels;   /* thread process host run, those that it can add
				 up; NULL: no choice */
	const char *tables;   /* required tables, separated by blanks */
	const char *applies;  /* SQL expression: true if there is data */
	const char *nothing;  /* sentence shown if there is none */
	/* Returns the reason why a run has no data though `applies` is true, or
	   NULL; NULL: there is no such reason. */
	const char *(*lacks)(struct esv_model *model);
	bool measured; /* of MPI ranks, it counts the measured interval only */
	bool timed;    /* can show a time interval */
	bool summed;   /* a time interval is read from tuples, which
				 can take a while (event/interval.h) */
	void (*draw)(struct esv__sheet *sheet); /* for esv_chart_draw */
};

/*
 * esv_chart_get, esv_chart_find - get a chart by its index or name
 *
 * Returns	the chart, a constant; NULL: not found
 */
const struct esv_chart *esv_chart_get(size_t n);
const struct esv_chart *esv_chart_find(const char *name);

/*
 * esv_chart_applies - find out if a run has data for a chart
 *
 * Returns	PATHS_OK, or the status of es_rows_next
 */
paths_status esv_chart_applies(struct esv_model *model,
    const struct esv_chart *chart, bool *applies) PATHS_CHECKED;

/*
 * esv_chart_draw - draw a chart
 *
 * figure	initialised by the caller, with the wanted size
 *
 * A chart of a run without data says so in the figure.
 *
 * Returns	PATHS_OK; PATHS_EINVAL: no such measure or level; PATHS_ENOMEM;
 *		or the status of es_rows_next
 */
paths_status esv_chart_draw(struct esv_model *model,
    const struct esv_chart *chart, const struct esv_chart_options *options,
    struct esv_figure *figure) PATHS_CHECKED;

#endif
