/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/step_private.h - clocks that were set
 */

#ifndef SCOPES_ALIGN_STEP_PRIVATE_H
#define SCOPES_ALIGN_STEP_PRIVATE_H

#include "scopes/align/align_private.h"

/* Finds jumps of clocks, and takes them out of the stamps of messages. */
paths_status es__align_steps(struct es__align *align) PATHS_CHECKED;

#endif
