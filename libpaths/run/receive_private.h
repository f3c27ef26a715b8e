/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/receive_private.h - writes the files that agents send
 */

#ifndef LIBPATHS_RUN_RECEIVE_PRIVATE_H
#define LIBPATHS_RUN_RECEIVE_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Take the contents of LAUNCH_FILE, LAUNCH_DATA and LAUNCH_FILE_END.  Return
   false when they are wrong; a file that cannot be written is reported, and
   agent->incomplete is set. */
bool run_receive_file(const struct run *run, struct run_agent *agent,
    struct launch_get *get);
bool run_receive_data(struct run_agent *agent, struct launch_get *get);
bool run_receive_end(const struct run *run, struct run_agent *agent,
    struct launch_get *get);

/* Closes a file of which no more comes. */
void run_receive_stop(struct run_agent *agent);

#endif
