/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/labels_private.h - labels the output of processes of this
 * machine
 */

#ifndef LIBPATHS_RUN_LABELS_PRIVATE_H
#define LIBPATHS_RUN_LABELS_PRIVATE_H

#include "libpaths/run/run_private.h"

/* The process that labels lines, and pipes to it. */
struct run_labels {
	pid_t pid;	 /* 0: output is not labelled */
	int control;	 /* its end is the sign to end */
	int (*pipes)[2]; /* of each process: output and errors; -1: closed */
};

/* Starts to label the output of all processes if that is wanted. */
bool run_labels_open(struct run *run, struct run_labels *labels);

/* Closes the pipes of this process, when all programs have theirs. */
void run_labels_started(const struct run *run, struct run_labels *labels);

/* Waits until all that the processes have written is passed on, or a signal
   ends the run. */
void run_labels_close(struct run_labels *labels);

#endif
