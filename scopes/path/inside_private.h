/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside_private.h - operations on paths that have not returned,
 * and the threads that they wait for
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
 * A thread is blocked when it has done nothing since its last operation under
 * way began.  Others are in operations that they do not wait for.
 */

#ifndef SCOPES_PATH_INSIDE_PRIVATE_H
#define SCOPES_PATH_INSIDE_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/path/wait_for_unreachable_private.h"

/* An operation under way. */
struct es__inside_op {
	uint32_t thread, path;
	uint32_t collector; /* it recorded the operation */
	uint32_t stage;	    /* that the operation has reached */
	uint32_t element;   /* PATHS_NONE: none */
	uint16_t op;	    /* enum paths_kind */
	uint64_t seq;
	int64_t since_ns;
	int64_t inside_ns; /* until now, or until its process ended; -1: not
			      known */
	bool blocks;	   /* its thread has done nothing else since */
	enum es__wait_for_mode mode; /* for which of its culprits it waits */
	size_t first;		     /* arc in the graph */
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
	uint64_t begun, done; /* numbers of operations, from 0 */
	uint64_t kinds;	      /* set of bits 1 << enum paths_kind, of what it
				 does; 0: not known */
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
