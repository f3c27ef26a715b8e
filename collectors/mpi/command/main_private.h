/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/main_private.h - the command `eventspace mpi`
 */

#ifndef COLLECTORS_MPI_COMMAND_MAIN_PRIVATE_H
#define COLLECTORS_MPI_COMMAND_MAIN_PRIVATE_H

#include "libpaths/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Print why something failed; false. */
bool main_fail(const char *fmt, ...) PATHS_PRINTF(1, 2);

#define JOB_TOKEN_BYTES 256u

/* What all ranks of a job say alike and no other job does, on one line. */
void job_token(char token[JOB_TOKEN_BYTES]);

/* The rank of this process as its launcher has it; -1: no launcher. */
long job_rank(void);

/* Make the directory of the run, if no other rank of the job did, or fail where
   it is another's.  name NULL: it is named for the program and the job.
   directory is from the root. */
bool job_directory(const char *name, const char *program,
    char directory[PATH_MAX]);

/* Reads "trace,profile": a set of ES_MODE_. */
paths_status main_modes(const char *text, uint32_t *modes) PATHS_CHECKED;

/* eventspace mpi --control RUN ACTION [ARGUMENT]: its exit status. */
int control_main(const char *run, char **action);

/* Copy a run that is going on to a directory that is new. */
bool snapshot_take(const char *run, const char *to);

#endif
