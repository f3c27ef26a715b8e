/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/curves.c - lines over steps or time, each with its range
 *
 * The samples of one pixel are drawn as one, with their least, mean and most.
 */

#include "viewer/plot/curves.h"

#include "viewer/figure/legend.h"
#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

ESV__SQL(curves_steps);

#define DOT 5.0

void
esv__curves_steps(struct esv__curves *curves, struct esv__sheet *sheet)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_curves_steps);
	esv__query_bind_time(&q);
	if (esv__query_next(&q)) {
		curves->first = esv__query_int(&q, 0);
		curves->last = esv__query_int(&q, 1);
	}
	esv__query_close(&q);
}

static void
curve_add(struct esv__curve *curve, struct esv__sheet *sheet,
    const struct esv__sample *sample)
{
	curve->samples = esv__sheet_grow(sheet, curve->samples, curve->count,
	    sizeof(*curve->samples));
	if (curve->samples != NULL)
		curve->samples[curve->count++] = *sample;
}

void
esv__curve_fill(struct esv__curve *curve, struct esv__query *query)
{
	while (esv__query_next(query))
		curve_add(curve, query->sheet,
		    &(struct esv__sample){ esv__query_num(query, 0),
			esv__query_num(query, 1), esv__query_num(query, 2),
			esv__query_num(query, 3) });
}

/* Combines the samples of one pixel, and returns their number. */
static size_t
curve_pixel(const struct esv_plot *plot, const struct esv__curve *curve,
    size_t at, struct esv__sample *all)
{
	double pixel = floor(esv_axis_at(&plot->x, curve->samples[at].x));
	size_t n = at + 1;

	*all = curve->samples[at];
	for (; n < curve->count &&
	     floor(esv_axis_at(&plot->x, curve->samples[n].x)) <= pixel;
	     n++) {
		const struct esv__sample *s = &curve->samples[n];

		all->least = fmin(all->least, s->least);
		all->most = fmax(all->most, s->most);
		all->mean += (s->mean - all->mean) / (double)(n - at + 1);
	}
	return n - at;
}

static struct esv_point
plot_point(const struct esv_plot *plot, double x, double y)
{
	return (struct esv_point){ esv_axis_at(&plot->x, x),
		esv_axis_at(&plot->y, y) };
}

static void
curve_line(const struct esv_plot *plot, const struct esv__curve *curve,
    const struct esv_shape *shape)
{
	struct esv_shape line = *shape;

	line.kind = ESV_SHAPE_LINE;
	line.thing = curve->thing;
	line.tip = curve->label;
	(void)esv_figure_add(plot->figure, &line);
}

/* Draws a line through means, or a dot for a single one. */
static void
curve_means(const struct esv_plot *plot, const struct esv__curve *curve,
    const struct esv_shape *shape)
{
	if (shape->point_count > 1)
		curve_line(plot, curve, shape);
	else if (shape->point_count == 1)
		esv_draw_rect(plot->figure, shape->role,
		    (struct esv_box){ shape->points[0].x - DOT / 2,
			shape->points[0].y - DOT / 2, DOT, DOT },
		    curve->thing, curve->label);
}

/* Returns the longest distance that a line bridges, in pixels: that of two
   neighbours, which may be far from each other where few are shown. */
static double
curve_gap(const struct esv_plot *plot, const struct esv__curve *curve)
{
	double least = INFINITY;

	for (size_t n = 1; n < curve->count; n++)
		least = fmin(least,
		    esv_axis_at(&plot->x, curve->samples[n].x) -
			esv_axis_at(&plot->x, curve->samples[n - 1].x));
	if (!isfinite(least))
		least = 0.0;
	return fmax(fmax(plot->area.width / 40, 2), 1.5 * least);
}

/* Draws the range of each pixel, and a line along the means.  The line has a
   gap at steps without data. */
static void
curve_draw(const struct esv_plot *plot, const struct esv__curve *curve,
    struct esv__sheet *sheet, int role)
{
	struct esv_point *means =
	    esv__sheet_take(sheet, curve->count, sizeof(*means));
	struct esv_shape line = { .role = role,
		.points = means,
		.line_width = 1.5 };
	double gap = curve_gap(plot, curve);

	for (size_t at = 0; means != NULL && at < curve->count;) {
		struct esv__sample s;
		struct esv_point span[2], mean;

		at += curve_pixel(plot, curve, at, &s);
		span[0] = plot_point(plot, s.x, s.least);
		span[1] = plot_point(plot, s.x, s.most);
		if (span[0].y - span[1].y >= 1)
			curve_line(plot, curve,
			    &(struct esv_shape){ .role = role,
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
curves_scale(const struct esv__curves *curves, struct esv_plot *plot)
{
	double least = INFINITY;

	plot->x = (struct esv_axis){ .label = curves->x_axis,
		.unit = curves->x_unit,
		.from = INFINITY,
		.to = -INFINITY };
	plot->y = (struct esv_axis){ .label = curves->y_axis,
		.unit = curves->unit,
		.round = true };
	for (uint32_t n = 0; n < curves->count; n++) {
		for (size_t i = 0; i < curves->curves[n].count; i++) {
			const struct esv__sample *s =
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
esv__curves_draw(const struct esv__curves *curves, struct esv__sheet *sheet)
{
	struct esv_plot plot = { .figure = sheet->figure };
	struct esv_legend_entry legend[ESV__PARTS];
	size_t samples = 0;

	for (uint32_t n = 0; n < curves->count; n++) {
		legend[n] = (struct esv_legend_entry){ ESV_ROLE_SERIES + (int)n,
			curves->curves[n].label, curves->curves[n].thing };
		samples += curves->curves[n].count;
	}
	if (samples == 0)
		esv__sheet_nothing(sheet, "No step is in this range of time.");
	if (samples == 0 || sheet->figure->status != PATHS_OK)
		return;
	esv_legend_draw(sheet->figure, &sheet->box, legend, curves->count);
	curves_scale(curves, &plot);
	esv_plot_axes(&plot, sheet->box);
	for (uint32_t n = 0; n < curves->count; n++)
		if (curves->curves[n].count > 0)
			curve_draw(&plot, &curves->curves[n], sheet,
			    ESV_ROLE_SERIES + (int)n);
}
