/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_moves_private.h - divides an operation on a path into
 * moves, which its thread makes one after the other
 */

#ifndef SCOPES_GRAPH_PATH_MOVES_PRIVATE_H
#define SCOPES_GRAPH_PATH_MOVES_PRIVATE_H

#include "scopes/graph/path_tree_private.h"

enum es__path_move_kind {
	ES__PATH_SPEND, /* spends time at a stage; at: stage */
	/* Posts the arrival at a join; at: slot of the collector in its
	   tree. */
	ES__PATH_ARRIVE,
	ES__PATH_MEET,	  /* waits at a join; at: its number in the plan */
	ES__PATH_ELEMENT, /* waits at the element */
	ES__PATH_DONE	  /* posts that the operation on the element is done */
};

struct es__path_move {
	enum es__path_move_kind kind;
	uint32_t at;
	uint32_t stage; /* stage at which the thread is */
	/* SPEND: end of the time; MEET and ELEMENT: measured end of the
	   wait. */
	int64_t ns;
};

struct es__path_moves {
	struct es__path_move *list;
	size_t count, room;
};

/* Makes the moves of an operation of a path, by its number in the tree.
   PATHS_OK; PATHS_ENOMEM. */
paths_status es__path_moves_make(struct es__path_moves *moves,
    const struct es__path_tree *tree, uint32_t path,
    const struct es__path_op *op) PATHS_CHECKED;

/* Makes the moves of an operation that is not divided.  As
   es__path_moves_make. */
paths_status es__path_moves_whole(struct es__path_moves *moves, uint32_t stage,
    int64_t stop_ns) PATHS_CHECKED;

#endif
