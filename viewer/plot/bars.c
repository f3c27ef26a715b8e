/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/bars.c - horizontal bars, each divided into parts
 */

#include "viewer/plot/bars.h"

#include "viewer/figure/legend.h"
#include "viewer/plot/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest distance between two bars, and the least; bars that would be
   closer are folded. */
#define PITCH_MAX 26.0
#define PITCH_MIN 3.0

/* The least distance between bars if some are left out, and between means. */
#define PITCH_TOP 18.0
#define PITCH_FOLDED 14.0

#define AXIS 48.0   /* estimated height below the bars */
#define LOWEST 12.0 /* least height of all bars */
#define GAP 6.0

/* A bar that is so many standard deviations from the mean is named if bars are
   folded. */
#define FAR 4.0

struct bars_layout {
	const struct esv__bars *bars;
	struct esv__sheet *sheet;
	struct esv_plot plot;
	struct esv__bar *shown; /* the bars, or means of neighbours */
	size_t count;
	double pitch;
};

void
esv__bars_add(struct esv__bars *bars, struct esv__sheet *sheet,
    const struct esv__bar *bar)
{
	bars->bars = esv__sheet_grow(sheet, bars->bars, bars->count,
	    sizeof(*bars->bars));
	if (bars->bars != NULL)
		bars->bars[bars->count++] = *bar;
}

/* Returns the length of a bar. */
static double
bar_length(const struct esv__bars *bars, const struct esv__bar *bar)
{
	double length = 0;

	for (uint32_t p = 0; p < bars->part_count; p++) {
		if (isnan(bar->parts[p]))
			continue;
		if (bars->single)
			length = fmax(length, bar->parts[p]);
		else
			length += bar->parts[p];
	}
	return length;
}

/* A bar with its key and its place before sorting. */
struct ranked {
	double key;
	size_t at;
	struct esv__bar bar;
};

static int
ranked_order(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void
esv__bars_sort(struct esv__bars *bars, struct esv__sheet *sheet, uint32_t part)
{
	struct ranked *ranked =
	    esv__sheet_take(sheet, bars->count, sizeof(*ranked));

	if (ranked == NULL || bars->count == 0)
		return;
	for (size_t n = 0; n < bars->count; n++) {
		const struct esv__bar *bar = &bars->bars[n];
		double key = part < bars->part_count ? bar->parts[part] :
						       bar_length(bars, bar);

		ranked[n] =
		    (struct ranked){ isnan(key) ? -INFINITY : key, n, *bar };
	}
	qsort(ranked, bars->count, sizeof(*ranked), ranked_order);
	for (size_t n = 0; n < bars->count; n++)
		bars->bars[n] = ranked[n].bar;
}

/* Returns the mean of some bars. */
static struct esv__bar
bars_mean(const struct esv__bars *bars, struct esv__sheet *sheet, size_t from,
    size_t to)
{
	struct esv__bar mean = { .label = to - from == 1 ?
		    bars->bars[from].label :
		    esv_figure_printf(sheet->figure, "%s ... %s",
			bars->bars[from].label, bars->bars[to - 1].label) };

	for (size_t n = from; n < to; n++)
		for (uint32_t p = 0; p < bars->part_count; p++)
			if (!isnan(bars->bars[n].parts[p]))
				mean.parts[p] += bars->bars[n].parts[p] /
				    (double)(to - from);
	return mean;
}

/* Returns the farthest distance of a bar from the mean of a part, in standard
   deviations.  at, mean: out, the bar and the mean */
static double
part_farthest(const struct esv__bars *bars, uint32_t part, size_t *at,
    double *mean)
{
	double sum = 0, squares = 0, far = 0;

	*at = 0;
	for (size_t n = 0; n < bars->count; n++)
		if (!isnan(bars->bars[n].parts[part]))
			sum += bars->bars[n].parts[part];
	*mean = sum / (double)bars->count;
	for (size_t n = 0; n < bars->count; n++) {
		double d = bars->bars[n].parts[part] - *mean;

		if (isnan(d))
			continue;
		squares += d * d;
		if (fabs(d) > far) {
			far = fabs(d);
			*at = n;
		}
	}
	return squares > 0 ? far / sqrt(squares / (double)bars->count) : 0;
}

/* Names the bar that is the most unlike the others, which its mean hides. */
static void
layout_say_farthest(const struct bars_layout *l)
{
	const struct esv__bars *bars = l->bars;
	struct esv__sheet *sheet = l->sheet;
	double most = FAR, mean = 0;
	uint32_t part = bars->part_count;
	size_t at = 0;

	for (uint32_t p = 0; p < bars->part_count; p++) {
		size_t n;
		double m, far = part_farthest(bars, p, &n, &m);

		if (far <= most)
			continue;
		most = far;
		part = p;
		at = n;
		mean = m;
	}
	if (part == bars->part_count)
		return;
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure,
		"%s is the most unlike the others: %s %s, and %s in the mean "
		"of all.",
		bars->bars[at].label, bars->parts[part],
		esv__sheet_number(sheet, bars->bars[at].parts[part],
		    bars->unit),
		esv__sheet_number(sheet, mean, bars->unit)));
}

