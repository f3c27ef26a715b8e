/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/lane_private.h - steps through the tuples of a collector
 */

#ifndef SCOPES_EXPORT_LANE_PRIVATE_H
#define SCOPES_EXPORT_LANE_PRIVATE_H

#include "scopes/export/export_private.h"
#include "scopes/export/names_private.h"

struct es__export_lane {
	const struct es_collector *at;
	const struct es__export_type *type; /* NULL: there are no tuples */
	const struct es_timebase *base;
	uint32_t collector;
	uint64_t n;	  /* number of the next tuple */
	int64_t start_ns; /* of the last tuple */
	struct es__export_last_name last;
};

/* Goes to the first tuple of a collector, if it has any. */
void es__export_lane_init(const struct es__export *export, uint32_t collector,
    struct es__export_lane *lane);

/* Takes the next event, without its arrows.  Returns false at the end. */
bool es__export_lane_next(struct es__export *export,
    struct es__export_lane *lane, struct es__export_event *event);

#endif
