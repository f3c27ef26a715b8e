/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/list.h - prints the views of a run
 */

#ifndef VIEWER_COMMAND_LIST_H
#define VIEWER_COMMAND_LIST_H

#include "viewer/command/view.h"

/* Prints the charts that apply, with their measures, on standard output. */
paths_status esv__list_print(struct esv__view *view) PATHS_CHECKED;

#endif
