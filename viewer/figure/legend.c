/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/legend.c - what colours of a chart mean
 */

#include "viewer/figure/plot.h"

#include <math.h>

#define LINE ES_LABEL_HEIGHT(ES_LABEL_POINTS)
#define SWATCH 11.0
#define GAP 5.0
#define BETWEEN 16.0 /* entries */

void
es_plot_legend(struct es_figure *figure, struct es_box *box,
    const struct es_plot_entry *entries, size_t count)
{
	double x = box->x, y = box->y, right = box->x + box->width;

	for (size_t n = 0; n < count; n++) {
		double text = es_label_width(entries[n].text, ES_LABEL_POINTS);

		if (x > box->x && x + SWATCH + GAP + text > right) {
			x = box->x;
			y += LINE;
		}
		es_draw_rect(figure, entries[n].role,
		    (struct es_box){ x, y + (LINE - SWATCH) / 2.0, SWATCH,
			SWATCH },
		    entries[n].thing, NULL);
		x += SWATCH + GAP;
		es_draw_text_within(figure, ES_ROLE_TEXT,
		    (struct es_box){ x, y, fmax(right - x, 1.0), LINE },
		    ES_ANCHOR_LEFT, entries[n].text);
		x += text + BETWEEN;
	}
	y += LINE + GAP;
	box->height = fmax(box->height - (y - box->y), 0.0);
	box->y = y;
}

static void
heat_ticks(struct es_figure *figure, const struct es_axis *axis,
    const struct es_ticks *ticks, double x)
{
	for (uint32_t n = 0; n < ticks->count; n++) {
		double y = es_axis_at(axis, ticks->at[n]);

		es_draw_line(figure, ES_ROLE_AXIS, (struct es_point){ x, y },
		    (struct es_point){ x + 4.0, y }, 1.0);
		es_draw_text(figure, ES_ROLE_TEXT,
		    (struct es_point){ x + 4.0 + GAP, y }, ES_ANCHOR_LEFT,
		    ticks->text[n]);
	}
}

void
es_plot_heat(struct es_figure *figure, struct es_box *box,
    const struct es_axis *axis)
{
	struct es_axis a = *axis;
	struct es_box bar = { 0.0, box->y + LINE / 2.0, SWATCH,
		fmax(box->height - LINE, 1.0) };
	uint16_t pixels[256];
	struct es_ticks ticks;
	double widest = 0.0, taken;

	a.start = bar.y + bar.height;
	a.end = bar.y;
	es_ticks_make(&a, (uint32_t)fmax(bar.height / 40.0, 2.0), &ticks);
	for (uint32_t n = 0; n < ticks.count; n++)
		widest = fmax(widest,
		    es_label_width(ticks.text[n], ES_LABEL_POINTS));
	taken = BETWEEN + SWATCH + 4.0 + GAP + widest +
	    (a.label == NULL ? 0.0 : LINE);
	bar.x = box->x + box->width - taken + BETWEEN;
	for (unsigned n = 0; n < 256; n++)
		pixels[n] = (uint16_t)(ES_ROLE_HEAT + 255 - (int)n);
	(void)es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_IMAGE,
		.x = bar.x,
		.y = bar.y,
		.width = bar.width,
		.height = bar.height,
		.pixels = pixels,
		.columns = 1,
		.rows = 256 });
	es_draw_frame(figure, ES_ROLE_AXIS, bar, 1.0);
	heat_ticks(figure, &a, &ticks, bar.x + bar.width);
	if (a.label != NULL)
		(void)es_figure_add(figure,
		    &(struct es_shape){ .kind = ES_SHAPE_TEXT,
			.role = ES_ROLE_DIM_TEXT,
			.x = box->x + box->width - LINE / 2.0,
			.y = bar.y + bar.height / 2.0,
			.anchor = ES_ANCHOR_MIDDLE,
			.text_turned = 1,
			.text = a.label,
			.text_size = ES_LABEL_POINTS });
	box->width = fmax(box->width - taken, 1.0);
}