/* Returns whether bars have numbers behind them. */
static bool
bars_have_notes(const struct esv__bars *bars)
{
	for (size_t n = 0; n < bars->count; n++)
		if (bars->bars[n].note != NULL)
			return true;
	return false;
}

static void
layout_fold(struct bars_layout *l)
{
	const struct esv__bars *bars = l->bars;
	double room = l->sheet->box.height - AXIS;
	size_t fit = (size_t)fmax(1, room / PITCH_MIN), fold;

	l->shown = bars->bars;
	l->count = bars->count;
	if (bars->top)
		fit = (size_t)fmax(1, room / PITCH_TOP);
	if (bars->count <= fit)
		return;
	if (bars->top) {
		l->count = fit;
		esv__sheet_say(l->sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(l->sheet->figure,
			"Only the first %zu of %zu %s are shown, for lack of "
			"room.",
			fit, bars->count, bars->what));
		return;
	}
	layout_say_farthest(l);
	/* The sentence below takes a line, too. */
	room = l->sheet->box.height - AXIS - ESV_LABEL_HEIGHT(ESV_LABEL_POINTS);
	fit = (size_t)fmax(1, room / PITCH_FOLDED);
	fold = (bars->count + fit - 1) / fit;
	esv__sheet_say(l->sheet, ESV_ROLE_WARNING,
	    esv_figure_printf(l->sheet->figure,
		"%zu %s do not fit: each bar is the mean of %zu of them%s.",
		bars->count, bars->what, fold,
		bars_have_notes(bars) ? ", without numbers after it" : ""));
	l->shown = esv__sheet_take(l->sheet, fit + 1, sizeof(*l->shown));
	l->count = 0;
	for (size_t n = 0; l->shown != NULL && n < bars->count; n += fold)
		l->shown[l->count++] = bars_mean(bars, l->sheet, n,
		    n + fold < bars->count ? n + fold : bars->count);
}

static double
layout_notes(const struct bars_layout *l)
{
	double width = 0;

	for (size_t n = 0; n < l->count; n++)
		if (l->shown[n].note != NULL)
			width = fmax(width,
			    esv_label_width(l->shown[n].note,
				ESV_LABEL_POINTS) +
				GAP);
	return fmin(width, l->sheet->box.width / 3);
}

static void
layout_x(struct bars_layout *l)
{
	struct esv_axis *x = &l->plot.x;
	const struct esv__bars *bars = l->bars;
	double least = INFINITY;

	*x = (struct esv_axis){ .label = bars->axis,
		.unit = bars->unit,
		.round = true };
	for (size_t n = 0; n < l->count; n++) {
		x->to = fmax(x->to, bar_length(bars, &l->shown[n]));
		x->to = fmax(x->to, l->shown[n].mark);
		for (uint32_t p = 0; p < bars->part_count; p++)
			if (l->shown[n].parts[p] > 0)
				least = fmin(least, l->shown[n].parts[p]);
	}
	if (!bars->logarithmic || x->to <= 0)
		return;
	x->logarithmic = true;
	x->from = pow(10, floor(log10(least) - 0.01));
	x->to = fmax(pow(10, ceil(log10(x->to))), 10 * x->from);
}

static void
layout_y(struct bars_layout *l)
{
	const char **names =
	    esv__sheet_take(l->sheet, l->count, sizeof(*names));
	struct esv_thing *things =
	    esv__sheet_take(l->sheet, l->count, sizeof(*things));

	if (names == NULL || things == NULL)
		return;
	for (size_t n = 0; n < l->count; n++) {
		names[n] = l->shown[n].label;
		things[n] = l->shown[n].thing;
	}
	l->plot.y = (struct esv_axis){ .names = names,
		.count = (uint32_t)l->count,
		.things = things };
}

