/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart.c - the list of charts, and the common part of drawing
 *
 * Each chart begins with its title and a description.  The shapes of the
 * highlighted thing are framed in every chart.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/part.h"
#include "viewer/plot/query.h"

#include "libpaths/log.h"

#include <string.h>

static const struct esv_chart *const charts[] = {
#define ESV_CHART(its_name) &esv__chart_##its_name,
#include "viewer/chart/charts.def"
#undef ESV_CHART
};

#define COUNT (sizeof(charts) / sizeof(charts[0]))

/* A lower figure has no description, because the chart needs the room. */
#define ABOUT_LEAST 240.0

const struct esv_chart *
esv_chart_get(size_t n)
{
	return n < COUNT ? charts[n] : NULL;
}

const struct esv_chart *
esv_chart_find(const char *name)
{
	for (size_t n = 0; n < COUNT; n++)
		if (strcmp(charts[n]->name, name) == 0)
			return charts[n];
	return NULL;
}

/* Returns the first table of a chart that the run lacks; "" if it has all. */
static const char *
chart_missing(struct esv__sheet *sheet, const struct esv_chart *chart)
{
	const char *words = chart->tables;

	while (sheet->figure->status == PATHS_OK && *words != '\0') {
		int length = (int)strcspn(words, " ");

		if (esv__query_one(sheet, 0,
			"SELECT count(*) FROM sqlite_schema WHERE name = "
			"'%.*s'",
			length, words) == 0)
			return esv_figure_printf(sheet->figure, "%.*s", length,
			    words);
		words += length;
		words += strspn(words, " ");
	}
	return "";
}

/* Returns the reason why a chart is empty; NULL if it is not. */
static const char *
chart_nothing(struct esv__sheet *sheet, const struct esv_chart *chart)
{
	const char *missing = chart_missing(sheet, chart);

	if (*missing != '\0')
		return esv_figure_printf(sheet->figure,
		    "view.db has no table %s; eventspace scope computes it.",
		    missing);
	if (esv__query_one(sheet, 0, "SELECT %s", chart->applies) == 0)
		return chart->nothing;
	return chart->lacks == NULL ? NULL : chart->lacks(sheet->model);
}

paths_status
esv_chart_applies(struct esv_model *model, const struct esv_chart *chart,
    bool *applies)
{
	struct esv_figure none;
	struct esv__sheet sheet = { .model = model, .figure = &none };
	const char *nothing;
	paths_status st;

	esv_figure_init(&none, 0, 0);
	nothing = chart_nothing(&sheet, chart);
	st = esv__sheet_close(&sheet);
	if (st == PATHS_OK)
		*applies = nothing == NULL;
	esv_figure_fini(&none);
	return st;
}

/* Copies the wanted word, or the first one, from the measures or the levels of
   a chart. */
static paths_status
chart_word(const struct esv_chart *chart, const char *what, const char *wanted,
    char word[32])
{
	const char *all = *what == 'm' ? chart->measures : chart->levels;
	const char *words = all == NULL ? "" : all;

	if (wanted == NULL || *wanted == '\0') {
		size_t length = strcspn(words, " ");

		memcpy(word, words, length);
		word[length] = '\0';
		return PATHS_OK;
	}
	while (*words != '\0') {
		size_t length = strcspn(words, " ");

		if (strlen(wanted) == length &&
		    strncmp(words, wanted, length) == 0) {
			memcpy(word, words, length);
			word[length] = '\0';
			return PATHS_OK;
		}
		words += length;
		words += strspn(words, " ");
	}
	return paths_log_fail(PATHS_EINVAL, "%s has no %s %s%s%s", chart->name,
	    what, wanted, all == NULL ? "" : ", only ", all == NULL ? "" : all);
}

static bool
thing_equal(const struct esv_thing *a, const struct esv_thing *b)
{
	return a->kind == b->kind && a->id == b->id &&
	    (a->kind != ESV_THING_PAIR || a->other == b->other);
}

