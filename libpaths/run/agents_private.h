/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/agents_private.h - the agents of the processes of a run
 */

#ifndef LIBPATHS_RUN_AGENTS_PRIVATE_H
#define LIBPATHS_RUN_AGENTS_PRIVATE_H

#include "libpaths/run/gate_private.h"

/* Makes run->agents; none of them has come. */
bool run_agents_init(struct run *run);
void run_agents_fini(struct run *run);

/* Starts the commands that start the agents. */
bool run_agents_start(struct run *run);

/* Reaps commands that have ended.  Returns the count of those that run. */
uint32_t run_agents_reap(struct run *run);

/* Sends a signal to the commands that run. */
void run_agents_kill(const struct run *run, int signal);

/* Sends a signal to the programs that run, by their agents. */
void run_agents_signal(struct run *run, int signal);

/* Gives the agents that have come to the gate to their processes. */
void run_agents_meet(struct run *run, struct run_gate *gate);

/* Handles what an agent has sent. */
void run_agents_receive(struct run *run, struct run_agent *agent);

/* Sends what is queued for an agent, and a beat.  Finds silence. */
void run_agents_send(struct run *run, struct run_agent *agent);

/* Marks an agent as lost, for a reason, and closes its channel. */
void run_agents_lose(struct run *run, struct run_agent *agent, const char *why);

/* Reports losses, with the status of the command if it has ended. */
void run_agents_report(struct run *run);

/* Returns the count of agents in a state. */
uint32_t run_agents_count(const struct run *run, enum run_state state);

#endif
