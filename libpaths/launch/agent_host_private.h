/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_host_private.h - starts the server of a host for event
 * scopes
 */

#ifndef LIBPATHS_LAUNCH_AGENT_HOST_PRIVATE_H
#define LIBPATHS_LAUNCH_AGENT_HOST_PRIVATE_H

#include "libpaths/launch/agent_private.h"

/* Starts run-host, if this agent made the run directory of the host and the
   launcher does not have it, and tells the launcher its port.  The environment
   is that of the program.  address: of this host; "": none is wanted */
void agent_host_start(struct agent *agent, const char *address);

#endif
