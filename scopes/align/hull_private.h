/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/hull_private.h - the messages that bound an offset
 */

#ifndef SCOPES_ALIGN_HULL_PRIVATE_H
#define SCOPES_ALIGN_HULL_PRIVATE_H

#include "scopes/align/align_private.h"

/* Finds the hulls of a link: the lower one of messages there, the upper one of
   messages back, for each of a few classes of size. */
paths_status es__align_hulls(struct es__align_link *link) PATHS_CHECKED;
void es__align_hulls_fini(struct es__align_link *link);

/* Returns the bound that a point gives, without the time of its bytes. */
static inline double
es__align_point_offset(const struct es__align_point *point, double per_byte,
    unsigned back)
{
	double time = per_byte * point->bytes;

	return back != 0 ? point->offset + time : point->offset - time;
}

#endif
