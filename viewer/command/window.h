/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/window.h - starts the window
 */

#ifndef VIEWER_COMMAND_WINDOW_H
#define VIEWER_COMMAND_WINDOW_H

#include "viewer/command/view.h"

/* Runs wish with the application in place of this process, and returns only on
   failure.  If the views are in temporary files it runs beside this process;
   status: out, its exit status. */
paths_status esv__window_run(const struct esv__view *view, int *status)
    PATHS_CHECKED;

#endif
