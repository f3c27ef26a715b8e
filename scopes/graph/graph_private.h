/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/graph_private.h - the program activity graph of a run, as a log
 * of steps
 *
 * A thread has a time, and a slot has the time of something that threads wait
 * for, such as the begin of a send.  The steps of an operation are, in order:
 *
 *	ENTER	the thread computes for ns, then enters the operation
 *	POST	a slot gets the time of the thread
 *	JOIN	a slot gets the later one of its time and that of another slot
 *	AWAIT	the operation waits for the time of a slot
 *	WAITED	it did so for ns.  Left out if it did not wait
 *	LEAVE	the operation ends, ns after all that it waits for
 *
 * With t at ENTER, an operation leaves at max(t, slots) + ns.  For the measured
 * times that is exactly the measured end.  A slot that is posted again is used
 * for something else.
 *
 * Reading forward, a pass knows what a step depends on, because that comes
 * before.  Reading backward, it knows what depends on the step.
 *
 * Source	Yang, Miller: Critical Path Analysis for the Execution of
 *		Parallel and Distributed Programs, 1988: the program activity
 *		graph
 */

#ifndef SCOPES_GRAPH_GRAPH_PRIVATE_H
#define SCOPES_GRAPH_GRAPH_PRIVATE_H

#include "scopes/graph/names_private.h"
#include "scopes/graph/spool_private.h"

#include "libpaths/map.h"
#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum es__graph_kind {
	ES__GRAPH_ENTER, /* at: activity, a computation */
	ES__GRAPH_POST,	 /* at: slot */
	ES__GRAPH_JOIN,	 /* at: slot; ns: the other slot; thread: number of the
			    group of threads that is joined */
	/* An operation waits; at: slot; ns: bytes of the message. */
	ES__GRAPH_AWAIT_SEND,	 /* the begin of the send that it receives */
	ES__GRAPH_AWAIT_RECEIVE, /* the begin of the receive of what it sends */
	ES__GRAPH_AWAIT_MEMBER,	 /* a member of a collective */
	ES__GRAPH_WAITED,	 /* at: not used; ns may be 0 */
	ES__GRAPH_LEAVE,	 /* at: activity, an operation */
};

/* Flag of a step JOIN: the slot has only the time of the other slot. */
#define ES__GRAPH_NEW 1u

/* Flags of a step AWAIT. */
#define ES__GRAPH_BINDS 1u /* the wait ended with it */
#define ES__GRAPH_SURE 2u  /* a synchronous send, whatever its size */

struct es__graph_step {
	uint32_t kind : 4;
	uint32_t flags : 4;
	uint32_t thread : 24;
	uint32_t at;
	int64_t ns;
};

#define ES__GRAPH_THREADS_MAX (UINT32_C(1) << 24)

/* Steps that are read at a time, at most. */
#define ES__GRAPH_BLOCK 1024u

/* Numbers that tell how far a graph can be trusted. */
struct es__graph_account {
	uint64_t operations;
	uint64_t messages, collectives; /* that operations wait for */
	uint64_t contradictions; /* operations that ended before something that
				    they wait for */
	uint64_t cycles; /* dependences that were left out, because each would
			     wait for the other */
};

/*
 * Steps in a file, in blocks of cells of 64 bits.  Most steps take one cell, as
 * log.c describes, so that the file is half as long as the steps.
 */
struct es__graph_log {
	struct es__spool spool;
	uint64_t *cells; /* of the block that is written */
	uint32_t cell_count, step_count;
	uint32_t thread; /* of the last step; PATHS_NONE: none */
};

struct es__graph {
	struct es__graph_log log;
	uint64_t count; /* of steps */
	char *dir;	/* for files; NULL: that for temporary files */
	uint32_t thread_count, slot_count;
	int64_t start_ns;	/* time of all threads before the first step */
	int64_t *end_ns;	/* of each thread, after the last step */
	int64_t from_ns, to_ns; /* the measured interval */
	/* Size of the largest message whose send may wait for its receive;
	   UINT64_MAX: there are synchronous sends. */
	uint64_t coupled_bytes;
	struct es__graph_names names; /* of activities */
	/* The largest message whose send is known to have ended before its
	   receive began: larger ones may wait for their receive. */
	uint64_t eager_bytes;
	struct es__graph_account account;
	/* Writing. */
	uint64_t waited_bytes; /* of the smallest message whose send seems to
				  have waited for its receive */
	/* Steps before this one may have waits of sends that do not wait; the
	   block of the log that it is in begins at a byte, with a step. */
	uint64_t unsettled, unsettled_byte, unsettled_first;
	bool is_settled; /* another log takes the place of these steps */
	struct es__graph_log settled;
};

/*
 * es__graph_create - make an empty graph
 *
 * dir		directory for the log; NULL, or one that cannot be written: that
 *		for temporary files
 * threads	their count
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

/* A cell: 4 bits for the kind, 4 for flags, 22 for `at`, 34 for ns. */
#define ES__GRAPH_CELL_FLAGS 4
#define ES__GRAPH_CELL_AT 8
#define ES__GRAPH_CELL_NS 30
/* Kinds of cells that are no steps. */
#define ES__GRAPH_CELL_WIDE 14u	  /* a step follows in full */
#define ES__GRAPH_CELL_THREAD 15u /* ns: the thread of the next steps */

/* Returns whether a step fits into a cell. */
static inline bool
es__graph_cell_fits(const struct es__graph_step *step)
{
	return step->kind < ES__GRAPH_CELL_WIDE &&
	    step->at < UINT32_C(1) << (ES__GRAPH_CELL_NS - ES__GRAPH_CELL_AT) &&
	    (uint64_t)step->ns + (UINT64_C(1) << (63 - ES__GRAPH_CELL_NS)) <
	    UINT64_C(1) << (64 - ES__GRAPH_CELL_NS);
}

/* Adds a step to a log: one that needs several cells, or a new block.
   PATHS_OK; PATHS_EIO. */
paths_status es__graph_log_more(struct es__graph_log *log,
    const struct es__graph_step *step) PATHS_CHECKED;

/* Adds a step to a log.  PATHS_OK; PATHS_EIO. */
static inline paths_status
es__graph_log_add(struct es__graph_log *log, struct es__graph_step step)
{
	if (step.thread != log->thread || log->step_count == ES__GRAPH_BLOCK ||
	    !es__graph_cell_fits(&step))
		return es__graph_log_more(log, &step);
	log->cells[log->cell_count++] = (uint64_t)step.kind |
	    (uint64_t)step.flags << ES__GRAPH_CELL_FLAGS |
	    (uint64_t)step.at << ES__GRAPH_CELL_AT |
	    (uint64_t)step.ns << ES__GRAPH_CELL_NS;
	log->step_count++;
	return PATHS_OK;
}

/* Adds a step.  PATHS_OK; PATHS_EIO. */
static inline paths_status
es__graph_add(struct es__graph *graph, struct es__graph_step step)
{
	graph->count++;
	return es__graph_log_add(&graph->log, step);
}

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
	uint64_t at;	  /* byte of the log; backward: that behind a block */
	uint64_t next;	  /* step; backward: that behind it */
	uint64_t dropped; /* bytes before it take no memory; backward: from it
			     on */
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
