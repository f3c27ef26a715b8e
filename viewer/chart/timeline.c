/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline.c - the timeline as a figure, for pictures
 *
 * Strips are rectangles.  If they are so many that an image is smaller, each
 * row is an image; axes and texts stay shapes.
 */

#include "viewer/chart/timeline.h"

#include "viewer/chart/timeline_legend.h"
#include "viewer/chart/timeline_rows.h"
#include "viewer/figure/plot.h"
#include "viewer/model/tints.h"
#include "viewer/timeline/strips.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STRIPS 50000u
#define OVERVIEW 18.0
#define GAP 6.0
#define BAND_LINES (ESV_GREYS - 1) /* of the image of a band */

struct timeline_chart {
	struct esv_model *model;
	const struct esv_timeline_options *options;
	struct esv_figure *figure;
	struct esv_plot plot;
	struct esv_strips strips;
	uint32_t *rows;
	uint32_t row_count;
	const char **names;
	struct esv_thing *things;
	struct esv_tint_texts tints;
};

static struct esv_thing
row_thing(const struct esv_row *row)
{
	static const enum esv_thing_kind kinds[] = {
		[ESV_ROW_RUN] = ESV_THING_NONE,
		[ESV_ROW_HOST] = ESV_THING_HOST,
		[ESV_ROW_PROCESS] = ESV_THING_PROCESS,
		[ESV_ROW_THREAD] = ESV_THING_THREAD,
	};

	return ESV_THING(kinds[row->kind], row->id);
}

/* Returns the least depth of the rows that are shown. */
static uint32_t
timeline_depth(const struct timeline_chart *t)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t n = 0; n < t->row_count; n++) {
		uint32_t depth = esv_timeline_row_depth(t->model,
		    &t->model->rows[t->rows[n]]);

		if (depth < least)
			least = depth;
	}
	return least;
}

