/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart_private.h - what charts are drawn with
 *
 * A sheet is a figure while a chart is drawn on it.  The first failure stays
 * in the figure's status and makes all that follows do nothing, so a chart is
 * written as if nothing could fail.
 */

#ifndef VIEWER_CHART_CHART_PRIVATE_H
#define VIEWER_CHART_CHART_PRIVATE_H

#include "viewer/chart/chart.h"
#include "viewer/figure/plot.h"

#include "scopes/rows.h"

#include <stdarg.h>

struct es__sheet {
	struct es_model *model;
	const struct es_chart_options *options; /* with a measure */
	struct es_figure *figure;
	struct es_box box; /* what is left to draw on */
	void *memory;	   /* of es__sheet_take */
};

/*
 * es__sheet_open - begin a sheet that is as large as the figure
 *
 * es__sheet_close gives back what es__sheet_take gave.
 *
 * Returns	the status of the figure
 */
void es__sheet_open(struct es__sheet *sheet, struct es_model *model,
    const struct es_chart_options *options, struct es_figure *figure);
paths_status es__sheet_close(struct es__sheet *sheet) PATHS_CHECKED;

/* Zeroed memory until the sheet is closed; NULL: there is none. */
void *es__sheet_take(struct es__sheet *sheet, size_t count, size_t bytes);

/* An array with room for one more; NULL: there is no memory. */
void *es__sheet_grow(struct es__sheet *sheet, void *array, size_t count,
    size_t bytes);

/* Lines of text at the top of what is left, which they are taken from.  An
   empty one takes nothing. */
void es__sheet_say(struct es__sheet *sheet, int role, const char *text);
/* Leave so much empty. */
void es__sheet_skip(struct es__sheet *sheet, double height);
/* A sentence in the middle of what is left: there is nothing to draw. */
void es__sheet_nothing(struct es__sheet *sheet, const char *text);

/* Whether it is what the chart shall show. */
bool es__sheet_measure(const struct es__sheet *sheet, const char *measure);

/* Which threads are shown: an element for each, true for those of
   options->rows.  NULL: all. */
const bool *es__sheet_threads(struct es__sheet *sheet);
bool es__sheet_shows(const struct es__sheet *sheet, const bool *threads,
    int64_t id);

/* A number with its unit, for tips and sentences; of no number "-". */
const char *es__number(struct es__sheet *sheet, double number,
    enum paths_unit unit);

/*
 * A query over the run's tables.
 *
 *	es__query_open(&q, sheet, "SELECT ... %" PRId64, id);
 *	while (es__query_next(&q))
 *		... es__query_int(&q, 0) ...
 *
 * It is closed when es__query_next has answered false, and must be closed
 * by es__query_close when it is left before.
 */
