/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/window.h - replaces the process by the window
 */

#ifndef VIEWER_COMMAND_WINDOW_H
#define VIEWER_COMMAND_WINDOW_H

#include "viewer/command/view.h"

/* Runs wish with the application in place of this process.  Returns only on
   failure. */
paths_status esv__window_run(const struct esv__view *view) PATHS_CHECKED;

#endif
