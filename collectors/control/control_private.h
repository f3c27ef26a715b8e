/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/control_private.h - starts, stops and resets the recording
 * of a live run
 */

#ifndef COLLECTORS_CONTROL_CONTROL_PRIVATE_H
#define COLLECTORS_CONTROL_CONTROL_PRIVATE_H

#include "collectors/space.h"

enum control_action { CONTROL_START, CONTROL_STOP, CONTROL_RESET };

/*
 * Applies an action to all processes of a run that are recording, or could.
 *
 * modes	of CONTROL_START, a set of ES_MODE_; 0: those that the run began
 *		with
 *
 * Returns false, after a message, if an action failed or no process runs.
 */
bool control_run(const char *run, enum control_action action, uint32_t modes);

/* Returns true if a host is this one. */
bool control_is_here(const char *host_name);

/* Returns true if the process of a space runs on this host. */
bool control_is_running(const struct es_space_info *info);

#endif
