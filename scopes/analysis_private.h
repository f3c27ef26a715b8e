/* SPDX-License-Identifier: MIT */
/*
 * scopes/analysis_private.h - the inside of an analysis, shared on this floor
 *
 * What views are computed from: where collectors stand in relation to each
 * other (the forest), what each of them holds (its overview), and the clocks.
 */

#ifndef SCOPES_ANALYSIS_PRIVATE_H
#define SCOPES_ANALYSIS_PRIVATE_H

#include "scopes/analysis.h"
#include "scopes/clock_private.h"
#include "scopes/forest_private.h"
#include "scopes/run_private.h"
#include "scopes/work_private.h"

#include "collectors/mpi_function.h"

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
	uint64_t start_first;	      /* ticks */
	uint64_t stop_last;
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
	struct es_timebase *bases;	 /* of each process */
	int64_t span_ns;		 /* of the run */
	struct es__waits *waits;	 /* computed when first asked for */
	struct es__estimates *estimates; /* the same */
	struct es__mpi_kept *mpi;	 /* the same */
};

/* What tuples of operations on paths and of MPI calls begin with. */
struct es__tuple {
	uint64_t start;
	uint64_t stop;
	uint32_t seq;
	uint16_t op;
} __attribute__((packed, aligned(4)));

_Static_assert(offsetof(struct es_tuple_path, op) ==
	offsetof(struct es__tuple, op),
    "common to both");
_Static_assert(offsetof(struct es_tuple_mpi, op) ==
	offsetof(struct es__tuple, op),
    "common to both");

static inline bool
es__tuple_ok(const struct es_tuple_path *tuple)
{
	return tuple->status == 0 && tuple->stop != 0;
}

static inline bool
es__collector_of(const struct es_collector *collector, const char *type)
{
	return collector->type != NULL &&
	    es_tuple_type_equal(collector->type, es_tuple_type_find(type));
}

/* Whether views of stages and elements understand its tuples. */
static inline bool
es__collector_counts(const struct es_collector *collector)
{
	return es__collector_of(collector, "path");
}

static inline bool
es__collector_calls(const struct es_collector *collector)
{
	return es__collector_of(collector, "mpi");
}

/* Whether it tells when its thread communicates: its tuples begin as struct
   es__tuple does. */
static inline bool
es__collector_times(const struct es_collector *collector)
{
	return es__collector_counts(collector) ||
	    es__collector_calls(collector);
}

/* Whether a tuple is a call of MPI.  Those that follow it with its seq tell of
   its requests, as collectors/mpi_space.h has it. */
static inline bool
es__tuple_is_call(const struct es_collector *calls, uint64_t n)
{
	const struct es_tuple_mpi *tuple = es_collector_tuple(calls, n);
	const struct es_tuple_mpi *before =
	    n == 0 ? NULL : es_collector_tuple(calls, n - 1);

	return tuple->op != ES_MPI_COMPLETED &&
	    (before == NULL || before->seq != tuple->seq);
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
