/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/batch.h - draws views of a run as pictures
 */

#ifndef VIEWER_COMMAND_BATCH_H
#define VIEWER_COMMAND_BATCH_H

#include "viewer/command/view.h"

/* Draws the view of --batch, or all views that apply. */
paths_status esv__batch_draw(struct esv__view *view) PATHS_CHECKED;

#endif
