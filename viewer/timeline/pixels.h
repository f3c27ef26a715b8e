/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/pixels.h - a row of pixels of a window of time
 */

#ifndef VIEWER_TIMELINE_PIXELS_H
#define VIEWER_TIMELINE_PIXELS_H

#include "viewer/figure/class.h"

#include <stdbool.h>
#include <stdint.h>

/* The code of a pixel: a class, and from this bit on a variant of it. */
#define ESV__CODE_VARIANT 4
#define ESV__CODE_CLASS 15u
/* The code of operations that are hidden. */
#define ESV__CODE_HIDDEN 255u

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
	enum esv_colour_by by;
	uint32_t hidden; /* bit n: class n is hidden */
	/* The code of each group or class of a tint, without variant. */
	uint8_t codes[ES_GROUPS];
};

/* A row of zoom.width + 1 pixels; the last one is not shown. */
struct esv__pixels {
	double *share;	    /* of communication, 0..1 */
	double *wait;	    /* part of it that is waiting */
	double *most;	    /* of the share, by one code */
	double *longest_ns; /* of the longest operation that touches it */
	uint8_t *code;	    /* of most of its communication */
	bool split;	    /* code is that of most of it that is no waiting */
	bool coarse;
};

/* Returns true if classes are drawn, or some of them hidden. */
static inline bool
esv__zoom_has_classes(const struct esv__zoom *zoom)
{
	return zoom->by != ESV_BY_SHARE || zoom->hidden != 0;
}

/* Returns true if classes are those of scopes/colour.h. */
static inline bool
esv__zoom_is_tinted(const struct esv__zoom *zoom)
{
	return zoom->by >= ESV_BY_TINT;
}

/* Returns true if waiting is drawn. */
static inline bool
esv__zoom_has_waits(const struct esv__zoom *zoom)
{
	return zoom->by != ESV_BY_SHARE && !esv__zoom_is_tinted(zoom) &&
	    (zoom->hidden >> ESV_CLASS_WAIT & 1) == 0;
}

/* Adds communication that fills `share` of [x0, x1), within [0, width]. */
static inline void
esv__pixels_add(struct esv__pixels *pixels, double x0, double x1, double share,
    uint8_t code)
{
	uint32_t p = (uint32_t)x0;

	for (;; p++) {
		double end = p + 1 < x1 ? p + 1 : x1;
		double part = (end - x0) * share;

		pixels->share[p] += part;
		if (part > pixels->most[p]) {
			pixels->most[p] = part;
			pixels->code[p] = code;
		}
		if (end >= x1)
			return;
		x0 = end;
	}
}

/* Adds waiting that fills `share` of [x0, x1), within [0, width]. */
static inline void
esv__pixels_wait(struct esv__pixels *pixels, double x0, double x1, double share)
{
	uint32_t p = (uint32_t)x0;

	for (; p + 1 < x1; p++) {
		pixels->wait[p] += (p + 1 - x0) * share;
		x0 = p + 1;
	}
	pixels->wait[p] += (x1 - x0) * share;
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
