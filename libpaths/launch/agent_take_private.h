/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_take_private.h - takes the frames of the launcher
 */

#ifndef LIBPATHS_LAUNCH_AGENT_TAKE_PRIVATE_H
#define LIBPATHS_LAUNCH_AGENT_TAKE_PRIVATE_H

#include "libpaths/launch/agent_private.h"

/* Handles a frame of the launcher.  Returns false for one that is wrong. */
bool agent_take(struct agent *agent, struct launch_frame *frame);

#endif
