/* SPDX-License-Identifier: MIT */
/*
 * scopes/job.h - views that several processes compute together, as an MPI job
 *
 * `mpirun -n 4 PROGRAM` starts four processes.  When each has called
 * es_job_open, a run that they open and its views are shared: each reads the
 * event spaces that it can read, computes its part, and gets the results of the
 * others.  So all have the same results, and one of them writes them.
 *
 * The processes must make the same calls of es_run_open, es_analysis_open and
 * es_view_fill, in the same order.  They need not have the same files: a
 * process reads tuples of other hosts through the processes that are there.
 */

#ifndef SCOPES_JOB_H
#define SCOPES_JOB_H

#include "collectors/api.h"

#include <stdbool.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/*
 * es_job_open - join the job that the launcher of this process started
 *
 * Loads MPI by a plugin, which is chosen by the environment that mpirun or srun
 * has set.  Does nothing in a process that was not started by one of these, or
 * alone.
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no plugin for the MPI of the launcher
 *		PATHS_EINVAL	srun started several tasks without MPI
 *		PATHS_EABI	the plugin is of another version
 *		PATHS_EIO	MPI or a thread could not be started
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_job_end
 * Threads	one, before a run is opened
 * Since	0.1
 */
ES_API paths_status es_job_open(void) PATHS_CHECKED;

/*
 * es_job_rank, es_job_size - the place of this process in its job
 *
 * Returns	the rank, from 0, and the number of processes; without a job the
 *		rank that a launcher has set, or 0, and 1
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_job_rank(void);
ES_API uint32_t es_job_size(void);

/*
 * es_job_agree - wait until all processes have come to this point
 *
 * Returns	PATHS_OK
 *		the status of a process that has ended with an error, with its
 *		text
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_job_agree(void) PATHS_CHECKED;

/*
 * es_job_end - leave the job
 *
 * Waits for the other processes.  Call it before runs are closed.  Afterwards
 * this process is not in a job.
 *
 * st	PATHS_OK, or an error, whose text is that of paths_log_last; the job of
 *	the others fails too
 *
 * Returns	st if it is an error, or the status of another process that
 *		failed, with its text; PATHS_OK without a job
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_job_end(paths_status st) PATHS_CHECKED;

PATHS_END_DECLS

#endif
