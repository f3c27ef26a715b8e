/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/window_private.h - bounds of offsets in windows of time
 */

#ifndef SCOPES_ALIGN_WINDOW_PRIVATE_H
#define SCOPES_ALIGN_WINDOW_PRIVATE_H

#include "scopes/align/align_private.h"

/* The bounds of a link in a window: by how much the aligned clock of its host b
   is ahead of that of a. */
struct es__align_window {
	double upper, lower;	   /* INFINITY, -INFINITY: no message */
	double upper_at, lower_at; /* time of the reference */
};

/* Divides time into windows, after es__align_lines; without corrections. */
paths_status es__align_windows(struct es__align *align) PATHS_CHECKED;

/* Travel that bounds windows. */
struct es__align_filter {
	bool sized;	    /* it is without the time of the bytes */
	double there, back; /* the least that counts */
};

/* Computes the windows of a link. */
void es__align_windows_fill(const struct es__align *align,
    const struct es__align_link *link, const struct es__align_filter *filter,
    struct es__align_window *windows);

/* Returns whether one of the clocks of a link jumps in a window. */
bool es__align_window_jumps(const struct es__align *align,
    const struct es__align_link *link, uint32_t window);

/* Returns whether a window has messages in both directions. */
static inline bool
es__align_window_bounds(const struct es__align_window *window)
{
	return window->upper - window->lower < 1e300;
}

/* Copies of all that the times of the messages of a link depend on.  In a loop
   over messages they stay in registers, because no store can change them. */
struct es__align_ends {
	struct es__align align;
	struct es__align_host a, b;
};

static inline struct es__align_ends
es__align_ends(const struct es__align *align, const struct es__align_link *link)
{
	return (struct es__align_ends){ *align, align->hosts[link->a],
		align->hosts[link->b] };
}

/* Returns by how much the receiver of a message is ahead of its sender, on the
   aligned clocks; negative: received before it was sent. */
static inline double
es__align_gap_of(const struct es__align *align, const struct es__align_host *a,
    const struct es__align_host *b, const struct es__align_message *m)
{
	double gap =
	    es__align_time(align, b, m->y) - es__align_time(align, a, m->x);

	return m->back != 0 ? -gap : gap;
}

static inline double
es__align_ends_gap(const struct es__align_ends *ends,
    const struct es__align_message *m)
{
	return es__align_gap_of(&ends->align, &ends->a, &ends->b, m);
}

static inline double
es__align_gap(const struct es__align *align, const struct es__align_link *link,
    const struct es__align_message *m)
{
	return es__align_gap_of(align, &align->hosts[link->a],
	    &align->hosts[link->b], m);
}

#endif