struct es__query {
	struct es__sheet *sheet;
	struct es_rows *rows;
};
void es__query_open(struct es__query *query, struct es__sheet *sheet,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
bool es__query_next(struct es__query *query);
void es__query_close(struct es__query *query);
int64_t es__query_int(const struct es__query *query, unsigned column);
double es__query_num(const struct es__query *query, unsigned column);
bool es__query_null(const struct es__query *query, unsigned column);
/* Until the sheet is closed; of NULL "". */
const char *es__query_text(const struct es__query *query, unsigned column);

/* The first column of the first row; what it is when there is none. */
int64_t es__query_one(struct es__sheet *sheet, int64_t none, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
const char *es__query_one_text(struct es__sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Bars, one below the other, each of some parts.
 */
#define ES__PARTS 8

struct es__bar {
	const char *label;
	struct es_thing thing;
	double parts[ES__PARTS];
	const char *note; /* behind the bar; NULL */
	double mark;	  /* a line across it; NAN, 0: none */
};

struct es__bars {
	const char *what; /* "threads": what the bars are */
	const char *axis; /* "time": what their lengths are */
	enum paths_unit unit;
	const char *parts[ES__PARTS]; /* names */
	int roles[ES__PARTS];
	uint32_t part_count;
	struct es__bar *bars;
	size_t count;
	bool logarithmic; /* single */
	bool single;	  /* parts stand side by side, not one after another */
	bool top;	  /* sorted: what has no room is left out, not folded */
};

void es__bars_add(struct es__bars *bars, struct es__sheet *sheet,
    const struct es__bar *bar);
/* In descending order of a part, or of the sum of all: part_count. */
void es__bars_sort(struct es__bars *bars, struct es__sheet *sheet,
    uint32_t part);
/* They are drawn in what is left; more than have room are folded, the mean of
   some neighbours each. */
void es__bars_draw(const struct es__bars *bars, struct es__sheet *sheet);

/*
 * A matrix as heats.
 */
enum es__fold { ES__FOLD_SUM, ES__FOLD_MEAN, ES__FOLD_MAX };

struct es__matrix {
	const char *value; /* "time in communication": what heats mean */
	enum paths_unit unit;
	bool logarithmic;
	bool rare;	    /* few cells have far more than all others */
	bool pairs;	    /* cells stand for the ids of row and column */
	bool numbered;	    /* columns have numbers: x.from to x.to */
	enum es__fold fold; /* of what has no room of its own */
	struct es_axis x, y;

	/* Made by es__matrix_open: */
	uint32_t rows, columns;
	uint32_t row_fold, column_fold; /* so many are shown as one */
	double *values;			/* of those that are shown */
	uint32_t *counts;		/* put there */
};

struct es__name {
	const char *text;
	struct es_thing thing;
};

/*
 * es__matrix_open - an empty matrix for what is left of a sheet
 *
 * Then all its rows and columns are named, and cells put.  There is no more
 * memory than the sheet has room for.
 */
void es__matrix_open(struct es__matrix *matrix, struct es__sheet *sheet,
    uint32_t rows, uint32_t columns);
void es__matrix_name(struct es_axis *axis, uint32_t fold, uint32_t n,
    const struct es__name *name);
/* What is in no row or column, as an id that is none may be, is left out. */
void es__matrix_put(struct es__matrix *matrix, uint32_t row, uint32_t column,
    double value);
void es__matrix_draw(const struct es__matrix *matrix, struct es__sheet *sheet);

/*
 * The threads that are shown, in the order of the map.
 */
struct es__threads {
	uint32_t *place; /* of each thread of the run; UINT32_MAX: not shown */
	const char **names; /* and ids, of those that are */
	uint32_t *ids;
	uint32_t count, all;
};

/* Whether there are any. */
bool es__threads_open(struct es__threads *threads, struct es__sheet *sheet);
uint32_t es__threads_place(const struct es__threads *threads, int64_t id);
void es__threads_name(const struct es__threads *threads, struct es_axis *axis,
    uint32_t fold);

/*
 * Lines over steps, each with the band it is the mean of.
 */
struct es__sample {
	double x, least, mean, most;
};

struct es__curve {
	const char *label;
	struct es_thing thing;
	struct es__sample *samples; /* in order of x */
	size_t count;
};

struct es__curves {
	const char *x_axis, *y_axis;
	enum paths_unit unit;
	struct es__curve curves[ES__PARTS];
	uint32_t count;
	bool logarithmic;
	int64_t first, last; /* steps that are shown */
};

/* Show those steps of which any thread did a part in the time that is shown. */
void es__curves_steps(struct es__curves *curves, struct es__sheet *sheet);
void es__curve_add(struct es__curve *curve, struct es__sheet *sheet,
    const struct es__sample *sample);
/* Of a query with these columns: x, least, mean, most. */
void es__curve_fill(struct es__curve *curve, struct es__sheet *sheet,
    const char *sql);
void es__curves_draw(const struct es__curves *curves, struct es__sheet *sheet);

/*
 * Text in columns.
 */
#define ES__COLUMNS 8

struct es__cells {
	const char *cells[ES__COLUMNS];
	struct es_thing thing;
	int role; /* of the first cell */
};

struct es__table {
	const char *heads[ES__COLUMNS];
	bool numbers[ES__COLUMNS]; /* to the right */
	uint32_t columns;
	struct es__cells *rows;
	size_t count;
};

void es__table_add(struct es__table *table, struct es__sheet *sheet,
    const struct es__cells *row);
/* As many rows as fit; how many more there are is said. */
void es__table_draw(const struct es__table *table, struct es__sheet *sheet);

/*
 * The order of a join's inputs, from a table of that form, and its _pair.
 */
struct es__join_table {
	const char *name;
	const char *first, *last;   /* what their inputs are called */
	const char *before, *after; /* axes of pairs */
	const char *wait_axis, *waited;
};

void es__join_draw(struct es__sheet *sheet, const struct es__join_table *table);

/* The part of time that is shown. */
#define ES__TIME_SHOWN(options_) \
	(options_)->t1_ns > 0 ? (options_)->t0_ns : INT64_MIN, \
	    (options_)->t1_ns > 0 ? (options_)->t1_ns : INT64_MAX

/* Sizes of messages, of the pair that is the subject or of all. */
void es__sizes_draw(struct es__sheet *sheet);

/* What source and target of matrices are: MPI ranks, else processes. */
const char *es__rank_name(struct es__sheet *sheet, int64_t rank);
struct es_thing es__rank_thing(struct es__sheet *sheet, int64_t rank);

/* The name of a call site, or NULL: an SQL expression. */
#define ES__SITE_NAME(site_) \
	"(SELECT coalesce(function, 'offset ' || offset) || " \
	"coalesce(', ' || replace(file, rtrim(file, replace(file, '/', '')), " \
	"'') || ':' || line, '') FROM mpi_site WHERE site = " site_ \
	" AND site > 0)"

/* The charts, each in a file of its own. */
#define ES_CHART(its_name) extern const struct es_chart es__chart_##its_name;
#include "viewer/chart/charts.def"
#undef ES_CHART

#endif
