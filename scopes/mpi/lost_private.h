/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/lost_private.h - reads when the threads of an MPI run had no core
 */

#ifndef SCOPES_MPI_LOST_PRIVATE_H
#define SCOPES_MPI_LOST_PRIVATE_H

#include "scopes/mpi/delays_private.h"
#include "scopes/path/cpu_private.h"

/* The curves of the rings of a trace. */
struct es__mpi_lost {
	/* One for each ring, then the sum of all; NULL: no thread lost time. */
	struct es__cpu_curve *curves;
	uint32_t ring_count;
	bool sampled; /* the threads of the run were sampled */
};

/*
 * es__mpi_lost_read - read when the threads of a run had no core
 *
 * input	input of the trace of the run
 * a		analysis of the run; NULL: no time is lost
 * lost		out; without curves if the threads were without a core for less
 *		than 1 % of their time
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_lost_fini, also on failure
 */
paths_status es__mpi_lost_read(const struct es_mpi_trace_input *input,
    const struct es_analysis *a, struct es__mpi_lost *lost) PATHS_CHECKED;
void es__mpi_lost_fini(struct es__mpi_lost *lost);

/*
 * es__mpi_lost_add - make the curve of a thread from its samples
 *
 * base		timebase of the stamps of the thread
 * curve	out: ended; all zeros at first
 * all		sum of all threads: the lost times are added to it, too; the
 *		caller calls es__cpu_curve_end
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_lost_add(const struct es_timebase *base,
    const struct es__cpu_thread *thread, struct es__cpu_curve *curve,
    struct es__cpu_curve *all) PATHS_CHECKED;

#endif
