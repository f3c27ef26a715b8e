/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/resolve.h - finds the things of a run that options name
 */

#ifndef VIEWER_COMMAND_RESOLVE_H
#define VIEWER_COMMAND_RESOLVE_H

#include "viewer/command/view.h"

/* Fills rows, highlight and subject.  Refuses names that the run lacks. */
paths_status esv__resolve_options(struct esv__view *view) PATHS_CHECKED;

#endif
