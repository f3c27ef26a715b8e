/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/size_histogram.c - how large messages are
 */

#include "viewer/chart/chart_private.h"

static void
size_histogram_draw(struct es__sheet *sheet)
{
	es__sizes_draw(sheet);
}

const struct es_chart es__chart_size_histogram = {
	.name = "size_histogram",
	.title = "Sizes of messages",
	.about = "How many messages are of which size?  Categories overlap: "
		 "what was sent is seen once more as received.",
	.tables = "size_histogram process",
	.applies = "EXISTS (SELECT 1 FROM size_histogram)",
	.nothing = "Sizes were not recorded: collectors in mode matrix count "
		   "them.",
	.draw = size_histogram_draw,
};
