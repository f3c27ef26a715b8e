/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/edge_private.h - the error of a link at the edges of windows
 */

#ifndef SCOPES_ALIGN_EDGE_PRIVATE_H
#define SCOPES_ALIGN_EDGE_PRIVATE_H

#include "scopes/align/align_private.h"
#include "scopes/align/window_private.h"

/* Sets errors of windows by those at the edges of the windows.  errors: bounds
   of the error at the quickest messages of each window; < 0: it has no bound,
   or a clock jumps in it.  Returns PATHS_OK or PATHS_ENOMEM. */
paths_status es__align_edges(const struct es__align *align,
    const struct es__align_link *link, const struct es__align_window *windows,
    double *errors) PATHS_CHECKED;

#endif
