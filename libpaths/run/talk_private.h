/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/talk_private.h - the frames between eventspace-run and its
 * agents
 */

#ifndef LIBPATHS_RUN_TALK_PRIVATE_H
#define LIBPATHS_RUN_TALK_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Reads the first frame of an agent.  Returns the index of its process;
   PATHS_NONE: wrong, or there is no such process. */
uint32_t run_talk_hello(const struct run *run, struct launch_frame *frame);

/* Sends the settings of a process to its agent. */
void run_talk_setup(const struct run *run, struct run_agent *agent);

/* Sends the map to an agent and lets it start the program. */
void run_talk_start(const struct run *run, struct run_agent *agent,
    const char *map, size_t bytes);

/* Handles a frame.  Returns false for one that is wrong. */
bool run_talk_take(struct run *run, struct run_agent *agent,
    struct launch_frame *frame);

/* Reports a process that is lost, with its host. */
void run_talk_lost(struct run *run, struct run_agent *agent, const char *why);

#endif
