/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/job_private.h - the run directory that the ranks of a
 * job share
 */

#ifndef COLLECTORS_MPI_COMMAND_JOB_PRIVATE_H
#define COLLECTORS_MPI_COMMAND_JOB_PRIVATE_H

#include <limits.h>
#include <stdbool.h>

/* Returns the rank of this process as its launcher gives it; -1: no
   launcher. */
long job_rank(void);

/*
 * Creates the run directory unless another rank of the job did.  Returns false,
 * after a message, if this fails or the directory belongs to another job.
 *
 * name		NULL: named after the program and the job
 * directory	out: absolute path
 */
bool job_directory(const char *name, const char *program,
    char directory[PATH_MAX]);

/* Saves the topology of this host in the run directory, unless another rank
   did.  Warns if this fails. */
void job_topology(const char *directory);

#endif
