/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/size.c - the time that a byte takes on a link
 *
 * A linear program: the largest delays that the messages allow.  A message of s
 * bytes takes at least D + G * s, in both directions; sum the least delays of
 * all classes of size, and maximise the sum over D, G and the line.  For a
 * given G the best line is known, and the maximum is a concave function of G,
 * so golden section finds it.
 *
 * Sizes must differ in one direction, and many messages must be small, and many
 * large.  If all messages there have one size and all messages back have
 * another, every G fits some line.
 */

#include "scopes/align/size_private.h"

#include "scopes/align/hull_private.h"
#include "scopes/align/line_private.h"

#include <math.h>

#define GOLDEN 0.6180339887498949
/* 100 kB/s. */
#define SLOWEST_NS 10000.0
#define SIZE_STEPS 64u
/* Least number of messages of small and of large sizes. */
#define MESSAGES 10u
/* Slopes near that of the line without sizes. */
#define SIZE_SLOPES(slope) \
	{ \
		slope, 1e-4, 44 \
	}

/* Sizes of the classes: their number, and the sum of them. */
struct sizes {
	double count, bytes;
};

static struct sizes
sizes_of(const struct es__align_link *link)
{
	struct sizes sizes = { 0, 0 };

	for (unsigned back = 0; back < 2; back++) {
		const struct es__align_hull *hull = &link->hulls[back];

		for (size_t n = 0; n < hull->count; n++) {
			if (n > 0 &&
			    hull->points[n].bytes == hull->points[n - 1].bytes)
				continue;
			sizes.count++;
			sizes.bytes += hull->points[n].bytes;
		}
	}
	return sizes;
}

/* Returns whether a direction has enough messages of small and of large sizes.
   The least delay of a few messages may be anything, and so would the time of a
   byte be. */
static bool
sizes_differ(const struct es__align_link *link, unsigned back)
{
	const struct es__align_hull *hull = &link->hulls[back];
	double middle = (hull->least_bytes + hull->most_bytes) / 2;
	size_t counts[2] = { 0, 0 };

	for (size_t n = 0; n < link->count; n++)
		if (link->messages[n].back == back)
			counts[link->messages[n].bytes > middle]++;
	return counts[0] >= MESSAGES && counts[1] >= MESSAGES;
}

/* Returns the sum of the least delays of all classes. */
static double
size_value(const struct es__align_link *link, const struct sizes *sizes,
    double per_byte)
{
	struct es__align_line line = es__align_line_find(link, per_byte,
	    (struct es__align_slopes)SIZE_SLOPES(link->line.slope));

	/* D must not be negative. */
	if (line.margin < 0)
		return line.margin * 1e6;
	return sizes->count * line.margin + per_byte * sizes->bytes;
}

void
es__align_size_find(struct es__align_link *link)
{
	struct sizes sizes = sizes_of(link);
	double low = 0, high = SLOWEST_NS;
	double left = high - GOLDEN * (high - low);
	double right = low + GOLDEN * (high - low);
	double at_left, at_right;

	link->sized = sizes_differ(link, 0) || sizes_differ(link, 1);
	link->per_byte = 0;
	if (!link->sized || link->line.margin < 0)
		return;
	at_left = size_value(link, &sizes, left);
	at_right = size_value(link, &sizes, right);
	for (unsigned n = 0; n < SIZE_STEPS; n++) {
		if (at_left > at_right) {
			high = right;
			right = left;
			at_right = at_left;
			left = high - GOLDEN * (high - low);
			at_left = size_value(link, &sizes, left);
		} else {
			low = left;
			left = right;
			at_left = at_right;
			right = low + GOLDEN * (high - low);
			at_right = size_value(link, &sizes, right);
		}
	}
	link->per_byte = (low + high) / 2;
}
