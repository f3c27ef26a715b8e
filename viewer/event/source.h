/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/source.h - lines of the source around a call of MPI
 */

#ifndef VIEWER_EVENT_SOURCE_H
#define VIEWER_EVENT_SOURCE_H

#include "viewer/event/event.h"

#include <stdbool.h>

/* Lines before and after that of the call, and bytes of each line. */
#define ESV_SOURCE_AROUND 4u
#define ESV_SOURCE_BYTES 200u
#define ESV_SOURCE_LINES (2 * ESV_SOURCE_AROUND + 1)

struct esv_source {
	char *file;	/* absolute path */
	uint32_t line;	/* that of the call */
	uint32_t first; /* number of lines[0] */
	uint32_t line_count;
	bool changed; /* the file was written after the run began */
	/* Longer lines are cut. */
	char lines[ESV_SOURCE_LINES][ESV_SOURCE_BYTES];
};

/*
 * esv_event_source - reads the lines around the call site of an operation
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no call site is known, or its file is not here:
 *				it is no regular file with an absolute path, no
 *				text, too short, or cannot be read
 *		PATHS_EDAMAGED	view.db has an impossible line
 *		PATHS_ENOMEM
 * Ownership	the caller calls esv_source_fini in any case
 */
paths_status esv_event_source(struct esv_model *model,
    const struct esv_event *event, struct esv_source *source) PATHS_CHECKED;
void esv_source_fini(struct esv_source *source);

#endif
