/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/walk_private.h - the events of each track, ordered and nested
 */

#ifndef SCOPES_EXPORT_WALK_PRIVATE_H
#define SCOPES_EXPORT_WALK_PRIVATE_H

#include "scopes/export/export_private.h"

/* The greatest number of lines of a track. */
#define ES__EXPORT_LINES 16u

/* The functions that es__export_walk calls.  Embedded by the format. */
struct es__export_sink {
	/* A new line; number: its number on the track, from 0. */
	void (*line)(struct es__export_sink *self,
	    const struct es__export_track *track, uint32_t number,
	    uint32_t line);
	void (*begin)(struct es__export_sink *self,
	    const struct es__export_event *event);
	/* The last event of its line that began and did not end.  Events that
	   are open end after all others. */
	void (*end)(struct es__export_sink *self,
	    const struct es__export_event *event);
	void (*point)(struct es__export_sink *self,
	    const struct es__export_event *event, int64_t at_ns);
	paths_status st; /* a failure ends the walk */
};

/* Passes the events of all tracks to a sink, one track after the other. */
paths_status es__export_walk(struct es__export *export,
    struct es__export_sink *sink) PATHS_CHECKED;

#endif