static paths_status
timeline_choose(struct timeline_chart *t)
{
	const struct esv_timeline_options *options = t->options;
	size_t most = t->model->row_count + options->row_count + 1;
	uint32_t least;

	t->rows = calloc(most, sizeof(*t->rows));
	t->names = calloc(most, sizeof(*t->names));
	t->things = calloc(most, sizeof(*t->things));
	if (t->rows == NULL || t->names == NULL || t->things == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the rows of a timeline");
	t->row_count = options->row_count;
	if (options->rows == NULL)
		t->row_count = esv_timeline_rows(t->model, t->rows);
	else
		memcpy(t->rows, options->rows,
		    options->row_count * sizeof(*t->rows));
	least = timeline_depth(t);
	for (uint32_t n = 0; n < t->row_count; n++) {
		const struct esv_row *row = &t->model->rows[t->rows[n]];

		t->names[n] = esv_figure_printf(t->figure, "%*s%s",
		    (int)(2 * (esv_timeline_row_depth(t->model, row) - least)),
		    "", row->name);
		t->things[n] = row_thing(row);
	}
	return t->figure->status;
}

/* Returns the box of a row; gaps separate it from its neighbours. */
static struct esv_box
timeline_row(const struct timeline_chart *t, uint32_t n)
{
	double top = esv_axis_at(&t->plot.y, n);
	double height = esv_axis_at(&t->plot.y, n + 1) - top;
	double gap = height > 12.0 ? 2.0 : height > 3.0 ? 1.0 : 0.0;

	return (struct esv_box){ t->plot.area.x, top + gap / 2.0,
		t->plot.area.width, height - gap };
}

/* Returns true if a row is drawn as a band. */
static bool
timeline_is_band(const struct timeline_chart *t, uint32_t n)
{
	return esv_strips_is_band(t->model, t->rows[n],
	    (t->figure->height - ESV_TIMELINE_AROUND) / t->row_count);
}

/* Returns the place of a time, clamped to the area. */
static double
timeline_at(const struct timeline_chart *t, double time_ns)
{
	const struct esv_axis *x = &t->plot.x;

	return esv_axis_at(x, fmin(fmax(time_ns, x->from), x->to));
}

static bool
timeline_shows(const struct timeline_chart *t, double from_ns, double to_ns)
{
	return to_ns >= t->plot.x.from && from_ns <= t->plot.x.to;
}

/* Draws the part of a band from one height to another, in greys. */
static void
strips_band_part(const struct timeline_chart *t, struct esv_box box,
    const uint32_t heights[2], int role)
{
	double unit = box.height / (ESV_GREYS - 1);

	if (heights[1] <= heights[0])
		return;
	box.y += box.height - unit * heights[1];
	box.height = unit * (heights[1] - heights[0]);
	esv_draw_rect(t->figure, role, box, ESV_NOTHING, NULL);
}

/* Draws a strip in a box, as a part of a band or over the whole height. */
static void
strips_rect(const struct timeline_chart *t, const struct esv_strip *strip,
    struct esv_box box, bool band)
{
	if (band)
		strips_band_part(t, box,
		    (uint32_t[]){ strip->wait, strip->level },
		    esv_strips_band_role(strip));
	else
		esv_draw_rect(t->figure, esv_strips_role(strip), box,
		    ESV_NOTHING, NULL);
	strips_band_part(t, box, (uint32_t[]){ 0, strip->wait },
	    esv_strips_wait_role());
}

static void
strips_rects(const struct timeline_chart *t, double unit)
{
	for (size_t n = 0; n < t->strips.count; n++) {
		const struct esv_strip *strip = &t->strips.strips[n];
		struct esv_box box = timeline_row(t, strip->row);

		box.x += strip->x0 * unit;
		box.width = (strip->x1 - strip->x0) * unit;
		strips_rect(t, strip, box, timeline_is_band(t, strip->row));
	}
}

/* Draws time without a core in the upper half of rows. */
static void
strips_gaps(const struct timeline_chart *t, double unit)
{
	for (size_t n = 0; n < t->strips.gap_count; n++) {
		const struct esv_strip *strip = &t->strips.gaps[n];
		struct esv_box box = timeline_row(t, strip->row);

		box.x += strip->x0 * unit;
		box.width = (strip->x1 - strip->x0) * unit;
		box.height *= 0.5 * strip->wait / (ESV_GREYS - 1);
		esv_draw_rect(t->figure, ESV_ROLE_NO_CORE, box, ESV_NOTHING,
		    NULL);
	}
}

/* Writes the names of operations that have the room.  A name is below time
   without a core, on the colour of its operation. */
static void
strips_names(const struct timeline_chart *t, double unit)
{
	const double points = 8.5;

	for (size_t n = 0; n < t->strips.name_count; n++) {
		const struct esv_strip_name *name = &t->strips.names[n];
		struct esv_box box = timeline_row(t, name->row);
		double width = (name->x1 - name->x0) * unit - 4.0;
		const char *text = name->text;

		if (text == NULL || box.height < points + 3.0)
			continue;
		if (esv_label_width(text, points) > width &&
		    strncmp(text, "MPI_", 4) == 0)
			text += 4;
		if (esv_label_width(text, points) > width)
			continue;
		if (esv_strips_gap_in(&t->strips, name->row, name->x0,
			name->x0 +
			    (uint32_t)((esv_label_width(text, points) + 3.0) /
				unit))) {
			box.height /= 2.0;
			box.y += box.height;
		}
		if (box.height < points + 1.0)
			continue;
		(void)esv_figure_add(t->figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
			.role =
			    esv_class_is_light(t->options->by, name->class) ?
			    ESV_ROLE_ON_LIGHT :
			    ESV_ROLE_ON_DARK,
			.x = box.x + name->x0 * unit + 3.0,
			.y = box.y + box.height / 2.0,
			.anchor = ESV_ANCHOR_LEFT,
			.text = text,
			.text_size = points });
	}
}

