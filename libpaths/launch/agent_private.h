/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_private.h - runs a process of a map for a launcher
 */

#ifndef LIBPATHS_LAUNCH_AGENT_PRIVATE_H
#define LIBPATHS_LAUNCH_AGENT_PRIVATE_H

#include "libpaths/launch/collect_private.h"
#include "libpaths/launch/ending_private.h"

#include <sys/types.h>

/* In memory that the worker and the keeper share. */
struct agent_shared {
	struct launch_folder folder;
	_Atomic bool dismissed; /* the launcher has sent END */
};

struct agent {
	struct launch_channel channel;
	struct launch_setup setup;
	struct agent_shared *shared;
	struct launch_collect collect;
	struct launch_bytes map; /* its text */
	int sockets[PATHS_MAP_LISTEN_MAX];
	uint16_t ports[PATHS_MAP_LISTEN_MAX];
	size_t socket_count;
	int pipes[2]; /* output and errors of the program; -1: closed */
	int signals;  /* signalfd */
	int report;   /* readable when the program was started; -1: it was */
	pid_t child;  /* the program; 0: does not run */
	int status;   /* of the program, when it has ended */
	struct launch_ending ending;
	/* run-host has started it, for somebody who knows the secret of the
	   run: it executes eventspace serve, and takes no variables. */
	bool serves;
	bool opened, started, exited, lost, dismissed;
};

/* Runs the process that the launcher describes.  Returns true when the program
   succeeded and the launcher dismissed the agent. */
bool agent_work(struct agent *agent);

#endif
