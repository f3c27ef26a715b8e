/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/fill_private.h - puts the iterations of a thread into bins
 */

#ifndef SCOPES_PHASE_FILL_PRIVATE_H
#define SCOPES_PHASE_FILL_PRIVATE_H

#include "scopes/phase/phases_private.h"

/* The part of a phase to which the iterations of a loop are added. */
struct es__phase_target {
	struct es__phase_part *part; /* NULL: none */
	uint32_t shift;		     /* shift of its phase */
};

/*
 * es__phase_fill - find the begin and the end of each iteration of a thread
 *
 * reader	reader of the thread that has already found its symbols
 * times	another reader of the thread
 * targets	one for each loop that was found
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EDAMAGED
 */
paths_status es__phase_fill(struct es__phase_reader *reader,
    struct es__phase_reader *times, struct es__phase_detection *detection,
    const struct es__phase_target *targets) PATHS_CHECKED;

#endif
