/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/label.c - estimates the width of texts without a font
 */

#include "viewer/figure/label.h"

#include <stdint.h>
#include <string.h>

/* Widths of the characters 32 to 126, in thousandths of the font size. */
static const uint16_t label_widths[95] = { 318, 401, 460, 838, 636, 950, 780,
	275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
	636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686,
	698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603,
	787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
	500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278,
	974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525,
	636, 337, 636, 838 };

#define WIDE 1000u /* the ellipsis, and all other characters */
#define ELLIPSIS "\xe2\x80\xa6"

/* Returns the width of the character at `at`, and its length in *bytes. */
static unsigned
label_character(const char *at, size_t *bytes)
{
	unsigned char c = (unsigned char)*at;

	*bytes = 1;
	if (c < 128)
		return c >= 32 && c < 127 ? label_widths[c - 32] : WIDE;
	while (((unsigned char)at[*bytes] & 0xc0) == 0x80)
		++*bytes;
	return WIDE;
}

/* Returns a thousandth of a font size, in units of a figure. */
static double
label_units(double points)
{
	return points * 4.0 / 3.0 / 1000.0;
}

double
esv_label_width(const char *text, double points)
{
	double width = 0.0;
	size_t bytes;

	for (; *text != '\0'; text += bytes)
		width += label_character(text, &bytes);
	return width * label_units(points);
}

void
esv_label_cut(const char *text, double points, double width, char *cut,
    size_t size)
{
	double room = width / label_units(points) - WIDE;
	size_t length = strlen(text), keep = 0, bytes;

	if (length < size && esv_label_width(text, points) <= width) {
		memcpy(cut, text, length + 1);
		return;
	}
	while (text[keep] != '\0') {
		room -= label_character(text + keep, &bytes);
		if (room < 0.0 || keep + bytes + sizeof(ELLIPSIS) > size)
			break;
		keep += bytes;
	}
	memcpy(cut, text, keep);
	memcpy(cut + keep, ELLIPSIS, keep == 0 ? 0 : sizeof(ELLIPSIS));
	if (keep == 0)
		cut[0] = '\0';
}

void
esv_label_cut_middle(const char *text, double points, double width, char *cut,
    size_t size)
{
	double half = (width - WIDE * label_units(points)) / 2.0;
	double end = esv_label_width(text, points);
	const char *tail = text;
	size_t bytes, length;

	while (end > half && *tail != '\0') {
		end -= label_character(tail, &bytes) * label_units(points);
		tail += bytes;
	}
	length = strlen(tail);
	if (esv_label_width(text, points) <= width || length >= size / 2) {
		esv_label_cut(text, points, width, cut, size);
		return;
	}
	esv_label_cut(text, points, width - end, cut, size - length);
	if (cut[0] != '\0')
		memcpy(cut + strlen(cut), tail, length + 1);
}
