/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sheet.h - a figure while a chart is drawn on it
 */

#ifndef VIEWER_PLOT_SHEET_H
#define VIEWER_PLOT_SHEET_H

#include "libpaths/unit.h"
#include "viewer/figure/plot.h"
#include "viewer/model/model.h"

/* The choices of a chart, from the window or the command line. */
struct es_chart_options {
	double width, height;
	int64_t t0_ns, t1_ns; /* part of time; t1_ns 0: all of it */
	const uint32_t *rows; /* rows of model->rows to show; NULL: all */
	uint32_t row_count;
	struct es_thing highlight;
	const char *measure;	 /* one of chart->measures; NULL: the first */
	struct es_thing subject; /* stage, thread ...; NONE: the most
				    interesting one */
};

/* The part of time to show, as two arguments of a query. */
#define ES__TIME_SHOWN(options_) \
	(options_)->t1_ns > 0 ? (options_)->t0_ns : INT64_MIN, \
	    (options_)->t1_ns > 0 ? (options_)->t1_ns : INT64_MAX

/*
 * A figure while a chart is drawn on it.  The first failure stays in the
 * figure's status, and turns all later calls into no-ops, so that a chart needs
 * no error handling.
 */
struct es__sheet {
	struct es_model *model;
	const struct es_chart_options *options; /* with a measure */
	struct es_figure *figure;
	struct es_box box; /* the remaining space */
	void *memory;	   /* of es__sheet_take */
};

/* Begins a sheet as large as the figure. */
void es__sheet_open(struct es__sheet *sheet, struct es_model *model,
    const struct es_chart_options *options, struct es_figure *figure);

/* Frees the memory of es__sheet_take; returns the status of the figure. */
paths_status es__sheet_close(struct es__sheet *sheet) PATHS_CHECKED;

/* Returns zeroed memory, valid until es__sheet_close; NULL: out of memory. */
void *es__sheet_take(struct es__sheet *sheet, size_t count, size_t bytes);

/* Returns an array with room for one more element; NULL: out of memory. */
void *es__sheet_grow(struct es__sheet *sheet, void *array, size_t count,
    size_t bytes);

/* Writes lines of text at the top of the remaining space, and takes their
   height from it.  An empty text takes none. */
void es__sheet_say(struct es__sheet *sheet, int role, const char *text);

/* Leaves some height empty. */
void es__sheet_skip(struct es__sheet *sheet, double height);

/* Writes a sentence in the middle, for a chart without data. */
void es__sheet_nothing(struct es__sheet *sheet, const char *text);

/* Returns true when the chart is to show this measure. */
bool es__sheet_measure(const struct es__sheet *sheet, const char *measure);

/* Formats a number with its unit, for tips and sentences; "-" for NAN. */
const char *es__number(struct es__sheet *sheet, double number,
    enum paths_unit unit);

#endif
