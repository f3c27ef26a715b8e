/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/analysis_private.h - the members of an analysis
 *
 * Views are computed from the stage graph, the overview of each collector, the
 * clocks, and results that several views share.
 */

#ifndef SCOPES_CLOCK_ANALYSIS_PRIVATE_H
#define SCOPES_CLOCK_ANALYSIS_PRIVATE_H

#include "scopes/analysis.h"
#include "scopes/clock/clock_private.h"
#include "scopes/clock/matched_private.h"
#include "scopes/clock/overview_private.h"
#include "scopes/operation.h"
#include "scopes/run/run_private.h"
#include "scopes/run/stage_graph_private.h"
#include "scopes/run/work_private.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * The first member of each result that an analysis keeps for later views.
 * `destroy` identifies the kind of the result.
 */
struct es__kept {
	struct es__kept *next;
	void (*destroy)(struct es__kept *kept);
};

struct es_analysis {
	struct es_run *run;
	const struct paths_map *map;
	unsigned threads;
	const char *scratch;		/* directory for temporary files */
	struct es__overview *overviews; /* of each collector */
	struct es__stage_graph graph;
	struct es__clocks clocks;
	struct es_timebase *bases;   /* of each process */
	int64_t start_ns;	     /* of the run, on the reference clock */
	int64_t span_ns;	     /* length of the run, to the last stamp */
	struct es__matched *matched; /* NULL: not made yet */
	struct es__kept *kept;	     /* results, the latest first */
};

_Static_assert(offsetof(struct es_tuple_path, op) ==
	offsetof(struct es_operation, op),
    "common to both");
_Static_assert(offsetof(struct es_tuple_mpi, op) ==
	offsetof(struct es_operation, op),
    "common to both");

/* Returns whether an operation succeeded. */
static inline bool
es__tuple_ok(const struct es_tuple_path *tuple)
{
	return tuple->status == 0 && tuple->stop != 0;
}

/* Returns whether a collector holds operations on paths. */
static inline bool
es__collector_counts(const struct es_collector *collector)
{
	return es_operation_type(collector) == ES_OPERATION_PATH;
}

/* Returns whether a collector holds MPI calls. */
static inline bool
es__collector_calls(const struct es_collector *collector)
{
	return es_operation_type(collector) == ES_OPERATION_MPI;
}

/* Returns whether a collector records when its thread communicates. */
static inline bool
es__collector_times(const struct es_collector *collector)
{
	return es_operation_type(collector) != ES_OPERATION_NONE;
}

/* Returns the conversion of the ticks of a collector. */
static inline const struct es_timebase *
es__base_of(const struct es_analysis *a, const struct es_collector *collector)
{
	return &a->bases[collector->process];
}

/* Returns tuples of a thread, for `reads` of work; NULL: it has none. */
static inline const void *
es__thread_tuples(const struct es_analysis *a, uint32_t thread)
{
	const struct es__list *heads = &a->graph.heads[thread];

	return heads->count == 0 ?
	    NULL :
	    es__work_tuples(&a->run->collectors[heads->ids[0]]);
}

/* Returns the kept result that this function destroys; NULL: there is none. */
struct es__kept *es__analysis_kept(const struct es_analysis *a,
    void (*destroy)(struct es__kept *kept));

/* Keeps a result until the analysis is closed. */
void es__analysis_keep(struct es_analysis *a, struct es__kept *kept,
    void (*destroy)(struct es__kept *kept));

#endif
