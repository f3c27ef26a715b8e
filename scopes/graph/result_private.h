/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/result_private.h - makes the graph of a run, and computes all
 * that views show of it
 *
 * All times but those of causes count only inside the measured interval.  For
 * MPI it begins at the last exit of MPI_Init, or, if calls were discarded, when
 * the calls of all threads are retained; it ends at the last entry of
 * MPI_Finalize.  In a run of paths, it begins at the first operation, or when
 * the operations of all threads are retained, and ends with the last operation.
 */

#ifndef SCOPES_GRAPH_RESULT_PRIVATE_H
#define SCOPES_GRAPH_RESULT_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/graph/causes_private.h"
#include "scopes/graph/choices_private.h"
#include "scopes/graph/mpi_private.h"
#include "scopes/graph/typical_private.h"
#include "scopes/mpi/waits_private.h"

/* Sums of an activity of a thread. */
struct es__graph_sum {
	int64_t ns;	 /* its own time, without waiting */
	int64_t wait_ns; /* its waiting, not in ns */
	int64_t path_ns; /* part of ns on the critical path */
	struct es__graph_choices choices;
};

/* A part of the critical path that is on one thread. */
struct es__graph_hop {
	int64_t start_ns, stop_ns;
	uint32_t thread; /* of the graph */
};

struct es__graph_result {
	struct es__kept kept;
	/* For making the graph while waits are computed. */
	struct es__mpi_also also;
	struct es__graph_mpi of;
	int64_t *initialized_ns;	 /* for of.initialized_ns */
	struct es__graph_mpi_work *work; /* NULL: not begun, or ended */
	bool computed;			 /* the members below are known */
	struct es__graph *graph;
	struct es__graph_classes classes;
	/* The graph is of operations on paths, else of MPI calls. */
	bool paths;
	/* For each thread of the graph: its number in the map. */
	uint32_t *threads;
	/* Rank of each thread of the graph; for paths: as `threads`. */
	uint32_t *ranks;
	/* Number of ranks of the run without a thread in the graph. */
	uint32_t ranks_missing;
	uint32_t *hosts; /* host in the map of each thread of the graph */
	struct es__graph_sum *sums; /* of each activity */
	/* For each thread: time outside of operations. */
	int64_t *useful_ns;
	struct es__graph_causes causes;
	struct es__spool waits; /* in the order of the log */
	struct es__spool hops;	/* struct es__graph_hop, the last one first */
	struct es__graph_typical typical;
	/* Length of the measured interval with an ideal network, in which
	   operations take no time of their own; uncoupled_ns: with one in which
	   sends do not wait for receives, either. */
	int64_t ideal_ns, uncoupled_ns;
};

/*
 * es__graph_result_plan - prepare to make the graph of a run while its waits
 * are computed
 *
 * This saves a second pass over the windows of the trace.  Without this call,
 * or if the waits are known already, es__graph_result_get makes that second
 * pass.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_result_plan(struct es_analysis *a) PATHS_CHECKED;

/*
 * es__graph_result_get - get the graph of a run and its results
 *
 * The first call computes it, and the analysis keeps it.  The graph is that of
 * the MPI calls, or else of the operations on paths.
 *
 * result	out; NULL when the run is not one of MPI processes, and has no
 *		records of operations on paths
 *
 * Returns	PATHS_OK; a status of es__graph_mpi or es__graph_path
 */
paths_status es__graph_result_get(struct es_analysis *a,
    struct es__graph_result **result) PATHS_CHECKED;

#endif
