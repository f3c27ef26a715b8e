/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/message_private.h - the messages of MPI between two clocks
 */

#ifndef SCOPES_CLOCK_MESSAGE_PRIVATE_H
#define SCOPES_CLOCK_MESSAGE_PRIVATE_H

#include "scopes/clock/clock_private.h"

/* A call that cannot end before another one begins, on another clock.  Stamps
   are in ticks of the processes. */
struct es__clock_message {
	uint64_t sent, received;
	uint32_t from, to; /* domains */
	uint32_t bytes;	   /* that travelled, at least */
};

/*
 * es__clock_message_find - find the messages of MPI between the clocks of a run
 *
 * Sets the messages of a->clocks, in order of from and to; there are none when
 * the run is not one of MPI processes, or has one clock.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; a status of es_mpi_trace_open
 * Ownership	es__clock_fini frees them, also on failure
 */
paths_status es__clock_message_find(struct es_analysis *a) PATHS_CHECKED;

/* Sorts messages by from and to, which are below the number of domains, and
   keeps the order of those that have both alike.  Returns PATHS_OK or
   PATHS_ENOMEM. */
paths_status es__clock_message_sort(struct es__clock_message *messages,
    size_t count, uint32_t domains) PATHS_CHECKED;

#endif