static void
layout_open(struct bars_layout *l)
{
	struct esv_box *left = &l->sheet->box, box;

	layout_fold(l);
	l->plot.figure = l->sheet->figure;
	layout_x(l);
	layout_y(l);
	if (l->sheet->figure->status != PATHS_OK)
		return;
	box = *left;
	box.width -= layout_notes(l);
	box.height = fmin(box.height, (double)l->count * PITCH_MAX + AXIS);
	esv_plot_axes(&l->plot, box);
	l->pitch = l->plot.area.height / (double)l->count;
	left->y += box.height;
	left->height -= box.height;
}

static void
bar_part(const struct bars_layout *l, const struct esv__bar *bar, uint32_t part,
    struct esv_box box)
{
	esv_draw_rect(l->sheet->figure, l->bars->roles[part], box, bar->thing,
	    esv_figure_printf(l->sheet->figure, "%s, %s: %s", bar->label,
		l->bars->parts[part],
		esv__sheet_number(l->sheet, bar->parts[part], l->bars->unit)));
}

static void
bar_stacked(const struct bars_layout *l, const struct esv__bar *bar, double y)
{
	double gap = l->pitch > 6 ? l->pitch * 0.12 : 0;
	double sum = 0, from = l->plot.area.x;

	for (uint32_t p = 0; p < l->bars->part_count; p++) {
		double to;

		if (isnan(bar->parts[p]) || bar->parts[p] <= 0)
			continue;
		sum += bar->parts[p];
		to = esv_axis_at(&l->plot.x, sum);
		bar_part(l, bar, p,
		    (struct esv_box){ from, y + gap, to - from,
			l->pitch - 2 * gap });
		from = to;
	}
}

static void
bar_single(const struct bars_layout *l, const struct esv__bar *bar, double y)
{
	uint32_t count = l->pitch < 9 ? 1 : l->bars->part_count;
	double gap = l->pitch > 6 ? l->pitch * 0.12 : 0;
	double high = (l->pitch - 2 * gap) / count;

	for (uint32_t p = 0; p < count; p++)
		if (bar->parts[p] > 0)
			bar_part(l, bar, p,
			    (struct esv_box){ l->plot.area.x,
				y + gap + high * p,
				esv_axis_at(&l->plot.x, bar->parts[p]) -
				    l->plot.area.x,
				high });
}

static void
bar_draw(const struct bars_layout *l, const struct esv__bar *bar, double y)
{
	double right = l->plot.area.x + l->plot.area.width + GAP;

	if (l->bars->single)
		bar_single(l, bar, y);
	else
		bar_stacked(l, bar, y);
	if (bar->mark > 0)
		esv_draw_rect(l->sheet->figure, ESV_ROLE_MARK,
		    (struct esv_box){ esv_axis_at(&l->plot.x, bar->mark) - 1, y,
			2, l->pitch },
		    bar->thing, NULL);
	if (bar->note != NULL && l->pitch >= 10)
		esv_draw_text_within(l->sheet->figure, ESV_ROLE_TEXT,
		    (struct esv_box){ right, y,
			l->sheet->box.x + l->sheet->box.width - right,
			l->pitch },
		    ESV_ANCHOR_LEFT, bar->note);
}

void
esv__bars_draw(const struct esv__bars *bars, struct esv__sheet *sheet)
{
	struct esv_legend_entry legend[ESV__PARTS];
	struct bars_layout l = { .bars = bars, .sheet = sheet };

	if (bars->count == 0 || sheet->figure->status != PATHS_OK)
		return;
	for (uint32_t p = 0; p < bars->part_count; p++)
		legend[p] = (struct esv_legend_entry){ bars->roles[p],
			bars->parts[p], ESV_NOTHING };
	if (bars->part_count > 1)
		esv_legend_draw(sheet->figure, &sheet->box, legend,
		    bars->part_count);
	if (sheet->box.height < AXIS + LOWEST) {
		esv__sheet_nothing(sheet, "There is no room for the bars.");
		return;
	}
	layout_open(&l);
	if (sheet->figure->status != PATHS_OK)
		return;
	for (size_t n = 0; n < l.count; n++)
		bar_draw(&l, &l.shown[n], l.plot.area.y + l.pitch * (double)n);
}
