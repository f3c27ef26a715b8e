/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage_private.h - how much of each pixel was communication
 *
 * Chunks of the pyramid are kept, and no frame reads one that it is not drawn
 * from: what a frame may take is bounded by its pixels.
 */

#ifndef VIEWER_TIMELINE_COVERAGE_PRIVATE_H
#define VIEWER_TIMELINE_COVERAGE_PRIVATE_H

#include "viewer/timeline/strips.h"

/* Chunks of 8 KiB that are fetched at once, and that are kept: rows have a
   chunk each that tells what is usual, and then those in sight. */
#define ESV__COVERAGE_GROUP 1024u
#define ESV__COVERAGE_MOST (2 * ESV__COVERAGE_GROUP)

/* A window, and what it is drawn from. */
struct esv__zoom {
	double t0_ns, span_ns;
	double scale; /* pixels a ns */
	uint32_t width;
	bool fine;   /* buckets are wider than a pixel, */
	bool tuples; /* and rows that can are drawn from tuples */
	uint32_t level;
	double bucket_ns;     /* of that level */
	uint64_t first, last; /* buckets that are seen; last < first: none */
};

/* A row of pixels, and one more behind it. */
struct esv__pixels {
	double *share;	    /* 0..1 */
	double *longest_ns; /* the longest operation that touches it */
	bool coarse;
};

/* The zoom of a window, on rows; tuples only where they are not too many. */
struct esv__zoom esv__zoom_of(const struct esv_model *model,
    const struct esv_window *window, const uint32_t *rows, uint32_t count);

/*
 * esv__coverage_need - fetch what rows will be drawn from
 *
 * count	at most esv__coverage_group
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 */
paths_status esv__coverage_need(struct esv_model *model,
    const struct esv__zoom *zoom, const uint32_t *rows, uint32_t count)
    PATHS_CHECKED;

/* How many rows esv__coverage_need takes at once. */
uint32_t esv__coverage_group(const struct esv__zoom *zoom);

/* Fill the pixels of a row that esv__coverage_need was told of. */
void esv__coverage_row(struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row, struct esv__pixels *pixels);

/* From when on an operation of a row is long: ESV_STRIPS_RARE times the usual;
   infinite where nothing was recorded. */
double esv__coverage_rare_ns(const struct esv_model *model, uint32_t row);

/* How often the database was asked, and what is kept; for tests. */
struct esv__coverage_cost {
	uint64_t queries;
	uint64_t reads; /* chunks */
	uint64_t bytes;
};
struct esv__coverage_cost esv__coverage_cost(const struct esv_model *model);

/* Whether all tuples that a row would be drawn from are there. */
bool esv__coverage_readable(const struct esv_model *model, uint32_t row);

/* How many they are in this window, of a row that is readable. */
uint64_t esv__coverage_count(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row);

/* Add them to empty pixels. */
void esv__coverage_tuples(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, struct esv__pixels *pixels);

/*
 * Add `share` of [x0, x1), in pixels, both within [0, width]; an operation that
 * long touches them.
 */
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
