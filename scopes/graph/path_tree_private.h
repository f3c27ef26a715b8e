/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_tree_private.h - keeps the operations of a tree of paths
 * until all its threads have ended them
 *
 * scopes/path/waits_work.c finds the times of an operation at all collectors of
 * its tree, and the operations that it waits for.  These are kept until each
 * thread with a path through the tree has made its steps of them.
 */

#ifndef SCOPES_GRAPH_PATH_TREE_PRIVATE_H
#define SCOPES_GRAPH_PATH_TREE_PRIVATE_H

#include "scopes/graph/path_release_private.h"
#include "scopes/graph/posts_private.h"
#include "scopes/path/waits_work_private.h"

/* An operation at a join. */
struct es__path_meet {
	int64_t last_ns; /* time of the last arrival */
	/* Number of arrivals that are posted, and of those that will be. */
	uint32_t posted, missing;
	bool partial;	 /* some arrivals are never posted */
	uint32_t joined; /* slot of the last arrival; PATHS_NONE: not made */
};

struct es__path_op {
	uint64_t seq;
	uint32_t left; /* number of paths whose threads have not ended it */
	uint16_t kind; /* enum paths_kind */
	uint32_t bytes;
	/* At each collector of the tree: times of the operation; number in the
	   tree of the path whose thread posts it (carriers); slot of the graph
	   in which it was posted, PATHS_NONE: not yet (posted). */
	struct es__waits_moment *moments;
	uint32_t *carriers, *posted;
	struct es__path_meet *meets; /* one for each join of the plan */
	/* At the element: the operation itself, the operations that it waits
	   for, and the time at which it lets others go on
	   (path_release_private.h). */
	struct es__waits_operation self;
	struct es__waits_on on;
	struct es__waits_operation *list; /* room for on.list */
	int64_t done_ns;
};

/* A collector of a tree. */
struct es__path_lane {
	/* Join of the plan below the collector; PATHS_NONE: none. */
	uint32_t join;
	/* Nearest join of the plan above it; PATHS_NONE: none. */
	uint32_t above;
	uint32_t path; /* first path of the tree that it is on; PATHS_NONE:
			   operations come from a buffer or a tee */
};

/* A path of a tree. */
struct es__path_track {
	/* Number of its next operation; UINT64_MAX: there is none. */
	uint64_t next;
	bool unknown; /* it passes a join whose inputs are not all known */
};

struct es__path_tree {
	const struct es_analysis *a;
	const struct es__stage_tree *tree;
	struct es__waits_plan plan;
	/* NULL: the operations of the tree are not known. */
	struct waits_worker *worker;
	struct es__path_release release;
	struct es__path_lane *lanes;
	struct es__path_track *tracks;
	uint32_t head_count; /* number of paths with records */
	/* Posts of operations before this number were dropped. */
	uint64_t expired;
	struct es__path_op **ops; /* the oldest first, in order of numbers */
	size_t op_count, op_room;
	struct es__path_op **spare;
	size_t spare_count, spare_room;
};

/*
 * es__path_tree_open - prepare to go through the operations of a tree
 *
 * number	of the tree in the stage graph
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__path_tree_close, also on failure
 */
paths_status es__path_tree_open(struct es__path_tree *tree,
    const struct es_analysis *a, uint32_t number) PATHS_CHECKED;
void es__path_tree_close(struct es__path_tree *tree);

/*
 * es__path_tree_take - find an operation
 *
 * seq		for each path not below that of its last call
 * op		out: NULL when a collector of the tree does not retain it
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__path_tree_take(struct es__path_tree *tree, uint64_t seq,
    struct es__path_op **op) PATHS_CHECKED;

/* Notes that one more thread has ended an operation.  The last one gives the
   slots back that were posted for it. */
void es__path_tree_leave(struct es__path_tree *tree, struct es__path_op *op,
    struct es__graph_posts *slots);

/* Notes that the next operation of a path is the n-th of its first
   collector. */
void es__path_tree_go_on(struct es__path_tree *tree, uint32_t path, uint64_t n);

/* Returns whether all threads of the tree have ended operation `seq`. */
bool es__path_tree_has_ended(const struct es__path_tree *tree, uint64_t seq);

#endif
