/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside_private.h - finds the operations on paths that have not
 * returned, and the threads that they wait for
 *
 * An operation waits
 *
 *	at a join	for all threads that pass the join and have not begun
 *			the operation with its number, or are on their way to it
 *	in a read	for any thread that writes to the element, unless more
 *			tuples were written than it has read
 *	in a write	to a full element: for the threads whose reads are
 *			furthest behind, or with -take one for any reader
 *
 * An operation on its way back waits for nothing.
 *
 * A thread is blocked if it has done nothing since its last operation under way
 * began.  A thread that has done something since then does not wait for its
 * operation.
 */

#ifndef SCOPES_PATH_INSIDE_PRIVATE_H
#define SCOPES_PATH_INSIDE_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/path/wait_for_unreachable_private.h"

/* An operation under way. */
struct es__inside_op {
	uint32_t thread, path;
	uint32_t collector; /* collector that recorded the operation */
	uint32_t stage;	    /* stage that the operation has reached */
	uint32_t element;   /* PATHS_NONE: none */
	uint16_t op;	    /* enum paths_kind */
	uint64_t seq;
	int64_t since_ns;
	/* Time since its begin until now, or until its process ended; -1: not
	   known. */
	int64_t inside_ns;
	bool blocks; /* its thread is blocked */
	/* Waits for all, or for any, of its arcs. */
	enum es__wait_for_mode mode;
	size_t first; /* first of its arcs in the graph */
	uint32_t count;
};

/* A thread that is in no operation. */
struct es__outside_thread {
	uint32_t thread;
	uint32_t collector; /* that recorded its last operation; PATHS_NONE: it
				has not begun one */
	uint16_t op;	    /* enum paths_kind */
	int64_t left_ns;    /* end of that operation */
	int64_t outside_ns; /* as inside_ns */
};

/* The progress of a path. */
struct es__inside_progress {
	bool known; /* a collector would have recorded its operations */
	bool inside;
	/* Number of operations that have begun, and that are done. */
	uint64_t begun, done;
	/* Set of bits 1 << enum paths_kind: its kinds of operations; 0: not
	   known. */
	uint64_t kinds;
};

struct es__inside_paths {
	struct es__inside_progress *progress; /* of each path */
	struct es__inside_op *ops;	      /* in order of threads */
	size_t op_count, op_room;
	struct es__outside_thread *outside;
	size_t outside_count, outside_room;
	/* The wait-for graph, without nodes; its ranks are threads. */
	struct es__wait_for_arc *arcs;
	size_t arc_count, arc_room;
	uint32_t *targets;
	size_t target_count, target_room;
};

/*
 * es__inside_paths_read - find the operations under way
 *
 * Operations of live processes that have returned since the run was opened are
 * left out, with their threads.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__inside_paths_fini, also on failure
 */
paths_status es__inside_paths_read(struct es_analysis *a,
    struct es__inside_paths *inside) PATHS_CHECKED;
void es__inside_paths_fini(struct es__inside_paths *inside);

#endif
