/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/delays_private.h - by how much ranks are late because threads had
 * no core
 *
 * The delay of a thread at a call is the time by which it would have entered
 * the call earlier, if no thread had ever been without a core.  It grows by the
 * time that the thread is without one, and a wait passes it on: a call that
 * waits ends when the last awaited thread has arrived.  Without lost cores it
 * would have ended when the last of all would have arrived:
 *
 *	delay behind the call = max(E, A...) - max(E - d, A - d(A)...)
 *	    + time without a core after the last arrival
 *
 * E is the enter of the call and d the delay there; A is an arrival that the
 * call waits for.  In a collective, time without a core after the last arrival
 * is that of all threads, because one without a core holds up others.
 *
 * So the part of a wait of W for a thread c that follows from lost cores is
 * W - max(0, (A - d(A)) - (E - d)).
 */

#ifndef SCOPES_MPI_DELAYS_PRIVATE_H
#define SCOPES_MPI_DELAYS_PRIVATE_H

#include "scopes/mpi/cpu_curve_private.h"
#include "scopes/mpi/doubts_private.h"
#include "scopes/mpi_trace.h"

struct es__mpi_delays {
	int64_t **rings; /* of each ring: the delay in ns at the enter of the
			    call of each tuple; NULL: no thread had to wait for
			    a core */
	uint32_t ring_count;
	bool sampled; /* the threads of the run were sampled */
};

/* Returns the delay at the enter of the call of a tuple. */
static inline int64_t
es__mpi_delay(const struct es__mpi_delays *delays, struct es_mpi_at at)
{
	return delays == NULL || delays->rings == NULL ?
	    0 :
	    delays->rings[at.ring][at.n];
}

/* Returns the part of a wait that follows from lost cores.  remain_ns: the wait
   without lost cores; negative: none. */
static inline int64_t
es__mpi_delay_part(int64_t wait_ns, int64_t remain_ns)
{
	if (remain_ns <= 0)
		return wait_ns;
	return remain_ns < wait_ns ? wait_ns - remain_ns : 0;
}

/*
 * es__mpi_delays_compute - follow the delays through a trace
 *
 * curves	of each ring, ended
 * all		of all rings together, ended
 * delays	out; zeros at first
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_delays_fini, also on failure
 */
paths_status es__mpi_delays_compute(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__cpu_curve *curves,
    const struct es__cpu_curve *all, struct es__mpi_delays *delays)
    PATHS_CHECKED;

void es__mpi_delays_fini(struct es__mpi_delays *delays);

#endif
