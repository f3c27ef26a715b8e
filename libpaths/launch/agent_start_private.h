/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_start_private.h - starts the program of an agent
 */

#ifndef LIBPATHS_LAUNCH_AGENT_START_PRIVATE_H
#define LIBPATHS_LAUNCH_AGENT_START_PRIVATE_H

#include "libpaths/launch/agent_private.h"

/* Begins to start the program with the settings of the launcher, or reports a
   failure to it. */
void agent_start(struct agent *agent, const char *address);

/* Reports that the program was started, or why not, when agent->report is
   readable. */
void agent_started(struct agent *agent);

#endif