/* Draws a strip into the lines of an image; those of a band from the lowest. */
static void
strips_pixels(const struct esv_strip *strip, uint16_t *pixels, uint32_t width,
    uint32_t lines, bool band)
{
	uint32_t first = band ? lines - strip->level : 0;
	int above = band ? esv_strips_band_role(strip) : esv_strips_role(strip);

	for (uint32_t y = first; y < lines; y++) {
		int role = lines > 1 && lines - y <= strip->wait ?
		    esv_strips_wait_role() :
		    above;

		for (uint32_t x = strip->x0; x < strip->x1 && x < width; x++)
			pixels[(size_t)y * width + x] = (uint16_t)role;
	}
}

static void
strips_image(const struct timeline_chart *t, uint32_t row, uint16_t *pixels,
    uint32_t width, size_t *next)
{
	struct esv_box box = timeline_row(t, row);
	bool band = timeline_is_band(t, row);
	uint32_t lines =
	    band || t->options->by != ESV_BY_SHARE ? BAND_LINES : 1;

	for (size_t n = 0; n < (size_t)lines * width; n++)
		pixels[n] = ESV_ROLE_GREY;
	for (; *next < t->strips.count && t->strips.strips[*next].row == row;
	     ++*next)
		strips_pixels(&t->strips.strips[*next], pixels, width, lines,
		    band);
	(void)esv_figure_add(t->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_IMAGE,
		.x = box.x,
		.y = box.y,
		.width = box.width,
		.height = box.height,
		.thing = t->things[row],
		.pixels = pixels,
		.columns = width,
		.rows = lines });
}

static paths_status
strips_images(const struct timeline_chart *t, uint32_t width)
{
	uint16_t *pixels = calloc((size_t)width * BAND_LINES, sizeof(*pixels));
	size_t next = 0;

	if (pixels == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a row of %u pixels", width);
	for (uint32_t n = 0; n < t->row_count; n++)
		strips_image(t, n, pixels, width, &next);
	free(pixels);
	return PATHS_OK;
}

/* Draws the ground of each row behind its strips, in the colour of computation
   or of missing data. */
static void
timeline_grounds(const struct timeline_chart *t)
{
	for (uint32_t n = 0; n < t->row_count; n++) {
		const struct esv_row *row = &t->model->rows[t->rows[n]];
		bool none = row->pyramid == PATHS_NONE;

		esv_draw_rect(t->figure,
		    none ? ESV_ROLE_MISSING : ESV_ROLE_GREY, timeline_row(t, n),
		    t->things[n],
		    none ? esv_figure_printf(t->figure,
			       "%s: nothing was recorded", row->name) :
			   row->name);
	}
}

static paths_status
timeline_strips(struct timeline_chart *t)
{
	double resolution = t->options->resolution;
	struct esv_window window = { .t0_ns = t->plot.x.from,
		.span_ns = t->plot.x.to - t->plot.x.from,
		.by = t->options->by,
		.hidden = t->options->hidden };
	paths_status st;

	if (!(resolution > 0.0))
		resolution = 1.0;
	window.width = (uint32_t)fmax(rint(t->plot.area.width * resolution), 1);
	st = esv_strips_fill(t->model, &window, t->rows, t->row_count,
	    &t->strips);
	if (st != PATHS_OK)
		return st;
	if (t->strips.count > MOST_STRIPS)
		st = strips_images(t, window.width);
	else
		strips_rects(t, t->plot.area.width / window.width);
	strips_gaps(t, t->plot.area.width / window.width);
	strips_names(t, t->plot.area.width / window.width);
	return st;
}

/* Finds the box of a row of the model, or of the lowest row above it that is
   shown. */
static bool
timeline_find(const struct timeline_chart *t, uint32_t row, struct esv_box *box)
{
	while (row != PATHS_NONE && row < t->model->row_count) {
		for (uint32_t n = 0; n < t->row_count; n++)
			if (t->rows[n] == row) {
				*box = timeline_row(t, n);
				return true;
			}
		row = t->model->rows[row].parent;
	}
	return false;
}

/* Draws an interval as a bar, wide enough to be visible. */
static void
timeline_highlight(const struct timeline_chart *t, const struct esv_link *link)
{
	struct esv_box box;

	if (!timeline_shows(t, (double)link->from_ns, (double)link->to_ns) ||
	    !timeline_find(t, link->from_row, &box))
		return;
	box.x = timeline_at(t, (double)link->from_ns);
	box.width = fmax(timeline_at(t, (double)link->to_ns) - box.x, 2.0);
	esv_draw_rect(t->figure, ESV_ROLE_HIGHLIGHT, box, ESV_NOTHING, NULL);
}

static void
timeline_head(const struct timeline_chart *t, int role, struct esv_point from,
    struct esv_point to)
{
	double size = role == ESV_ROLE_WARNING ? 1.7 : 1.0;
	double length = hypot(to.x - from.x, to.y - from.y);
	double x = size * (to.x - from.x) / length;
	double y = size * (to.y - from.y) / length;
	struct esv_point points[] = { to,
		{ to.x - 6.0 * x - 2.5 * y, to.y - 6.0 * y + 2.5 * x },
		{ to.x - 6.0 * x + 2.5 * y, to.y - 6.0 * y - 2.5 * x } };

	if (length >= 8.0)
		(void)esv_figure_add(t->figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_AREA,
			.role = role,
			.points = points,
			.point_count = 3 });
}

