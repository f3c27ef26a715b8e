/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/call_nodes_private.h - makes trees of the call paths of MPI
 * calls, with the time and the waiting of each node
 *
 * A node of the tree from the top down is a function, called by that of its
 * parent at a place in the source; the leaves are MPI functions.  A node of the
 * tree from the bottom up is a caller of the function of its parent, at a place
 * in the source; the roots are MPI functions.
 */

#ifndef SCOPES_VIEWS_MPI_CALL_NODES_PRIVATE_H
#define SCOPES_VIEWS_MPI_CALL_NODES_PRIVATE_H

#include "scopes/mpi/call_sums_private.h"
#include "scopes/views/mpi/places_private.h"

struct es__call_node {
	uint32_t parent; /* index; PATHS_NONE: none */
	uint32_t depth;	 /* 0: a root */
	const char *function;
	const char *file; /* place of the call; NULL: not known, or none */
	int line;	  /* 0: not known, or none */
	bool mpi;	  /* it is an MPI function */
	uint64_t calls;	  /* of MPI, in all ranks */
	int64_t time_ns, wait_ns;
	uint32_t ranks;	    /* that have the calls */
	uint32_t most_rank; /* rank with the longest time */
	int64_t most_ns;    /* its time */
	/* The rank that is being added up: ranks come one after the other. */
	uint32_t rank;
	int64_t rank_ns;
};

/* All zeros at first. */
struct es__call_nodes {
	struct es__intern texts;
	struct es__call_node *list;
	size_t count, room;
	struct paths__hash table; /* indices, by the key of the node */
	int64_t time_ns;	  /* of all roots */
};

/*
 * es__call_nodes_make - make a tree of all call paths
 *
 * callers	true: from the bottom up
 * nodes	out: each behind its parent, nodes of one parent by time, the
 *		longest first
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	borrows the places until es__call_nodes_fini, which the caller
 *		calls, also on failure
 */
paths_status es__call_nodes_make(const struct es__call_sums *sums,
    const struct es__places *places, bool callers, struct es__call_nodes *nodes)
    PATHS_CHECKED;

void es__call_nodes_fini(struct es__call_nodes *nodes);

#endif
