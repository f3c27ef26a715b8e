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
struct esv_chart_options {
	double width, height;
	int64_t t0_ns, t1_ns; /* time interval; t1_ns 0: the whole run */
	const uint32_t *rows; /* rows of model->rows to show; NULL: all */
	uint32_t row_count;
	struct esv_thing highlight;
	const char *measure;	  /* one of chart->measures; NULL: the first */
	const char *level;	  /* one of chart->levels; NULL: the first */
	struct esv_thing subject; /* stage, thread ...; NONE: the most
				    interesting one */
};

/*
 * A figure while a chart is drawn on it.  The first failure stays in the
 * figure's status, and turns all later calls into no-ops, so that a chart needs
 * no error handling.
 */
struct esv__sheet {
	struct esv_model *model;
	const struct esv_chart_options *options; /* measure and level are not
						    NULL */
	struct esv_figure *figure;
	struct esv_box box; /* the remaining space */
	void *memory;	    /* of esv__sheet_take */
};

/* Begins a sheet as large as the figure. */
void esv__sheet_open(struct esv__sheet *sheet, struct esv_model *model,
    const struct esv_chart_options *options, struct esv_figure *figure);

/* Frees the memory of esv__sheet_take; returns the status of the figure. */
paths_status esv__sheet_close(struct esv__sheet *sheet) PATHS_CHECKED;

/* Returns zeroed memory, valid until esv__sheet_close; NULL: out of memory. */
void *esv__sheet_take(struct esv__sheet *sheet, size_t count, size_t bytes);

/* Returns an array with room for one more element; NULL: out of memory. */
void *esv__sheet_grow(struct esv__sheet *sheet, void *array, size_t count,
    size_t bytes);

/* Returns a text about threads in the words of the run: about ranks, if each
   thread is one. */
const char *esv__sheet_words(struct esv__sheet *sheet, const char *text);

/* Writes lines of text at the top of the remaining space, and takes their
   height from it.  An empty text takes none. */
void esv__sheet_say(struct esv__sheet *sheet, int role, const char *text);

/* Leaves some height empty. */
void esv__sheet_skip(struct esv__sheet *sheet, double height);

/* Writes a sentence in the middle, for a chart without data. */
void esv__sheet_nothing(struct esv__sheet *sheet, const char *text);

/* Returns true when the chart is to show this measure. */
bool esv__sheet_measure(const struct esv__sheet *sheet, const char *measure);

/* Returns the level whose sums the chart is to show, a kind of rows:
   ESV_ROW_THREAD if it has no choice. */
enum esv_row_kind esv__sheet_level(const struct esv__sheet *sheet);

/* Formats a number with its unit, for tips and sentences; "-" for NAN. */
const char *esv__sheet_number(struct esv__sheet *sheet, double number,
    enum paths_unit unit);

#endif