/* Draws a link as an arrow.  That of a cause has a halo, and begins beside the
   name of the operation. */
static void
timeline_line(const struct timeline_chart *t, int role,
    const struct esv_link *link)
{
	bool cause = role == ESV_ROLE_WARNING;
	struct esv_box from, to;
	struct esv_point a, b;

	if (!timeline_shows(t, (double)link->from_ns, (double)link->to_ns) ||
	    !timeline_find(t, link->from_row, &from) ||
	    !timeline_find(t, link->to_row, &to))
		return;
	a = (struct esv_point){ timeline_at(t, (double)link->from_ns),
		from.y + from.height / 2.0 };
	b = (struct esv_point){ timeline_at(t, (double)link->to_ns),
		to.y + to.height / 2.0 };
	if (cause) {
		a.y += (a.y < b.y ? 1.0 : -1.0) * from.height / 3.0;
		esv_draw_line(t->figure, ESV_ROLE_GROUND, a, b, 4.0);
	}
	esv_draw_line(t->figure, role, a, b, cause ? 2.0 : 1.0);
	timeline_head(t, role, a, b);
}

static void
timeline_arrow(const struct timeline_chart *t, const struct esv_link *link)
{
	timeline_line(t, ESV_ROLE_ARROW, link);
}

/* Covers the row of a thread from its death on. */
static void
timeline_gone(const struct timeline_chart *t, struct esv_box box, double ns)
{
	const struct esv_box *area = &t->plot.area;

	box.x = fmax(timeline_at(t, ns), area->x);
	box.width = area->x + area->width - box.x;
	if (box.width > 0.0)
		esv_draw_rect(t->figure, ESV_ROLE_MISSING, box, ESV_NOTHING,
		    "died before");
}

/* Draws a cross where a thread died.  At the end of the run all of it is
   visible. */
static void
timeline_cross(const struct timeline_chart *t, struct esv_box box, double ns)
{
	const struct esv_box *area = &t->plot.area;
	double half = fmin(box.height / 2.0, 6.0);
	double x = fmin(fmax(timeline_at(t, ns), area->x + half),
	    area->x + area->width - half);
	double y = box.y + box.height / 2.0;

	for (int n = -1; n < 2; n += 2)
		esv_draw_line(t->figure, ESV_ROLE_WARNING,
		    (struct esv_point){ x - half, y - n * half },
		    (struct esv_point){ x + half, y + n * half }, 2.0);
}

/* Draws a delay as a bar along the lower edge of its row, a death as a cross,
   and what follows from a delay or belongs to a deadlock as an arrow.  Nothing
   is drawn in a row after a death. */
