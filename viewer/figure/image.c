/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/image.c - images as rectangles, for formats without pixels
 *
 * Each run of equal pixels in a row is one rectangle.
 */

#include "viewer/figure/image.h"

void
esv_image_rects(const struct esv_shape *image,
    void (*draw)(const void *to, const struct esv_shape *rect), const void *to)
{
	double width = image->width / image->columns;
	double height = image->height / image->rows;
	uint32_t count = image->columns * image->rows, last;

	for (uint32_t first = 0; first < count; first = last) {
		uint32_t row = first / image->columns;

		last = first + 1;
		while (last < (row + 1) * image->columns &&
		    image->pixels[last] == image->pixels[first])
			last++;
		draw(to,
		    &(struct esv_shape){ .kind = ESV_SHAPE_RECT,
			.role = image->pixels[first],
			.x = image->x + (first % image->columns) * width,
			.y = image->y + row * height,
			.width = (last - first) * width,
			.height = height });
	}
}
