/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/stage_graph_private.h - the stage graph: how the chains,
 * collectors and joins of a map are connected
 *
 * Chains that meet in a join continue as one chain, the join's tail.  So the
 * chains of a map form trees.  The root of a tree ends in an element, in a
 * stage that ends chains, or in a buffer, below which operations run on their
 * own.  All collectors of a tree see the same operations under the
 * same sequence numbers, so views work tree by tree.
 *
 * Only collectors that hold tuples of the type "path" count; others are treated
 * as absent.
 */

#ifndef SCOPES_RUN_STAGE_GRAPH_PRIVATE_H
#define SCOPES_RUN_STAGE_GRAPH_PRIVATE_H

#include "scopes/run.h"

/* The stages below a collector, down to the next collector or the end. */
struct es__segment {
	uint32_t below;	  /* collector; PATHS_NONE: the end */
	uint32_t stage;	  /* to which the time is assigned: the first join; else
			     the first stage; else the collector's own */
	uint32_t stages;  /* number of stages; 0: two collectors in a row */
	uint32_t join;	  /* the first join crossed, or PATHS_NONE */
	uint32_t element; /* at the end, or PATHS_NONE */
	uint32_t tree;	  /* PATHS_NONE: the collector does not count */
	uint32_t slot;	  /* of the collector, in the list of the tree */
};

struct es__join_input {
	uint32_t chain;	    /* it enters the join */
	uint32_t collector; /* the last on it that counts, or PATHS_NONE */
	uint32_t silent;    /* the last on it that does not, or PATHS_NONE */
	uint32_t stages;    /* between the collector and the join */
};

/* A join and the chains that enter it, in the order of its inputs. */
struct es__join {
	uint32_t stage;
	uint32_t tree;
	uint32_t input_count;
	struct es__join_input *inputs;
	uint32_t slot; /* in the list of the tree */
	bool observed; /* each input has a collector */
};

/* A path and its first collectors. */
struct es__track {
	uint32_t path;
	uint32_t tree;
	uint32_t head;	/* the first collector that counts, or PATHS_NONE */
	uint32_t times; /* the first with tuples of operations or MPI calls */
	uint32_t slot;	/* in the list of the tree */
};

struct es__list {
	uint32_t *ids;
	uint32_t count;
};

struct es__stage_tree {
	uint32_t root; /* chain */
	uint32_t last; /* collector just above its element, or PATHS_NONE */
	struct es__list collectors;
	struct es__list joins;	/* of es__stage_graph, lower ones last */
	struct es__list tracks; /* of es__stage_graph */
};

struct es__stage_graph {
	struct es__segment *segments; /* of each collector */
	uint32_t *chain_tree;	      /* of each chain */
	struct es__join *joins;	      /* those with most joins below first */
	uint32_t join_count;
	uint32_t *join_of;	  /* join of each instance, or PATHS_NONE */
	struct es__track *tracks; /* of each path */
	struct es__stage_tree *trees;
	uint32_t tree_count;
	struct es__join_input *inputs; /* memory of the joins */
	struct es__list *users; /* of each element: trees that end there */
	struct es__list *heads; /* of each thread: the `times` of its paths */
	uint32_t *lists[5];	/* memory of all lists */
};

/*
 * es__stage_graph_init - make the stage graph of a run
 *
 * counts	of each collector: true if it counts
 * times	of each collector: true if it records when its thread
 *		communicates
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__stage_graph_fini, also on failure
 */
paths_status es__stage_graph_init(struct es__stage_graph *graph,
    const struct es_run *run, const bool *counts, const bool *times)
    PATHS_CHECKED;
void es__stage_graph_fini(struct es__stage_graph *graph);

#endif
