/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/analysis_private.h - the inside of an analysis, shared on this
 * floor
 *
 * What views are computed from: where collectors stand in relation to each
 * other (the forest), what each of them holds (its overview), and the clocks.
 */

#ifndef SCOPES_CLOCK_ANALYSIS_PRIVATE_H
#define SCOPES_CLOCK_ANALYSIS_PRIVATE_H

#include "scopes/analysis.h"
#include "scopes/clock/clock_private.h"
#include "scopes/operation.h"
#include "scopes/run/run_private.h"
#include "scopes/run/stage_graph_private.h"
#include "scopes/run/work_private.h"

#include <stddef.h>
#include <stdlib.h>

/* One pass over the tuples of a collector. */
struct es__overview {
	uint64_t ok;	 /* operations that ended well */
	uint64_t failed; /* that came back with an error */
	uint64_t inside; /* that had not come back: 0 or 1 */
	uint64_t kinds;	 /* bit n: an enum paths_kind n ended well */
	uint64_t gaps;	 /* sequence numbers passed over */
	uint32_t seq_first, seq_last; /* of those that ended well */
	uint32_t step_last;	      /* the largest of those */
	uint64_t start_first;	      /* ticks */
	uint64_t stop_last;
	uint64_t start_inside; /* of that which had not come back; 0 */
};

struct es__waits;
struct es__estimates;
struct es__mpi_kept;

struct es_analysis {
	struct es_run *run;
	const struct paths_map *map;
	unsigned threads;
	struct es__overview *overviews; /* of each collector */
	struct es__forest forest;
	struct es__clocks clocks;
	struct es_timebase *bases; /* of each process */
	int64_t span_ns;	   /* of the run: to the last stop, or start */
	struct es__waits *waits;   /* computed when first asked for */
	struct es__estimates *estimates; /* the same */
	struct es__mpi_kept *mpi;	 /* the same */
};

_Static_assert(offsetof(struct es_tuple_path, op) ==
	offsetof(struct es_operation, op),
    "common to both");
_Static_assert(offsetof(struct es_tuple_mpi, op) ==
	offsetof(struct es_operation, op),
    "common to both");

static inline bool
es__tuple_ok(const struct es_tuple_path *tuple)
{
	return tuple->status == 0 && tuple->stop != 0;
}

/* Whether views of stages and elements understand its tuples. */
static inline bool
es__collector_counts(const struct es_collector *collector)
{
	return es_operation_type(collector) == ES_OPERATION_PATH;
}

static inline bool
es__collector_calls(const struct es_collector *collector)
{
	return es_operation_type(collector) == ES_OPERATION_MPI;
}

/* Whether it tells when its thread communicates. */
static inline bool
es__collector_times(const struct es_collector *collector)
{
	return es_operation_type(collector) != ES_OPERATION_NONE;
}

static inline const struct es_timebase *
es__base_of(const struct es_analysis *a, const struct es_collector *collector)
{
	return &a->bases[collector->process];
}

/* How long an operation was below a collector. */
static inline int64_t
es__tuple_ns(const struct es_timebase *base, const struct es_tuple_path *tuple)
{
	return es_time_ns(base, tuple->stop) - es_time_ns(base, tuple->start);
}

/*
 * es__overview_compute - look at all tuples of all collectors once
 *
 * Fills a->overviews and diagnoses discarded, failed and unfinished
 * operations.
 */
paths_status es__overview_compute(struct es_analysis *a) PATHS_CHECKED;

#endif
