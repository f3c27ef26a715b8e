/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/delays_private.h - computes by how much ranks are late because
 * threads had no core
 *
 * The delay of a thread at a call is the time by which it would have entered
 * the call earlier if no thread had ever been without a core.  The delay grows
 * by the time that the thread is without a core.  A wait passes delays on,
 * because a call that waits ends when the last awaited thread has arrived.
 * Without lost cores, it would have ended when the last of them would have
 * arrived then:
 *
 *	delay behind the call = max(E, A...) - max(E - d, A - d(A)...)
 *	    + time without a core after the last arrival
 *
 * Here, E is the enter of the call and d the delay there; A is an arrival for
 * which the call waits, and d(A) the delay there.  In a collective, the time
 * without a core after the last arrival is that of all threads, because any of
 * them holds up the others.
 *
 * So the part of a wait of W for a thread c that follows from lost cores is
 * W - max(0, (A - d(A)) - (E - d)).
 */

#ifndef SCOPES_MPI_DELAYS_PRIVATE_H
#define SCOPES_MPI_DELAYS_PRIVATE_H

#include "scopes/mpi/cpu_curve_private.h"
#include "scopes/mpi/doubts_private.h"
#include "scopes/mpi/scratch_private.h"
#include "scopes/mpi_trace.h"

struct es__mpi_delays_work;

/* The delays at the calls of a trace, in all windows so far. */
struct es__mpi_delays {
	/* For each ring: for each tuple, the delay in ns at the enter of its
	   call; in scratch memory. */
	int64_t **rings;
	/* For each ring: number of tuples whose delay is known. */
	uint32_t *entered;
	/* For each ring: number of tuples of calls that were left. */
	uint32_t *left;
	uint32_t *released;
	uint32_t ring_count;
	struct es__scratch scratch;
	struct es__mpi_delays_work *work;
};

/* Returns the delay at the enter of the call of a tuple. */
static inline int64_t
es__mpi_delay(const struct es__mpi_delays *delays, struct es_mpi_at at)
{
	return delays == NULL ? 0 : delays->rings[at.ring][at.n];
}

/* Returns whether the delay at the enter of the call of a tuple is known; true
   if delays is NULL. */
static inline bool
es__mpi_delay_known(const struct es__mpi_delays *delays, struct es_mpi_at at)
{
	return delays == NULL || at.n < delays->entered[at.ring];
}

/* Returns whether the delay at the exit of the call of a tuple is known. */
static inline bool
es__mpi_delay_behind_known(const struct es__mpi_delays *delays,
    struct es_mpi_at at)
{
	return delays == NULL || at.n < delays->left[at.ring];
}

/* Returns the part of a wait that follows from lost cores.  remain_ns: length
   of the wait without lost cores; negative: there would be none. */
static inline int64_t
es__mpi_delay_part(int64_t wait_ns, int64_t remain_ns)
{
	if (remain_ns <= 0)
		return wait_ns;
	return remain_ns < wait_ns ? wait_ns - remain_ns : 0;
}

/*
 * es__mpi_delays_begin - prepare to follow the delays through a trace
 *
 * trace	without a window yet
 * curves	one for each ring, then the sum of all; es__cpu_curve_end was
 *		called
 * scratch	directory for a file with 8 bytes for each tuple; NULL: use
 *		memory
 * delays	out; zeros at first
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_delays_fini, also on failure, and keeps
 *		the arguments until then
 */
paths_status es__mpi_delays_begin(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__cpu_curve *curves,
    const char *scratch, struct es__mpi_delays *delays) PATHS_CHECKED;

/*
 * es__mpi_delays_window - follow the delays through a window of the trace
 *
 * Goes on until the end of the window, or until a call waits for a call in a
 * later window.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_delays_window(struct es__mpi_delays *delays) PATHS_CHECKED;

/* Releases the resident memory of the delays of a ring before the n-th tuple.
   They can still be read, from the file. */
void es__mpi_delays_release(struct es__mpi_delays *delays, uint32_t ring,
    uint32_t n);

void es__mpi_delays_fini(struct es__mpi_delays *delays);

#endif