/* Draws a frame around a shape, or a line below a text. */
static void
chart_frame(struct esv__sheet *sheet, const struct esv_shape *shape)
{
	double width = shape->kind == ESV_SHAPE_TEXT ?
	    esv_label_width(shape->text, shape->text_size) :
	    shape->width;
	double left = shape->x, top = shape->y, low = top + shape->height;
	struct esv_point points[5];

	if (shape->kind == ESV_SHAPE_TEXT) {
		if (shape->anchor == ESV_ANCHOR_RIGHT)
			left -= width;
		if (shape->anchor == ESV_ANCHOR_MIDDLE)
			left -= width / 2;
		top = low =
		    shape->y + ESV_LABEL_HEIGHT(shape->text_size) / 2 - 1;
	}
	points[0] = (struct esv_point){ left, low };
	points[1] = (struct esv_point){ left + width, low };
	points[2] = (struct esv_point){ left + width, top };
	points[3] = (struct esv_point){ left, top };
	points[4] = points[0];
	(void)esv_figure_add(sheet->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_LINE,
		.role = ESV_ROLE_HIGHLIGHT,
		.thing = shape->thing,
		.points = points,
		.point_count = shape->kind == ESV_SHAPE_TEXT ? 2 : 5,
		.line_width = 2 });
}

static void
chart_highlight(struct esv__sheet *sheet)
{
	const struct esv_thing *thing = &sheet->options->highlight;
	size_t count = sheet->figure->count;

	if (thing->kind == ESV_THING_NONE)
		return;
	for (size_t n = 0; n < count && sheet->figure->status == PATHS_OK;
	     n++) {
		struct esv_shape shape = sheet->figure->shapes[n];

		if (!thing_equal(&shape.thing, thing))
			continue;
		if (shape.kind == ESV_SHAPE_RECT ||
		    shape.kind == ESV_SHAPE_IMAGE ||
		    (shape.kind == ESV_SHAPE_TEXT && !shape.text_turned))
			chart_frame(sheet, &shape);
	}
}

/* Says which time a chart covers, if it is not the whole run. */
static void
chart_covers(struct esv__sheet *sheet, const struct esv_chart *chart)
{
	const struct esv_model *m = sheet->model;

	if (sheet->options->t1_ns > 0 && chart->timed)
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure, "Covers %s.",
			esv__part_text(sheet)));
	else if (sheet->options->t1_ns > 0)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    "Covers the whole run, not this range of time.");
	else if (chart->measured && m->shown_to_ns > m->to_ns)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"Covers the time up to %s; the %s until the end of the "
			"run are left out.",
			esv__sheet_number(sheet, (double)m->to_ns,
			    PATHS_UNIT_TIME),
			esv__sheet_number(sheet,
			    (double)(m->shown_to_ns - m->to_ns),
			    PATHS_UNIT_TIME)));
}

paths_status
esv_chart_draw(struct esv_model *model, const struct esv_chart *chart,
    const struct esv_chart_options *options, struct esv_figure *figure)
{
	struct esv_chart_options own = *options;
	struct esv__sheet sheet;
	char measure[32] = "", level[32] = "";
	const char *nothing;
	paths_status st =
	    chart_word(chart, "measure", options->measure, measure);

	if (st == PATHS_OK)
		st = chart_word(chart, "level", options->level, level);
	if (st != PATHS_OK)
		return st;
	own.measure = measure;
	own.level = level;
	esv__sheet_open(&sheet, model, &own, figure);
	figure->title = esv__sheet_words(&sheet, chart->title);
	if (figure->height >= ABOUT_LEAST)
		esv__sheet_say(&sheet, ESV_ROLE_DIM_TEXT,
		    esv__sheet_words(&sheet, chart->about));
	chart_covers(&sheet, chart);
	nothing = chart_nothing(&sheet, chart);
	if (nothing == NULL)
		chart->draw(&sheet);
	else
		esv__sheet_nothing(&sheet, esv__sheet_words(&sheet, nothing));
	chart_highlight(&sheet);
	return esv__sheet_close(&sheet);
}
