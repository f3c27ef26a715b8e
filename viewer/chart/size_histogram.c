/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/size_histogram.c - number of messages of each size
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/sizes.h"

static void
size_histogram_draw(struct esv__sheet *sheet)
{
	esv__sizes_draw(sheet);
}

const struct esv_chart esv__chart_size_histogram = {
	.name = "size_histogram",
	.title = "Sizes of messages",
	.about = "Shows the number of messages of each size.  Categories "
		 "overlap: a message is counted when sent, and again in the "
		 "category received.",
	.tables = "size_histogram process",
	.applies = "EXISTS (SELECT 1 FROM size_histogram)",
	.nothing = "No sizes were recorded.  Collectors in mode matrix record "
		   "them.",
	.draw = size_histogram_draw,
};
