/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/curves.c - lines over steps, each with the band it is the mean of
 *
 * What shares a pixel is drawn as one: its least, mean and most.
 */

#include "viewer/plot/curves.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DOT 5.0

void
es__curves_steps(struct es__curves *curves, struct es__sheet *sheet)
{
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT min(step), max(step + steps - 1) FROM step "
	    "WHERE stop_ns >= %" PRId64 " AND start_ns <= %" PRId64,
	    ES__TIME_SHOWN(sheet->options));
	if (es__query_next(&q)) {
		curves->first = es__query_int(&q, 0);
		curves->last = es__query_int(&q, 1);
	}
	es__query_close(&q);
}

void
es__curve_add(struct es__curve *curve, struct es__sheet *sheet,
    const struct es__sample *sample)
{
	curve->samples = es__sheet_grow(sheet, curve->samples, curve->count,
	    sizeof(*curve->samples));
	if (curve->samples != NULL)
		curve->samples[curve->count++] = *sample;
}

void
es__curve_fill(struct es__curve *curve, struct es__sheet *sheet,
    const char *sql)
{
	struct es__query q;

	es__query_open(&q, sheet, "%s", sql);
	while (es__query_next(&q))
		es__curve_add(curve, sheet,
		    &(struct es__sample){ es__query_num(&q, 0),
			es__query_num(&q, 1), es__query_num(&q, 2),
			es__query_num(&q, 3) });
}

/* The samples of one pixel as one; how many they are. */
static size_t
curve_pixel(const struct es_plot *plot, const struct es__curve *curve,
    size_t at, struct es__sample *all)
{
	double pixel = floor(es_axis_at(&plot->x, curve->samples[at].x));
	size_t n = at + 1;

	*all = curve->samples[at];
	for (; n < curve->count &&
	     floor(es_axis_at(&plot->x, curve->samples[n].x)) <= pixel;
	     n++) {
		const struct es__sample *s = &curve->samples[n];

		all->least = fmin(all->least, s->least);
		all->most = fmax(all->most, s->most);
		all->mean += (s->mean - all->mean) / (double)(n - at + 1);
	}
	return n - at;
}

static struct es_point
plot_point(const struct es_plot *plot, double x, double y)
{
	return (struct es_point){ es_axis_at(&plot->x, x),
		es_axis_at(&plot->y, y) };
}

static void
curve_line(const struct es_plot *plot, const struct es__curve *curve,
    const struct es_shape *shape)
{
	struct es_shape line = *shape;

	line.kind = ES_SHAPE_LINE;
	line.thing = curve->thing;
	line.tip = curve->label;
	(void)es_figure_add(plot->figure, &line);
}

/* A line through some means; a single one is a dot. */
static void
curve_means(const struct es_plot *plot, const struct es__curve *curve,
    const struct es_shape *shape)
{
	if (shape->point_count > 1)
		curve_line(plot, curve, shape);
	else if (shape->point_count == 1)
		es_draw_rect(plot->figure, shape->role,
		    (struct es_box){ shape->points[0].x - DOT / 2,
			shape->points[0].y - DOT / 2, DOT, DOT },
		    curve->thing, curve->label);
}

/* From each pixel's least up to its most, and a line along the means, which
   does not go over steps in which there is nothing. */
static void
curve_draw(const struct es_plot *plot, const struct es__curve *curve,
    struct es__sheet *sheet, int role)
{
	struct es_point *means =
	    es__sheet_take(sheet, curve->count, sizeof(*means));
	struct es_shape line = { .role = role,
		.points = means,
		.line_width = 1.5 };
	double gap = fmax(plot->area.width / 40, 2);

	for (size_t at = 0; means != NULL && at < curve->count;) {
		struct es__sample s;
		struct es_point span[2], mean;

		at += curve_pixel(plot, curve, at, &s);
		span[0] = plot_point(plot, s.x, s.least);
		span[1] = plot_point(plot, s.x, s.most);
		if (span[0].y - span[1].y >= 1)
			curve_line(plot, curve,
			    &(struct es_shape){ .role = role,
				.points = span,
				.point_count = 2,
				.line_width = 0.5 });
		mean = plot_point(plot, s.x, s.mean);
		if (line.point_count > 0 &&
		    mean.x - means[line.point_count - 1].x > gap) {
			curve_means(plot, curve, &line);
			line.point_count = 0;
		}
		means[line.point_count++] = mean;
	}
	curve_means(plot, curve, &line);
}

static void
curves_scale(const struct es__curves *curves, struct es_plot *plot)
{
	double least = INFINITY;

	plot->x = (struct es_axis){ .label = curves->x_axis,
		.unit = PATHS_UNIT_PLAIN,
		.from = INFINITY,
		.to = -INFINITY };
	plot->y = (struct es_axis){ .label = curves->y_axis,
		.unit = curves->unit,
		.round = true };
	for (uint32_t n = 0; n < curves->count; n++) {
		for (size_t i = 0; i < curves->curves[n].count; i++) {
			const struct es__sample *s =
			    &curves->curves[n].samples[i];

			plot->x.from = fmin(plot->x.from, s->x);
			plot->x.to = fmax(plot->x.to, s->x);
			plot->y.to = fmax(plot->y.to, s->most);
			if (s->least > 0)
				least = fmin(least, s->least);
		}
	}
	if (!curves->logarithmic || !isfinite(least))
		return;
	plot->y.logarithmic = true;
	plot->y.from = pow(10, floor(log10(least) - 0.01));
	plot->y.to = fmax(pow(10, ceil(log10(plot->y.to))), 10 * plot->y.from);
}

void
es__curves_draw(const struct es__curves *curves, struct es__sheet *sheet)
{
	struct es_plot plot = { .figure = sheet->figure };
	struct es_plot_entry legend[ES__PARTS];
	size_t samples = 0;

	for (uint32_t n = 0; n < curves->count; n++) {
		legend[n] = (struct es_plot_entry){ ES_ROLE_SERIES + (int)n,
			curves->curves[n].label, curves->curves[n].thing };
		samples += curves->curves[n].count;
	}
	if (samples == 0)
		es__sheet_nothing(sheet, "No step is in this range of time.");
	if (samples == 0 || sheet->figure->status != PATHS_OK)
		return;
	es_plot_legend(sheet->figure, &sheet->box, legend, curves->count);
	curves_scale(curves, &plot);
	es_plot_axes(&plot, sheet->box);
	for (uint32_t n = 0; n < curves->count; n++)
		if (curves->curves[n].count > 0)
			curve_draw(&plot, &curves->curves[n], sheet,
			    ES_ROLE_SERIES + (int)n);
}
