/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/figure_text.c - a figure as text, for tests
 *
 * The line of a shape holds its kind, its numbers rounded to hundredths of a
 * unit, its role, its thing and its tip.
 */

#include "viewer/figure/figure_text.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints a number to a hundredth, without zeros at its end. */
static void
text_number(FILE *to, double number)
{
	fprintf(to, " %.7g", (rint(number * 100.0) + 0.0) / 100.0);
}

/* Prints a text in quotes, on one line. */
static void
text_quoted(FILE *to, const char *text)
{
	fputs(" \"", to);
	for (; *text != '\0'; text++) {
		if (*text == '\n')
			fputs("\\n", to);
		else if (*text == '"' || *text == '\\')
			fprintf(to, "\\%c", *text);
		else
			fputc(*text, to);
	}
	fputc('"', to);
}

static void
text_role(FILE *to, int role)
{
	char name[16];

	esv_theme_role_name(role, name);
	fprintf(to, " %s", name);
}

static void
text_box(FILE *to, const struct esv_shape *shape)
{
	text_number(to, shape->x);
	text_number(to, shape->y);
	text_number(to, shape->width);
	text_number(to, shape->height);
}

static void
text_points(FILE *to, const struct esv_shape *shape)
{
	for (uint32_t n = 0; n < shape->point_count; n++) {
		text_number(to, shape->points[n].x);
		text_number(to, shape->points[n].y);
	}
}

/* Prints equal neighbours once: "grey3*17". */
static void
text_pixels(FILE *to, const struct esv_shape *shape)
{
	size_t count = (size_t)shape->columns * shape->rows, n = 0, same;

	fprintf(to, " %ux%u", shape->columns, shape->rows);
	for (; n < count; n += same) {
		same = 1;
		while (n + same < count &&
		    shape->pixels[n + same] == shape->pixels[n])
			same++;
		text_role(to, shape->pixels[n]);
		if (same > 1)
			fprintf(to, "*%zu", same);
	}
}

static void
text_text(FILE *to, const struct esv_shape *shape)
{
	static const char *const anchors[] = {
		[ESV_ANCHOR_LEFT] = "left",
		[ESV_ANCHOR_MIDDLE] = "middle",
		[ESV_ANCHOR_RIGHT] = "right",
	};

	text_number(to, shape->x);
	text_number(to, shape->y);
	fprintf(to, " %s %gpt", anchors[shape->anchor], shape->text_size);
	if (shape->width > 0.0) {
		fputs(" within", to);
		text_number(to, shape->width);
	}
	if (shape->text_turned)
		fputs(" turned", to);
	text_role(to, shape->role);
	text_quoted(to, shape->text);
}

static void
text_thing(FILE *to, const struct esv_thing *thing)
{
	static const char *const kinds[] = {
		[ESV_THING_HOST] = "host",
		[ESV_THING_PROCESS] = "process",
		[ESV_THING_THREAD] = "thread",
		[ESV_THING_ELEMENT] = "element",
		[ESV_THING_STAGE] = "stage",
		[ESV_THING_PATH] = "path",
		[ESV_THING_COLLECTOR] = "collector",
		[ESV_THING_STEP] = "step",
		[ESV_THING_SITE] = "site",
		[ESV_THING_FUNCTION] = "function",
		[ESV_THING_CALL] = "call",
		[ESV_THING_PAIR] = "pair",
	};

	if (thing->kind == ESV_THING_NONE)
		return;
	fprintf(to, " of %s %lld", kinds[thing->kind], (long long)thing->id);
	if (thing->kind == ESV_THING_PAIR)
		fprintf(to, " %lld", (long long)thing->other);
}

static void
text_shape(FILE *to, const struct esv_shape *shape)
{
	static const char *const names[] = {
		[ESV_SHAPE_RECT] = "rect",
		[ESV_SHAPE_LINE] = "line",
		[ESV_SHAPE_AREA] = "area",
		[ESV_SHAPE_TEXT] = "text",
		[ESV_SHAPE_IMAGE] = "image",
	};

	fputs(names[shape->kind], to);
	if (shape->kind == ESV_SHAPE_TEXT) {
		text_text(to, shape);
	} else {
		if (shape->kind == ESV_SHAPE_RECT ||
		    shape->kind == ESV_SHAPE_IMAGE)
			text_box(to, shape);
		if (shape->kind == ESV_SHAPE_IMAGE)
			text_pixels(to, shape);
		else
			text_role(to, shape->role);
		if (shape->line_width > 0.0)
			fprintf(to, " %gwide", shape->line_width);
		text_points(to, shape);
	}
	text_thing(to, &shape->thing);
	if (shape->tip != NULL)
		text_quoted(to, shape->tip);
	fputc('\n', to);
}

paths_status
esv_figure_text(const struct esv_figure *figure, char **text)
{
	char *all = NULL;
	size_t size;
	FILE *to = open_memstream(&all, &size);
	int failed;

	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a figure as text");
	fputs("figure", to);
	text_number(to, figure->width);
	text_number(to, figure->height);
	text_quoted(to, figure->title == NULL ? "" : figure->title);
	fputc('\n', to);
	for (size_t n = 0; n < figure->count; n++)
		text_shape(to, &figure->shapes[n]);
	failed = ferror(to);
	if (fclose(to) != 0 || failed) {
		free(all);
		return paths_log_fail(PATHS_ENOMEM, "a figure as text");
	}
	*text = all;
	return PATHS_OK;
}
