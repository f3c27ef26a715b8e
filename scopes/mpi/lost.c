/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/lost.c - reads when the threads of an MPI run had no core
 *
 * The lost time of a sampled interval is assumed to be at its end, because a
 * thread that gets a core back soon begins or ends a call, and then the next
 * sample is due.
 */

#include "scopes/mpi/lost_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/match/trace_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Adds an interval of a thread to its curve and to that of all threads. */
static paths_status
lost_add(const struct es_timebase *base,
    const struct es__cpu_interval *interval, struct es__cpu_curve *curve,
    struct es__cpu_curve *all)
{
	int64_t start_ns = es_time_ns(base, interval->start);
	int64_t stop_ns = es_time_ns(base, interval->stop);
	int64_t from_ns = start_ns;
	paths_status st;

	if (stop_ns > start_ns &&
	    interval->lost_ns < (uint64_t)(stop_ns - start_ns))
		from_ns = stop_ns - (int64_t)interval->lost_ns;
	st = es__cpu_curve_add(curve, from_ns, stop_ns);
	return st == PATHS_OK ? es__cpu_curve_add(all, from_ns, stop_ns) : st;
}

paths_status
es__mpi_lost_add(const struct es_timebase *base, const struct es__cpu_thread *t,
    struct es__cpu_curve *curve, struct es__cpu_curve *all)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < t->interval_count; n++)
		st = lost_add(base, &t->intervals[n], curve, all);
	es__cpu_curve_end(curve);
	return st;
}

/* Makes the curves of all rings, and after them the sum of all threads. */
static paths_status
lost_curves(const struct es_mpi_trace_input *input,
    const struct es__cpu_threads *threads, struct es__cpu_curve *curves)
{
	struct es__cpu_curve *all = &curves[input->ring_count];
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < input->ring_count; r++) {
		const struct es_mpi_trace_ring *ring = &input->rings[r];

		st = es__mpi_lost_add(&input->ranks[ring->rank].base,
		    &threads->threads[ring->thread], &curves[r], all);
	}
	es__cpu_curve_end(all);
	return st;
}

/* Returns whether threads were without a core for a share of the time that
   matters. */
static bool
lost_counts(const struct es__cpu_threads *cpu)
{
	double lost_ns = 0, sampled_ns = 0;

	for (uint32_t n = 0; n < cpu->count; n++) {
		const struct es__cpu_thread *t = &cpu->threads[n];

		for (uint32_t side = 0; side < ES_CPU_SIDES; side++) {
			lost_ns += (double)t->lost_ns[side];
			sampled_ns +=
			    (double)t->cpu_ns[side] + (double)t->lost_ns[side];
		}
		sampled_ns += (double)t->idle_ns;
	}
	return lost_ns * 100 >= sampled_ns;
}

paths_status
es__mpi_lost_read(const struct es_mpi_trace_input *input,
    const struct es_analysis *a, struct es__mpi_lost *lost)
{
	struct es__cpu_threads cpu = { .count = 0 };
	paths_status st;

	*lost = (struct es__mpi_lost){ .ring_count = input->ring_count };
	if (a == NULL)
		return PATHS_OK;
	st = es__cpu_threads_read(a->run, &cpu);
	for (uint32_t n = 0; n < cpu.count; n++)
		lost->sampled |= cpu.threads[n].samples > 0;
	if (st == PATHS_OK && lost->sampled && lost_counts(&cpu)) {
		lost->curves = calloc((size_t)input->ring_count + 1,
		    sizeof(*lost->curves));
		st = lost->curves != NULL ?
		    lost_curves(input, &cpu, lost->curves) :
		    paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	}
	es__cpu_threads_fini(&cpu);
	if (st == PATHS_OK && lost->curves != NULL &&
	    lost->curves[input->ring_count].count == 0)
		es__mpi_lost_fini(lost);
	return st;
}

void
es__mpi_lost_fini(struct es__mpi_lost *lost)
{
	for (uint32_t n = 0; lost->curves != NULL && n <= lost->ring_count; n++)
		es__cpu_curve_fini(&lost->curves[n]);
	free(lost->curves);
	lost->curves = NULL;
}
