/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/keep_private.h - watches a child process, so that nothing is
 * left behind
 */

#ifndef LIBPATHS_LAUNCH_KEEP_PRIVATE_H
#define LIBPATHS_LAUNCH_KEEP_PRIVATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process that watches a child process. */
struct run_keep {
	uint64_t grace_ns; /* from SIGTERM to SIGKILL */
	bool limited;	   /* the child gets SIGKILL when grace_ns is over */
	pid_t parent;	   /* its end ends the child, also with SIGKILL */
	pid_t child;	   /* 0: it has ended */
	int status;	   /* of the child, when it has ended */
	bool ended;	   /* by a signal or the end of the parent */
	sigset_t signals;  /* that are passed on to the child, and SIGCHLD */
};

/* Blocks the signals that end a run and makes this process a subreaper.
   Signals that are ignored, as by nohup, stay ignored.  The parent is not
   watched. */
void run_keep_init(struct run_keep *keep, uint64_t grace_ns);

/* Makes the end of the parent end the child, too.  Returns false when the
   parent has ended already. */
bool run_keep_parent(struct run_keep *keep, pid_t parent);

/* Waits for the child, passes signals on to it, and then ends all descendants
   that are left, unless the child succeeded by itself. */
void run_keep_wait(struct run_keep *keep);

#endif
