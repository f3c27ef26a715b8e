/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/ends_private.h - reads how the processes of a run ended
 *
 * `eventspace run` sees the ends of its processes and writes them into RUN/ends
 * (libpaths/net/gone_private.h), `eventspace mpi` those of the ranks that it
 * starts.  A run of other launchers has no such file.
 */

#ifndef SCOPES_RUN_ENDS_PRIVATE_H
#define SCOPES_RUN_ENDS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

struct es_run;

struct es__end {
	bool known; /* the signal or exit status is */
	bool signalled;
	bool sent;	 /* the launcher had sent it a signal before */
	bool of_rank;	 /* then `sent` is not known */
	uint32_t number; /* of the signal, or exit status */
	uint32_t order;	 /* among the ends of the run, from 0 */
	uint64_t ticks;	 /* on the clock of its process; 0: not known */
};

/* Fills in run->ends, of a run with its spaces.  Lines of the file that are not
   of its form are ignored.  live: a process of the run has not ended; else
   waits for those who have an end to write, at most 2 s. */
void es__ends_read(struct es_run *run, bool live);

#endif
