/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/graph_private.h - the program activity graph of a run, as a log
 * of steps
 *
 * Steps are described in step_private.h.  A step comes after all steps that it
 * depends on.  So a pass that reads forward has seen the dependences of a step,
 * and a pass that reads backward has seen all steps that depend on it.
 *
 * Source	Yang, Miller: Critical Path Analysis for the Execution of
 *		Parallel and Distributed Programs, 1988: the program activity
 *		graph
 */

#ifndef SCOPES_GRAPH_GRAPH_PRIVATE_H
#define SCOPES_GRAPH_GRAPH_PRIVATE_H

#include "scopes/graph/log_private.h"
#include "scopes/graph/names_private.h"

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts that tell how complete and how certain a graph is. */
struct es__graph_account {
	uint64_t operations;
	/* choices: operations whose step LEAVE has a flag.  sources_unknown:
	   receives and probes for which the trace does not tell whether their
	   source was MPI_ANY_SOURCE. */
	uint64_t choices, sources_unknown;
	/* Numbers of those that operations wait for. */
	uint64_t messages, collectives;
	uint64_t contradictions; /* operations that ended before something that
				    they wait for */
	uint64_t cycles; /* dependences that were left out, because each would
			     wait for the other */
	/* Operations on paths that may have waited for an operation that is not
	   known. */
	uint64_t unknown;
	/* Operations that were not recorded between others: their time counts
	   as computation. */
	uint64_t missing;
};

struct es__graph {
	struct es__graph_log log;
	uint64_t count; /* of steps */
	/* Directory of the log; NULL: the one for temporary files. */
	char *dir;
	uint32_t thread_count, slot_count;
	int64_t start_ns;	/* time at which all threads begin */
	int64_t *end_ns;	/* end of each thread */
	int64_t from_ns, to_ns; /* the measured interval */
	/* Size of the largest message whose send may wait for its receive;
	   UINT64_MAX: there are synchronous sends. */
	uint64_t coupled_bytes;
	struct es__graph_names names; /* of activities */
	/* Size of the largest message whose send is known to have ended before
	   its receive began.  Sends of larger messages may wait for their
	   receive. */
	uint64_t eager_bytes;
	struct es__graph_account account;
	/* The members below are used while the graph is written.  Size of the
	   smallest message whose send seems to have waited for its receive. */
	uint64_t waited_bytes;
	/* Steps before number `unsettled` may contain waits of sends that did
	   not wait; see settle_private.h.  The block of the log with that step
	   begins at byte `unsettled_byte`, with step number
	   `unsettled_first`. */
	uint64_t unsettled, unsettled_byte, unsettled_first;
	bool is_settled; /* the log `settled` replaces these steps */
	struct es__graph_log settled;
};

/*
 * es__graph_create - make an empty graph
 *
 * dir		directory for the log; NULL, or one that cannot be written: the
 *		one for temporary files
 * threads	number of threads
 * start_ns	time at which they all begin
 * graph	out
 *
 * Returns	PATHS_OK
 *		PATHS_EFULL	over 2^24 threads
 *		PATHS_EIO	no file can be made
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__graph_close
 */
paths_status es__graph_create(const char *dir, uint32_t threads,
    int64_t start_ns, struct es__graph **graph) PATHS_CHECKED;

/* graph	NULL: nothing happens */
void es__graph_close(struct es__graph *graph);

/* Adds a step.  PATHS_OK; PATHS_EIO. */
static inline paths_status
es__graph_add(struct es__graph *graph, struct es__graph_step step)
{
	graph->count++;
	return es__graph_log_add(&graph->log, step);
}

/* Notes that the steps so far may contain waits of sends that did not wait. */
void es__graph_unsettle(struct es__graph *graph);

/*
 * es__graph_finish - end a graph, whose steps are then read
 *
 * Returns	PATHS_OK; PATHS_EIO
 */
paths_status es__graph_finish(struct es__graph *graph) PATHS_CHECKED;

/* Reads the steps of a graph block by block, in one direction.  Blocks that
   were read take no memory. */
struct es__graph_reader {
	const struct es__graph *graph;
	const struct es__graph_log *log;
	/* Byte of the log where the next block begins; backward: where it
	   ends. */
	uint64_t at;
	uint64_t next; /* number of the next step; backward: 1 more */
	/* Memory of bytes before this one was given back; backward: of bytes
	   from this one on. */
	uint64_t dropped;
	bool backward;
	struct es__graph_step steps[ES__GRAPH_BLOCK];
};

/* Begins to read a graph that is finished. */
struct es__graph_reader es__graph_read(const struct es__graph *graph,
    bool backward);

/* Returns the steps of the next block, in the order of the log, until the next
   call.  count: out, 0 if there is none. */
const struct es__graph_step *
es__graph_read_block(struct es__graph_reader *reader, uint32_t *count);

#endif