static void
timeline_cause(const struct timeline_chart *t, const struct esv_link *link)
{
	struct esv_box box;

	if (link->from_row != link->to_row) {
		timeline_line(t, ESV_ROLE_WARNING, link);
		return;
	}
	if (!timeline_find(t, link->from_row, &box))
		return;
	if (link->from_ns == link->to_ns)
		timeline_gone(t, box, (double)link->from_ns);
	if (!timeline_shows(t, (double)link->from_ns, (double)link->to_ns))
		return;
	if (link->from_ns == link->to_ns) {
		timeline_cross(t, box, (double)link->from_ns);
		return;
	}
	box.x = timeline_at(t, (double)link->from_ns);
	box.width = fmax(timeline_at(t, (double)link->to_ns) - box.x, 1.0);
	box.y += box.height - 3.0;
	box.height = 3.0;
	esv_draw_rect(t->figure, ESV_ROLE_WARNING, box, ESV_NOTHING, NULL);
}

static void
timeline_links(const struct timeline_chart *t, const struct esv_links *links,
    void (*draw)(const struct timeline_chart *, const struct esv_link *))
{
	for (size_t n = 0; links != NULL && n < links->count; n++)
		draw(t, &links->links[n]);
}

/* Draws the critical path: a line along the rows that it is on, and one from
   row to row where it leaves a thread. */
static void
timeline_critical(const struct timeline_chart *t)
{
	const struct esv_links *path = t->options->critical;
	double before = -1.0; /* height of the part before; negative: none */

	for (size_t n = 0; path != NULL && n < path->count; n++) {
		const struct esv_link *part = &path->links[n];
		struct esv_box box;
		double x, y;

		if (!timeline_shows(t, (double)part->from_ns,
			(double)part->to_ns) ||
		    !timeline_find(t, part->from_row, &box)) {
			before = -1.0;
			continue;
		}
		x = timeline_at(t, (double)part->from_ns);
		y = box.y + box.height - 1.5;
		if (before >= 0.0 && before != y)
			esv_draw_line(t->figure, ESV_ROLE_CRITICAL,
			    (struct esv_point){ x, before },
			    (struct esv_point){ x, y }, 1.0);
		box.width = timeline_at(t, (double)part->to_ns) - x;
		esv_draw_rect(t->figure, ESV_ROLE_CRITICAL,
		    (struct esv_box){ x, y - 1.5, fmax(box.width, 1.0), 3.0 },
		    ESV_NOTHING, NULL);
		before = y;
	}
}

/* Draws the ends of a time interval as lines, with its label. */
static void
timeline_mark(const struct timeline_chart *t,
    const struct esv_timeline_mark *mark, int role)
{
	const struct esv_box *area = &t->plot.area;
	double ends[] = { mark->from_ns, mark->to_ns };

	for (int n = 0; n < (mark->from_ns == mark->to_ns ? 1 : 2); n++) {
		double x = timeline_at(t, ends[n]);

		if (timeline_shows(t, ends[n], ends[n]))
			esv_draw_line(t->figure, role,
			    (struct esv_point){ x, area->y },
			    (struct esv_point){ x, area->y + area->height },
			    2.0);
	}
	if (mark->label != NULL &&
	    timeline_shows(t, mark->from_ns, mark->to_ns))
		esv_draw_text(t->figure, ESV_ROLE_TEXT,
		    (struct esv_point){ timeline_at(t, mark->from_ns) + 4.0,
			area->y + ESV_LABEL_HEIGHT(ESV_LABEL_POINTS) / 2.0 },
		    ESV_ANCHOR_LEFT, mark->label);
}

/* Draws the selection behind the rows; it is visible between them. */
static void
timeline_selection(const struct timeline_chart *t)
{
	const struct esv_timeline_mark *selection = t->options->selection;
	struct esv_box box = t->plot.area;

	if (selection == NULL)
		return;
	box.x = timeline_at(t, selection->from_ns);
	box.width = timeline_at(t, selection->to_ns) - box.x;
	esv_draw_rect(t->figure, ESV_ROLE_SELECTION, box, ESV_NOTHING, NULL);
}

