/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_window_private.h - finds the ranks that a call on a
 * window waits for
 */

#ifndef SCOPES_MPI_WAIT_FOR_WINDOW_PRIVATE_H
#define SCOPES_MPI_WAIT_FOR_WINDOW_PRIVATE_H

#include "scopes/mpi/in_flight_private.h"

/* Ranks of the run. */
struct es__wait_for_ranks {
	uint32_t *list;
	size_t count, room;
};

/*
 * es__wait_for_window - find the ranks that a thread waits for in a start,
 * complete, wait, lock, flush or unlock of a window
 *
 * The thread goes on when all these ranks have posted, completed or unlocked.
 *
 * ranks	out; empty if the ranks are not known, or the call may return
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees ranks->list
 */
paths_status es__wait_for_window(const struct es__in_flight *in_flight,
    const struct es__inside_thread *thread, struct es__wait_for_ranks *ranks)
    PATHS_CHECKED;

#endif
