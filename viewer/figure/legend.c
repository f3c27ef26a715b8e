/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/legend.c - legends of colours, for series and for heat
 */

#include "viewer/figure/legend.h"

#include <math.h>

#define LINE ESV_LABEL_HEIGHT(ESV_LABEL_POINTS)
#define SWATCH 11.0
#define GAP 5.0
#define BETWEEN 16.0 /* between two entries */

void
esv_legend_draw(struct esv_figure *figure, struct esv_box *box,
    const struct esv_legend_entry *entries, size_t count)
{
	double x = box->x, y = box->y, right = box->x + box->width;

	for (size_t n = 0; n < count; n++) {
		double text =
		    esv_label_width(entries[n].text, ESV_LABEL_POINTS);
		double swatch =
		    entries[n].role == ESV_ROLE_GROUND ? 0.0 : SWATCH + GAP;

		if (x > box->x && x + swatch + text > right) {
			x = box->x;
			y += LINE;
		}
		if (swatch > 0.0)
			esv_draw_rect(figure, entries[n].role,
			    (struct esv_box){ x, y + (LINE - SWATCH) / 2.0,
				SWATCH, SWATCH },
			    entries[n].thing, NULL);
		x += swatch;
		esv_draw_text_within(figure, ESV_ROLE_TEXT,
		    (struct esv_box){ x, y, fmax(right - x, 1.0), LINE },
		    ESV_ANCHOR_LEFT, entries[n].text);
		x += text + BETWEEN;
	}
	y += LINE + GAP;
	box->height = fmax(box->height - (y - box->y), 0.0);
	box->y = y;
}

static void
heat_ticks(struct esv_figure *figure, const struct esv_axis *axis,
    const struct esv_ticks *ticks, double x)
{
	for (uint32_t n = 0; n < ticks->count; n++) {
		double y = esv_axis_at(axis, ticks->at[n]);

		esv_draw_line(figure, ESV_ROLE_AXIS, (struct esv_point){ x, y },
		    (struct esv_point){ x + 4.0, y }, 1.0);
		esv_draw_text(figure, ESV_ROLE_TEXT,
		    (struct esv_point){ x + 4.0 + GAP, y }, ESV_ANCHOR_LEFT,
		    ticks->text[n]);
	}
}

void
esv_legend_heat(struct esv_figure *figure, struct esv_box *box,
    const struct esv_axis *axis)
{
	struct esv_axis a = *axis;
	struct esv_box bar = { 0.0, box->y + LINE / 2.0, SWATCH,
		fmax(box->height - LINE, 1.0) };
	uint16_t pixels[256];
	struct esv_ticks ticks;
	double widest = 0.0, taken;

	a.start = bar.y + bar.height;
	a.end = bar.y;
	esv_axis_ticks(&a, (uint32_t)fmax(bar.height / 40.0, 2.0), &ticks);
	for (uint32_t n = 0; n < ticks.count; n++)
		widest = fmax(widest,
		    esv_label_width(ticks.text[n], ESV_LABEL_POINTS));
	taken = BETWEEN + SWATCH + 4.0 + GAP + widest +
	    (a.label == NULL ? 0.0 : 2.0 * GAP + LINE);
	bar.x = box->x + box->width - taken + BETWEEN;
	for (unsigned n = 0; n < 256; n++)
		pixels[n] = (uint16_t)(ESV_ROLE_HEAT + 255 - (int)n);
	(void)esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_IMAGE,
		.x = bar.x,
		.y = bar.y,
		.width = bar.width,
		.height = bar.height,
		.pixels = pixels,
		.columns = 1,
		.rows = 256 });
	esv_draw_frame(figure, ESV_ROLE_AXIS, bar, 1.0);
	heat_ticks(figure, &a, &ticks, bar.x + bar.width);
	if (a.label != NULL)
		(void)esv_figure_add(figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
			.role = ESV_ROLE_DIM_TEXT,
			.x = box->x + box->width - LINE / 2.0,
			.y = bar.y + bar.height / 2.0,
			.anchor = ESV_ANCHOR_MIDDLE,
			.text_turned = 1,
			.text = a.label,
			.text_size = ESV_LABEL_POINTS });
	box->width = fmax(box->width - taken, 1.0);
}
