/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/lost.c - the time that the ranks of a run had no core
 *
 * The lost time of a sampled interval is taken to lie at its end: a thread that
 * gets a core back soon begins or ends a call, and then the next sample is due.
 */

#include "scopes/mpi/lost_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/match/trace_private.h"
#include "scopes/path/cpu_private.h"

#include "libpaths/log.h"

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

/* Makes the curves of all rings, and behind them that of all threads. */
static paths_status
lost_curves(const struct es_mpi_trace_input *input,
    const struct es__cpu_threads *threads, struct es__cpu_curve *curves)
{
	struct es__cpu_curve *all = &curves[input->ring_count];
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; r < input->ring_count; r++) {
		const struct es_mpi_trace_ring *ring = &input->rings[r];
		const struct es__cpu_thread *t =
		    &threads->threads[ring->thread];

		for (size_t n = 0; st == PATHS_OK && n < t->interval_count; n++)
			st = lost_add(&input->ranks[ring->rank].base,
			    &t->intervals[n], &curves[r], all);
		es__cpu_curve_end(&curves[r]);
	}
	es__cpu_curve_end(all);
	return st;
}

static paths_status
lost_trace(const struct es_mpi_trace_input *input, unsigned threads,
    const struct es__mpi_doubts *doubts, const struct es__cpu_curve *curves,
    struct es__mpi_delays *delays)
{
	struct es_mpi_trace *trace = NULL;
	paths_status st =
	    es__mpi_trace_begin(input, threads, UINT64_MAX, false, &trace);

	if (st == PATHS_OK)
		st = es__mpi_trace_next(trace);
	if (st == PATHS_OK)
		st = es__mpi_delays_compute(trace, doubts, curves,
		    &curves[input->ring_count], delays);
	es_mpi_trace_close(trace);
	return st;
}

static paths_status
lost_follow(const struct es_mpi_trace_input *input, unsigned threads,
    const struct es__cpu_threads *cpu, const struct es__mpi_doubts *doubts,
    struct es__mpi_delays *delays)
{
	uint32_t count = input->ring_count;
	struct es__cpu_curve *curves =
	    calloc((size_t)count + 1, sizeof(*curves));
	paths_status st;

	if (curves == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	st = lost_curves(input, cpu, curves);
	if (st == PATHS_OK && curves[count].count > 0)
		st = lost_trace(input, threads, doubts, curves, delays);
	for (uint32_t n = 0; n <= count; n++)
		es__cpu_curve_fini(&curves[n]);
	free(curves);
	return st;
}

/* Returns whether threads were without a core for so long that it shows. */
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
es__mpi_lost_delays(const struct es_mpi_trace_input *input, unsigned threads,
    const struct es_analysis *a, const struct es__mpi_doubts *doubts,
    struct es__mpi_delays *delays)
{
	struct es__cpu_threads cpu = { .count = 0 };
	paths_status st;

	if (a == NULL)
		return PATHS_OK;
	st = es__cpu_threads_read(a->run, &cpu);
	for (uint32_t n = 0; n < cpu.count; n++)
		delays->sampled |= cpu.threads[n].samples > 0;
	if (st == PATHS_OK && delays->sampled && lost_counts(&cpu))
		st = lost_follow(input, threads, &cpu, doubts, delays);
	es__cpu_threads_fini(&cpu);
	return st;
}
