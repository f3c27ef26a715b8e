/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/pixels.h - a row of pixels of a window of time
 */

#ifndef VIEWER_TIMELINE_PIXELS_H
#define VIEWER_TIMELINE_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

/* A window of time, and the source of its pixels. */
struct esv__zoom {
	double t0_ns, span_ns;
	double scale; /* pixels a ns */
	uint32_t width;
	bool fine;   /* buckets are wider than a pixel */
	bool tuples; /* rows are drawn from tuples if these can be read */
	uint32_t level;
	double bucket_ns;     /* of that level */
	uint64_t first, last; /* visible buckets; last < first: none */
};

/* A row of zoom.width + 1 pixels; the last one is not shown. */
struct esv__pixels {
	double *share;	    /* of communication, 0..1 */
	double *longest_ns; /* of the longest operation that touches it */
	bool coarse;
};

/* Adds communication that fills `share` of [x0, x1), within [0, width]. */
static inline void
esv__pixels_add(struct esv__pixels *pixels, double x0, double x1, double share)
{
	uint32_t p = (uint32_t)x0;

	for (; p + 1 < x1; p++) {
		pixels->share[p] += (p + 1 - x0) * share;
		x0 = p + 1;
	}
	pixels->share[p] += (x1 - x0) * share;
}

/* Notes that an operation of longest_ns touches the pixels of [x0, x1). */
static inline void
esv__pixels_touch(struct esv__pixels *pixels, double x0, double x1,
    double longest_ns)
{
	uint32_t p = (uint32_t)x0;

	do {
		if (pixels->longest_ns[p] < longest_ns)
			pixels->longest_ns[p] = longest_ns;
	} while (++p < x1);
}

#endif
