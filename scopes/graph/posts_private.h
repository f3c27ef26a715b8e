/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/posts_private.h - the slots of a graph, and what is posted in
 * them
 *
 * A post is the begin of a send, a receive, or a member's call of a collective,
 * that others may wait for.  It has a slot until no other call can wait for it.
 */

#ifndef SCOPES_GRAPH_POSTS_PRIVATE_H
#define SCOPES_GRAPH_POSTS_PRIVATE_H

#include "scopes/graph/graph_private.h"
#include "scopes/mpi_trace.h"

#include "libpaths/base/hash.h"

struct es__graph_post {
	uint64_t key;  /* place and side; 0: none */
	uint32_t slot; /* PATHS_NONE: it is not posted yet, and need not be */
	bool left;     /* the member of a collective has left */
	bool marked;   /* while posts are swept */
};

struct es__graph_posts {
	struct es__graph *graph;
	struct paths__hash posts;
	int64_t *slot_ns; /* measured time of each slot */
	uint32_t *unused; /* slots */
	size_t slot_room, unused_room, unused_count;
};

void es__graph_posts_fini(struct es__graph_posts *posts);

/* Returns a slot that is not in use; PATHS_NONE: no memory. */
uint32_t es__graph_slot_take(struct es__graph_posts *posts);
void es__graph_slot_give(struct es__graph_posts *posts, uint32_t slot);

/* Adds a post and its step.  receives: it is a receive.  PATHS_OK;
   PATHS_ENOMEM; PATHS_EIO. */
paths_status es__graph_post(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives, int64_t ns) PATHS_CHECKED;

/* Notes that nothing waits for a receive that has not begun.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__graph_post_needless(struct es__graph_posts *posts,
    struct es_mpi_at at) PATHS_CHECKED;

/* Returns a post; NULL: there is none.  It moves when posts are added or
   dropped. */
struct es__graph_post *es__graph_post_find(const struct es__graph_posts *posts,
    struct es_mpi_at at, bool receives);

/* Drops a post, and gives its slot back.  post NULL: nothing happens. */
void es__graph_post_drop(struct es__graph_posts *posts,
    struct es__graph_post *post);

/*
 * es__graph_posts_sweep - drop posts that nothing can wait for any more
 *
 * Those that a call of a later window may wait for stay: sends and receives
 * that are not matched or have not ended, collectives that have not ended, and
 * what calls that were kept wait for.
 *
 * trace	at the end of a window, before calls are kept for the next one
 * left		of each ring: tuples of the calls that it has left
 */
void es__graph_posts_sweep(struct es__graph_posts *posts,
    const struct es_mpi_trace *trace, const uint32_t *left);

#endif
