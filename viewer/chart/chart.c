/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart.c - the list of charts, and the common part of drawing
 *
 * Each chart begins with its title and a description.  The shapes of the
 * highlighted thing are framed in every chart.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/query.h"

#include "libpaths/log.h"

#include <string.h>

static const struct es_chart *const charts[] = {
#define ES_CHART(its_name) &es__chart_##its_name,
#include "viewer/chart/charts.def"
#undef ES_CHART
};

#define COUNT (sizeof(charts) / sizeof(charts[0]))

const struct es_chart *
es_chart_get(size_t n)
{
	return n < COUNT ? charts[n] : NULL;
}

const struct es_chart *
es_chart_find(const char *name)
{
	for (size_t n = 0; n < COUNT; n++)
		if (strcmp(charts[n]->name, name) == 0)
			return charts[n];
	return NULL;
}

/* Returns the first table of a chart that the run lacks; "" if it has all. */
static const char *
chart_missing(struct es__sheet *sheet, const struct es_chart *chart)
{
	const char *words = chart->tables;

	while (sheet->figure->status == PATHS_OK && *words != '\0') {
		int length = (int)strcspn(words, " ");

		if (es__query_one(sheet, 0,
			"SELECT count(*) FROM sqlite_schema WHERE name = "
			"'%.*s'",
			length, words) == 0)
			return es_figure_printf(sheet->figure, "%.*s", length,
			    words);
		words += length;
		words += strspn(words, " ");
	}
	return "";
}

/* Returns the reason why a chart is empty; NULL if it is not. */
static const char *
chart_nothing(struct es__sheet *sheet, const struct es_chart *chart)
{
	const char *missing = chart_missing(sheet, chart);

	if (*missing != '\0')
		return es_figure_printf(sheet->figure,
		    "view.db has no table %s; eventspace scope computes it.",
		    missing);
	return es__query_one(sheet, 0, "SELECT %s", chart->applies) != 0 ?
	    NULL :
	    chart->nothing;
}

paths_status
es_chart_applies(struct es_model *model, const struct es_chart *chart,
    bool *applies)
{
	struct es_figure none;
	struct es__sheet sheet = { .model = model, .figure = &none };
	const char *nothing;
	paths_status st;

	es_figure_init(&none, 0, 0);
	nothing = chart_nothing(&sheet, chart);
	st = es__sheet_close(&sheet);
	if (st == PATHS_OK)
		*applies = nothing == NULL;
	es_figure_fini(&none);
	return st;
}

/* Copies the wanted measure, or the first one, from chart->measures. */
static paths_status
chart_measure(const struct es_chart *chart, const char *wanted,
    char measure[32])
{
	const char *words = chart->measures == NULL ? "" : chart->measures;

	if (wanted == NULL || *wanted == '\0') {
		size_t length = strcspn(words, " ");

		memcpy(measure, words, length);
		measure[length] = '\0';
		return PATHS_OK;
	}
	while (*words != '\0') {
		size_t length = strcspn(words, " ");

		if (strlen(wanted) == length &&
		    strncmp(words, wanted, length) == 0) {
			memcpy(measure, words, length);
			measure[length] = '\0';
			return PATHS_OK;
		}
		words += length;
		words += strspn(words, " ");
	}
	return paths_log_fail(PATHS_EINVAL, "%s has no measure %s%s%s",
	    chart->name, wanted, chart->measures == NULL ? "" : ", only ",
	    chart->measures == NULL ? "" : chart->measures);
}

static bool
thing_equal(const struct es_thing *a, const struct es_thing *b)
{
	return a->kind == b->kind && a->id == b->id &&
	    (a->kind != ES_THING_PAIR || a->other == b->other);
}

/* Draws a frame around a shape, or a line below a text. */
static void
chart_frame(struct es__sheet *sheet, const struct es_shape *shape)
{
	double width = shape->kind == ES_SHAPE_TEXT ?
	    es_label_width(shape->text, shape->text_size) :
	    shape->width;
	double left = shape->x, top = shape->y, low = top + shape->height;
	struct es_point points[5];

	if (shape->kind == ES_SHAPE_TEXT) {
		if (shape->anchor == ES_ANCHOR_RIGHT)
			left -= width;
		if (shape->anchor == ES_ANCHOR_MIDDLE)
			left -= width / 2;
		top = low =
		    shape->y + ES_LABEL_HEIGHT(shape->text_size) / 2 - 1;
	}
	points[0] = (struct es_point){ left, low };
	points[1] = (struct es_point){ left + width, low };
	points[2] = (struct es_point){ left + width, top };
	points[3] = (struct es_point){ left, top };
	points[4] = points[0];
	(void)es_figure_add(sheet->figure,
	    &(struct es_shape){ .kind = ES_SHAPE_LINE,
		.role = ES_ROLE_HIGHLIGHT,
		.thing = shape->thing,
		.points = points,
		.point_count = shape->kind == ES_SHAPE_TEXT ? 2 : 5,
		.line_width = 2 });
}

static void
chart_highlight(struct es__sheet *sheet)
{
	const struct es_thing *thing = &sheet->options->highlight;
	size_t count = sheet->figure->count;

	if (thing->kind == ES_THING_NONE)
		return;
	for (size_t n = 0; n < count && sheet->figure->status == PATHS_OK;
	     n++) {
		struct es_shape shape = sheet->figure->shapes[n];

		if (!thing_equal(&shape.thing, thing))
			continue;
		if (shape.kind == ES_SHAPE_RECT ||
		    shape.kind == ES_SHAPE_IMAGE ||
		    (shape.kind == ES_SHAPE_TEXT && !shape.text_turned))
			chart_frame(sheet, &shape);
	}
}

paths_status
es_chart_draw(struct es_model *model, const struct es_chart *chart,
    const struct es_chart_options *options, struct es_figure *figure)
{
	struct es_chart_options own = *options;
	struct es__sheet sheet;
	char measure[32] = "";
	const char *nothing;
	paths_status st = chart_measure(chart, options->measure, measure);

	if (st != PATHS_OK)
		return st;
	own.measure = measure;
	figure->title = chart->title;
	es__sheet_open(&sheet, model, &own, figure);
	es__sheet_say(&sheet, ES_ROLE_DIM_TEXT, chart->about);
	if (options->t1_ns > 0 && !chart->timed)
		es__sheet_say(&sheet, ES_ROLE_WARNING,
		    "Covers the whole run, not the selected range of time.");
	nothing = chart_nothing(&sheet, chart);
	if (nothing == NULL)
		chart->draw(&sheet);
	else
		es__sheet_nothing(&sheet, nothing);
	chart_highlight(&sheet);
	return es__sheet_close(&sheet);
}
