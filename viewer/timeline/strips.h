/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/strips.h - the draw list of a timeline
 *
 * Each row of pixels is cut into strips of one grey.  The grey of a pixel is
 * the share of its time that was communication, and over 0 if there was any.
 * One long wait among many short operations is visible at any zoom: a pixel
 * that is touched by an operation at least ESV_STRIPS_RARE times as long as the
 * typical one of its row has at least the grey ESV_STRIPS_LONG.  The typical
 * duration of a row is a median: the run is divided into up to 1020 equal
 * parts, and the longest operation of each part counts, if it has one.
 *
 * A row of several threads, such as a folded process, is drawn as a band where
 * it is high enough (esv_strips_is_band).  The height of the band is the share
 * of communication: the mean over the pixel of the share of threads that
 * communicate.  It is drawn in ESV_STRIPS_BAND, or in the darkest grey where it
 * is touched by a long operation as above, which does not change its height.
 *
 * With colours, a pixel has the class of most of its communication: waiting, if
 * at least half of it is waiting, or else the largest group.  Its shade is the
 * share of communication.  Less waiting is drawn at the bottom, as high as its
 * share.  The band of a row of several threads is divided: the
 * lower part is waiting, the upper one has the class of most of the rest.
 * Where the waits are not known (esv_model.waits), nothing is drawn as waiting.
 * Time in which threads were runnable without a core (esv_model.gaps) is drawn
 * in the upper half of a row, as high as its share, with any colours but
 * ESV_BY_SHARE.
 * By call site, communicator, peer, bytes and step (ESV_BY_TINT), a pixel has
 * the class of most of its communication, and no waiting.  Without these
 * classes (esv_model.tinted) it is drawn as ESV_BY_SHARE.
 *
 * Strips are drawn from the pyramid if its buckets are at most a pixel wide.
 * In finer windows they are drawn from single tuples if there are at most
 * ESV_STRIPS_TUPLES, which bounds the time of a frame, else from the smallest
 * buckets.
 *
 * Source	reference: viewer and store, section 2
 */

#ifndef VIEWER_TIMELINE_STRIPS_H
#define VIEWER_TIMELINE_STRIPS_H

#include "viewer/figure/theme.h"
#include "viewer/model/model.h"

#define ESV_STRIPS_RARE 4u
#define ESV_STRIPS_LONG 26u /* a grey */

#define ESV_STRIPS_BAND 18u /* a grey */

/* Lower rows, in pixels, are drawn in greys. */
#define ESV_STRIPS_BAND_LEAST 6.0

#define ESV_STRIPS_TUPLES 196608u

/* A time interval, and its width on the display. */
struct esv_window {
	double t0_ns; /* time of the left edge */
	double span_ns;
	uint32_t width; /* pixels */
	enum esv_colour_by by;
	uint32_t hidden; /* bit n: class n is drawn as computation; waiting that
			    is hidden is drawn as its group */
};

struct esv_strip {
	uint32_t row;	 /* index into the rows of esv_strips_fill */
	uint32_t x0, x1; /* pixels [x0, x1) */
	uint32_t grey;	 /* 0: computation .. ESV_GREYS - 1: communication */
	uint16_t level;	 /* height of a band, as a grey; 0 unless the row is one
			    of several threads */
	bool rare;	 /* such a row is touched by a long operation */
	uint8_t class;	 /* enum esv_class; of a band: of its upper part */
	uint8_t variant; /* of the class */
	/* Height of the waiting part, as a grey, that is drawn at the bottom;
	   0 if the class is waiting. */
	uint16_t wait;
};

/* The name of an operation that is wide enough for it. */
struct esv_strip_name {
	uint32_t row;	 /* as struct esv_strip */
	uint32_t x0, x1; /* pixels of the operation that are shown */
	uint8_t class;	 /* in the middle of the name */
	const char *text;
};

/* Operations of fewer pixels get no name. */
#define ESV_STRIPS_NAME_LEAST 20u
/* The middle of a name of usual length. */
#define ESV_STRIPS_NAME_MIDDLE 30u

struct esv_strips {
	/* By row, then x0.  Neighbours differ; pixels of grey 0 have no
	   strip. */
	struct esv_strip *strips;
	size_t count, capacity;
	/* By row, then x0; only of rows of one thread. */
	struct esv_strip_name *names;
	size_t name_count, name_capacity;
	/* By row, then x0: times without a core.  The height is `wait`, of the
	   upper half of the row. */
	struct esv_strip *gaps;
	size_t gap_count, gap_capacity;
	bool coarse; /* the zoom needs tuples, but they are missing */
};

/* Returns true if time without a core is drawn in pixels [x0, x1) of a row. */
bool esv_strips_gap_in(const struct esv_strips *strips, uint32_t row,
    uint32_t x0, uint32_t x1);

/*
 * esv_strips_fill - make the draw list of some rows
 *
 * window	any time interval; parts outside the run are empty
 * rows	indices of model->rows, in any order
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 *		PATHS_EINVAL	no such row; no pixels or over 65536, no span
 * Ownership	the caller zeroes strips first, may fill them again, and calls
 *		esv_strips_fini
 * Threads	that of the model
 */
paths_status esv_strips_fill(struct esv_model *model,
    const struct esv_window *window, const uint32_t *rows, uint32_t row_count,
    struct esv_strips *strips) PATHS_CHECKED;
void esv_strips_fini(struct esv_strips *strips);

/* Returns true if a row of the model is a band at a height in pixels. */
static inline bool
esv_strips_is_band(const struct esv_model *model, uint32_t row, double height)
{
	return row < model->row_count && model->rows[row].threads > 1 &&
	    height >= ESV_STRIPS_BAND_LEAST;
}

/* Returns the role of a strip of a row that is no band. */
static inline int
esv_strips_role(const struct esv_strip *strip)
{
	if (strip->class == ESV_CLASS_NONE)
		return ESV_ROLE_GREY + (int)strip->grey;
	if (strip->grey == ESV_GREYS - 1)
		return esv_role_variant(strip->class, strip->variant);
	return esv_role_shade(strip->class,
	    strip->grey * (ESV_SHADES - 1) / (ESV_GREYS - 1));
}

/* Returns the grey of a band. */
static inline uint32_t
esv_strips_band_grey(const struct esv_strip *strip)
{
	return strip->rare ? ESV_GREYS - 1 : ESV_STRIPS_BAND;
}

/* Returns the role of the upper part of a band. */
static inline int
esv_strips_band_role(const struct esv_strip *strip)
{
	if (strip->class == ESV_CLASS_NONE)
		return ESV_ROLE_GREY + (int)esv_strips_band_grey(strip);
	return esv_role_shade(strip->class,
	    strip->rare ? ESV_SHADES - 1 : ESV_SHADES - 4);
}

/* Returns the role of the lower part of a band. */
static inline int
esv_strips_wait_role(void)
{
	return ESV_ROLE_WAITING;
}

#endif
