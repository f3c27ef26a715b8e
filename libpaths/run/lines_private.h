/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/lines_private.h - the output of processes, each line with the
 * name of its process
 */

#ifndef LIBPATHS_RUN_LINES_PRIVATE_H
#define LIBPATHS_RUN_LINES_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Bytes of output that wait to be written; no more is read while there are
   as many. */
#define RUN_LINES_QUEUE_MAX ((size_t)1024 * 1024)

/* Adds the output of a process.  Its whole lines are queued. */
void run_lines_add(struct run_lines *lines, const void *bytes, size_t count);

/* Queues a last line without an end, and frees the memory. */
void run_lines_end(struct run_lines *lines);

/* Writes what can be written without waiting. */
void run_lines_write(struct run_output *output);

/* Writes all that is queued, unless a signal ends the run. */
void run_lines_write_all(struct run_output *output);

#endif
