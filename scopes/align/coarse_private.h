/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/coarse_private.h - a link in coarse windows of time
 *
 * Windows that do not depend on how clocks are aligned, to find what must be
 * known before: clocks that were set, and messages with a wrong stamp.
 */

#ifndef SCOPES_ALIGN_COARSE_PRIVATE_H
#define SCOPES_ALIGN_COARSE_PRIVATE_H

#include "scopes/align/align_private.h"

/* The most windows of a link. */
#define ES__ALIGN_COARSE 128u

struct es__align_coarse_window {
	double upper, lower;
};

/* A link in windows of the stamps of its host a, with its slope taken out. */
struct es__align_coarse {
	struct es__align_link *link;
	struct es__align_coarse_window windows[ES__ALIGN_COARSE];
	unsigned count;
	double begin, length, per_ns, slope; /* per_ns: 1 / length */
	double typical;			     /* median change between windows */
};

/* Divides a link into windows; false: it has too few messages. */
bool es__align_coarse_open(struct es__align_coarse *s,
    struct es__align_link *link);

/* Returns by how much the bounds of windows so far apart may exclude each other
   without a reason. */
double es__align_coarse_slack(const struct es__align_coarse *s, unsigned apart);

/* Returns the window of a message. */
static inline unsigned
es__align_coarse_window(const struct es__align_coarse *s,
    const struct es__align_message *m)
{
	double where = (m->x - s->begin) * s->per_ns;

	return where < s->count ? (unsigned)where : s->count - 1;
}

/* Returns by how much host b is ahead at a message, without the slope. */
static inline double
es__align_coarse_ahead(const struct es__align_coarse *s,
    const struct es__align_message *m)
{
	return m->y - m->x - s->slope * m->x;
}

/* Returns whether a window has messages in both directions. */
static inline bool
es__align_coarse_bounds(const struct es__align_coarse_window *w)
{
	return w->upper - w->lower < 1e300;
}

#endif
