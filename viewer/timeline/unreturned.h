/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/unreturned.h - waits in calls that did not return
 *
 * A call that has not returned waits to the end of the run, if the views know
 * a thread that it waits for: the tables mpi_inside_for and inside_for.
 */

#ifndef VIEWER_TIMELINE_UNRETURNED_H
#define VIEWER_TIMELINE_UNRETURNED_H

#include "viewer/model/model.h"
#include "viewer/timeline/pixels.h"

/* The start of the wait of each thread; it is read when it is first drawn. */
struct esv_unreturned;

/*
 * esv__unreturned_draw - add such waits to the pixels of a row
 *
 * The part of a pixel of a row of several threads is the mean over them.
 * Waiting is at most the communication of the pixel.
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 */
paths_status esv__unreturned_draw(struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, struct esv__pixels *pixels)
    PATHS_CHECKED;

#endif