/* Draws the strips of all hosts, one below the other in a box. */
static paths_status
timeline_hosts(struct timeline_chart *t, struct esv_box box)
{
	struct esv_window all = { 0.0, (double)t->model->span_ns,
		(uint32_t)fmax(box.width, 1.0), t->options->by,
		t->options->hidden };
	struct esv_strips strips = { 0 };
	uint32_t *hosts = calloc(t->model->row_count, sizeof(*hosts));
	uint32_t count;
	double height;
	paths_status st;

	if (hosts == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the rows of an overview");
	count = esv_timeline_rows_to(t->model, ESV_ROW_HOST, hosts);
	height = box.height / count;
	st = esv_strips_fill(t->model, &all, hosts, count, &strips);
	for (size_t n = 0; st == PATHS_OK && n < strips.count; n++) {
		const struct esv_strip *strip = &strips.strips[n];
		struct esv_box of = { box.x + strip->x0,
			box.y + strip->row * height, strip->x1 - strip->x0,
			height };

		strips_rect(t, strip, of, height >= 6.0 && strip->level > 0);
	}
	esv_strips_fini(&strips);
	free(hosts);
	return st;
}

/* Draws the whole run, and a frame around the time interval shown. */
static paths_status
timeline_overview(struct timeline_chart *t, struct esv_box box)
{
	double unit = box.width / (double)t->model->span_ns;
	double from = t->plot.x.from, to = t->plot.x.to;
	paths_status st;

	esv_draw_rect(t->figure, ESV_ROLE_GREY, box, ESV_NOTHING,
	    "the whole run");
	st = timeline_hosts(t, box);
	esv_draw_frame(t->figure, ESV_ROLE_HIGHLIGHT,
	    (struct esv_box){ box.x + from * unit - 1.0, box.y - 2.0,
		fmax((to - from) * unit + 2.0, 4.0), box.height + 4.0 },
	    2.0);
	return st;
}

static void
timeline_legend(const struct timeline_chart *t, struct esv_box *box)
{
	struct esv__timeline_legend legend = { .model = t->model,
		.options = t->options,
		.tints = &t->tints };

	for (uint32_t n = 0; n < t->row_count; n++) {
		legend.band |= timeline_is_band(t, n);
		legend.none |= t->model->rows[t->rows[n]].pyramid == PATHS_NONE;
	}
	esv__timeline_legend_draw(&legend, t->figure, box);
}

/* Draws the axes, and the shapes on the area from back to front. */
static paths_status
timeline_paint(struct timeline_chart *t, struct esv_box box)
{
	paths_status st;

	esv_plot_axes(&t->plot, box);
	timeline_selection(t);
	timeline_grounds(t);
	st = timeline_strips(t);
	timeline_links(t, t->options->highlight, timeline_highlight);
	timeline_critical(t);
	timeline_links(t, t->options->arrows, timeline_arrow);
	timeline_links(t, t->options->delays, timeline_cause);
	timeline_links(t, t->options->ends, timeline_cause);
	for (size_t n = 0; n < t->options->mark_count; n++)
		timeline_mark(t, &t->options->marks[n], ESV_ROLE_MARK);
	if (t->options->selection != NULL)
		timeline_mark(t, t->options->selection, ESV_ROLE_HIGHLIGHT);
	return st;
}

/* Returns the words about the interval that is shown if none was chosen and it
   is not the whole run; else an empty text. */
static const char *
timeline_outside(const struct timeline_chart *t)
{
	const struct esv_model *m = t->model;

	if (t->plot.x.from != (double)m->from_ns ||
	    t->plot.x.to != (double)m->shown_to_ns ||
	    (m->from_ns == 0 && m->shown_to_ns == m->span_ns))
		return "";
	return m->shown_to_ns > m->to_ns ?
	    " (to the end of the run; MPI_Init is outside)" :
	    " (measured interval; MPI_Init and the end of MPI_Finalize are "
	    "outside)";
}

/* Tells that the rows are not those of threads, because these are too many. */
static const char *
timeline_folded(const struct timeline_chart *t)
{
	uint32_t count;
	enum esv_row_kind kind = esv_timeline_rows_kind(t->model, NULL, &count);

	return t->options->rows != NULL || kind == ESV_ROW_THREAD ?
	    "" :
	    esv_figure_printf(t->figure,
		" (rows are %s: %" PRIu32 " %s do not fit)",
		kind == ESV_ROW_PROCESS ? "hosts and processes" : "hosts",
		t->model->thread_count, t->model->ranks ? "ranks" : "threads");
}

static void
timeline_title(const struct timeline_chart *t)
{
	char from[PATHS_UNIT_TEXT_BYTES] = "0", to[PATHS_UNIT_TEXT_BYTES];

	if (t->plot.x.from != 0.0)
		paths_unit_text(PATHS_UNIT_TIME, t->plot.x.from, from);
	paths_unit_text(PATHS_UNIT_TIME, t->plot.x.to, to);
	t->figure->title = esv_figure_printf(t->figure,
	    "When %s communicate, %s to %s%s%s%s",
	    t->model->ranks ? "ranks" : "threads", from, to,
	    timeline_outside(t), timeline_folded(t),
	    t->strips.coarse ? " (coarse: the event spaces are missing)" : "");
}

static paths_status
timeline_all(struct timeline_chart *t)
{
	struct esv_box box = esv_plot_page(t->figure), over;
	double span = (double)t->model->span_ns;
	bool part = t->plot.x.from > 0.0 || t->plot.x.to < span;
	paths_status st = timeline_choose(t);

	if (st != PATHS_OK)
		return st;
	if (t->row_count == 0 || !(span > 0.0)) {
		t->figure->title = esv_figure_printf(t->figure,
		    "When %s communicate: nothing was recorded",
		    t->model->ranks ? "ranks" : "threads");
		esv_draw_message(t->figure, "Nothing was recorded.");
		return t->figure->status;
	}
	if (t->options->by >= ESV_BY_TINT) {
		st = esv_tints_read(t->model,
		    (enum es_colour)(t->options->by - ESV_BY_TINT), &t->tints);
		if (st != PATHS_OK)
			return st;
	}
	timeline_legend(t, &box);
	over = box;
	if (part) {
		box.y += OVERVIEW + GAP;
		box.height -= OVERVIEW + GAP;
	}
	t->plot.y = (struct esv_axis){ .names = t->names,
		.count = t->row_count,
		.things = t->things,
		.tree = true };
	st = timeline_paint(t, box);
	over.x = t->plot.area.x;
	over.width = t->plot.area.width;
	over.height = OVERVIEW - 2.0;
	if (st == PATHS_OK && part)
		st = timeline_overview(t, over);
	timeline_title(t);
	return st == PATHS_OK ? t->figure->status : st;
}

static paths_status
timeline_refuse(double t0_ns, double t1_ns)
{
	char from[PATHS_UNIT_TEXT_BYTES], to[PATHS_UNIT_TEXT_BYTES];

	return paths_log_fail(PATHS_EINVAL,
	    "the interval from %s to %s is empty",
	    paths_unit_text(PATHS_UNIT_TIME, t0_ns, from),
	    paths_unit_text(PATHS_UNIT_TIME, t1_ns, to));
}

paths_status
esv_timeline_draw(struct esv_model *model,
    const struct esv_timeline_options *options, struct esv_figure *figure)
{
	struct timeline_chart t = { .model = model,
		.options = options,
		.figure = figure };
	double end = options->t1_ns;
	paths_status st;

	if (end <= 0.0)
		end = (double)model->span_ns;
	if (model->span_ns > 0 && !(options->t0_ns < end))
		return timeline_refuse(options->t0_ns, end);
	t.plot = (struct esv_plot){ .figure = figure,
		.x = { .unit = PATHS_UNIT_TIME,
		    .from = options->t0_ns,
		    .to = end } };
	st = timeline_all(&t);
	esv_strips_fini(&t.strips);
	free(t.rows);
	free(t.names);
	free(t.things);
	return st;
}
