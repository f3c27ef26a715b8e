/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/result_private.h - what the graph of a run tells
 *
 * All times but those of causes count inside the measured interval: from the
 * last exit of MPI_Init, or the first moment from that on all threads retain
 * their calls, to the last entry of MPI_Finalize.  In a run of paths it is from
 * the first operation, or the first moment from that on all threads retain
 * theirs, to the last end of an operation.
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
	int64_t ns;	 /* of its own, without waiting */
	int64_t wait_ns; /* that it waited, in addition */
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
	/* The graph is made while waits are computed. */
	struct es__mpi_also also;
	struct es__graph_mpi of;
	int64_t *initialized_ns;	 /* of es__graph_mpi */
	struct es__graph_mpi_work *work; /* NULL: not begun, or ended */
	bool computed;			 /* the members below are known */
	struct es__graph *graph;
	struct es__graph_classes classes;
	bool paths;	   /* it is of operations on paths, not of MPI calls */
	uint32_t *threads; /* of each thread of the graph: that of the map */
	uint32_t *ranks;   /* of each thread of the graph; paths: as threads */
	uint32_t ranks_missing; /* of the run, that have no thread here */
	uint32_t *hosts; /* of each thread of the graph: that of the map */
	struct es__graph_sum *sums; /* of each activity */
	int64_t *useful_ns;	    /* of each thread: outside of operations */
	struct es__graph_causes causes;
	struct es__spool waits; /* in the order of the log */
	struct es__spool hops;	/* struct es__graph_hop, the last one first */
	struct es__graph_typical typical;
	/* The length of the interval with an ideal network: operations take no
	   time of their own.  uncoupled: sends do not wait for receives,
	   either. */
	int64_t ideal_ns, uncoupled_ns;
};

/*
 * es__graph_result_plan - prepare to make the graph of a run while its waits
 * are computed
 *
 * Then one pass over the windows of its trace is enough for both.  Without it,
 * or when the waits are known already, es__graph_result_get passes over them
 * again.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_result_plan(struct es_analysis *a) PATHS_CHECKED;

/*
 * es__graph_result_get - the graph of a run, and what it tells
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
