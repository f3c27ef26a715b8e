/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_truth.c - compares the wait states of an MPI run
 * with those by the true clocks
 *
 *	waits_truth RUN CLOCK...
 *
 * CLOCK is the PATHS_CLOCK of each rank in order, offset_ns,ppm@base,hz: a
 * stamp is a known line of the true time, so the true time of each stamp is
 * known.  Prints for each pattern its wait by the aligned clocks and by the
 * true ones, in ns, then "total" with the sums; "order" with the number of
 * messages that are received before they are sent, by both; and "error" with
 * the largest error of a stamp and the largest bound, in ns.
 */

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi.h"
#include "scopes/mpi/waits_private.h"
#include "scopes/mpi_trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RANKS 64

static struct es_mpi_trace_rank ranks[RANKS];

static void
must(int good, const char *step)
{
	if (good)
		return;
	fprintf(stderr, "waits_truth: %s\n", step);
	exit(1);
}

/* Returns the conversion of the stamps of a clock to the true time. */
static struct es_timebase
base_of(const char *clock)
{
	double offset_ns, ppm, ticks_ns;
	uint64_t base, hz;

	must(sscanf(clock, "%lf,%lf@%" SCNu64 ",%" SCNu64, &offset_ns, &ppm,
		 &base, &hz) == 4,
	    clock);
	ticks_ns = (double)hz * 1e-9;
	return (struct es_timebase){ .origin = base +
		    (uint64_t)llround(offset_ns * ticks_ns),
		.mult = llround(ldexp(1 / ticks_ns / (1 + ppm * 1e-6), 48)) };
}

/* Adds the waits of each pattern; returns the violations. */
static uint64_t
sums_of(const struct es_mpi_trace_input *input, int64_t *sums)
{
	struct es__mpi_waits waits = { 0 };
	uint64_t violations = 0;

	must(es__mpi_waits_compute(input, NULL, 2, ES__MPI_WAITS_QUOTA,
		 &waits) == PATHS_OK,
	    "waits");
	for (uint32_t r = 0; r < waits.rank_count; r++) {
		const struct es__mpi_rank_waits *w = &waits.ranks[r];

		for (size_t n = 0; n < w->pairs.count; n++)
			sums[w->pairs.rows[n].b] += w->pairs.rows[n].ns;
		violations += w->message_violations;
	}
	es__mpi_waits_fini(&waits);
	return violations;
}

/* Returns the first rank on the reference clock. */
static uint32_t
reference_of(const struct es_analysis *a)
{
	uint32_t rank = 0;

	while (a->clocks
		   .domain_of[es_mpi_rank(es_run_mpi(a->run), rank)->process] !=
	    a->clocks.reference)
		rank++;
	return rank;
}

/* Returns the largest difference of a stamp from what the reference clock shows
   at its true time. */
static double
error_of(const struct es_mpi_trace_input *aligned, uint32_t reference)
{
	double most = 0;

	for (uint32_t n = 0; n < aligned->ring_count; n++) {
		const struct es_mpi_trace_ring *ring = &aligned->rings[n];

		for (uint32_t t = 0; t < ring->count; t++) {
			struct es_mpi_at at = { n, t };
			uint64_t start = es_mpi_trace_tuple(aligned, at)->start;
			int64_t time =
			    es_time_ns(&ranks[ring->rank].base, start);
			uint64_t shown =
			    es_time_ticks(&ranks[reference].base, time);
			int64_t apart =
			    es_time_ns(&aligned->ranks[ring->rank].base,
				start) -
			    es_time_ns(&aligned->ranks[reference].base, shown);

			most = fmax(most, fabs((double)apart));
		}
	}
	return most;
}

static double
bound_of(const struct es_analysis *a)
{
	double most = 0;

	for (uint32_t d = 0; d < a->clocks.domain_count; d++) {
		const struct es__clock_solution *s =
		    &a->clocks.result.solutions[d];

		for (uint32_t n = 0; n < s->window_count; n++)
			most = fmax(most, (double)s->windows[n].bound_ns);
	}
	return most;
}

int
main(int argc, char **argv)
{
	int64_t sums[2][ES__WAIT_PATTERNS] = { { 0 } }, total[2] = { 0 };
	struct es_run *run;
	struct es_analysis *a;
	const struct es_mpi_trace *aligned;
	struct es_mpi_trace_input input;
	uint64_t violations[2];

	must(argc > 1, "which run?");
	must(es_run_open(argv[1], &run) == PATHS_OK, "run");
	must(es_analysis_open(run, 2, NULL, &a) == PATHS_OK, "analysis");
	must(es_mpi_trace_get(a, &aligned) == PATHS_OK, "trace");
	input = *es_mpi_trace_input(aligned);
	must(input.rank_count <= RANKS && (int)input.rank_count == argc - 2,
	    "one clock a rank");
	for (uint32_t r = 0; r < input.rank_count; r++) {
		ranks[r] = input.ranks[r];
		ranks[r].base = base_of(argv[2 + r]);
	}
	input.ranks = ranks;
	violations[0] = sums_of(es_mpi_trace_input(aligned), sums[0]);
	violations[1] = sums_of(&input, sums[1]);
	for (unsigned p = 0; p < ES__WAIT_PATTERNS; p++) {
		total[0] += sums[0][p];
		total[1] += sums[1][p];
		if (sums[0][p] + sums[1][p] > 0)
			printf("%s\t%" PRId64 "\t%" PRId64 "\n",
			    es__wait_pattern_name(p), sums[0][p], sums[1][p]);
	}
	printf("total\t%" PRId64 "\t%" PRId64 "\n", total[0], total[1]);
	printf("order\t%" PRIu64 "\t%" PRIu64 "\n", violations[0],
	    violations[1]);
	printf("error\t%.0f\t%.0f\n",
	    error_of(es_mpi_trace_input(aligned), reference_of(a)),
	    bound_of(a));
	es_analysis_close(a);
	es_run_close(run);
	return 0;
}
