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
#include "libpaths/map.h"

struct es__graph_post {
	uint32_t slot; /* PATHS_NONE: there is no post; or a value below */
	bool left;     /* the member of a collective has left */
	bool marked;   /* while posts are swept */
};

/* In place of a slot: it is not posted yet, and need not be. */
#define ES__GRAPH_NEEDLESS (PATHS_NONE - 1)

/* The posts of tuples of a ring that are in the window. */
struct es__graph_posts_near {
	struct es__graph_post *list; /* of each tuple two: the post of a send
					or member, and that of a receive */
	uint32_t first;		     /* tuple */
	uint32_t count;		     /* of tuples */
	size_t room;
};

struct es__graph_posts {
	struct es__graph *graph;
	struct es__graph_posts_near *near; /* of each ring */
	uint32_t ring_count;
	struct paths__hash far; /* posts of tuples before those */
	int64_t *slot_ns;	/* measured time of each slot */
	uint32_t *unused;	/* slots */
	size_t slot_room, unused_room, unused_count;
};

/* Returns the key of one of two posts of a tuple, which is not 0. */
static inline uint64_t
es__graph_post_key(struct es_mpi_at at, bool second)
{
	return ((uint64_t)at.ring + 1) << 33 | (uint64_t)at.n << 1 | second;
}

/* Makes an empty set.  PATHS_OK; PATHS_ENOMEM.  The caller calls
   es__graph_posts_fini, also on failure. */
paths_status es__graph_posts_init(struct es__graph_posts *posts,
    struct es__graph *graph, uint32_t rings) PATHS_CHECKED;
void es__graph_posts_fini(struct es__graph_posts *posts);

/* Makes room for the posts of tuples of a ring before `end`.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__graph_posts_reserve(struct es__graph_posts *posts,
    uint32_t ring, uint32_t end) PATHS_CHECKED;

/* Returns a slot that is not in use; PATHS_NONE: no memory. */
uint32_t es__graph_slot_take(struct es__graph_posts *posts);
void es__graph_slot_give(struct es__graph_posts *posts, uint32_t slot);

/* Adds a step POST, with a slot of its own.  PATHS_OK; PATHS_ENOMEM;
   PATHS_EIO. */
paths_status es__graph_post_slot(struct es__graph_posts *posts, uint32_t ring,
    int64_t ns, uint32_t *slot) PATHS_CHECKED;

/* Adds a post and its step.  receives: it is a receive.  PATHS_OK;
   PATHS_ENOMEM; PATHS_EIO. */
paths_status es__graph_post(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives, int64_t ns) PATHS_CHECKED;

/* Notes that nothing waits for a receive in the window that has not begun. */
void es__graph_post_needless(struct es__graph_posts *posts,
    struct es_mpi_at at);

/* As es__graph_post_find, for a tuple before those in the window. */
struct es__graph_post *es__graph_post_far(const struct es__graph_posts *posts,
    struct es_mpi_at at, bool receives);

/* Returns a post; NULL: there is none.  It moves when posts are added or
   dropped. */
static inline struct es__graph_post *
es__graph_post_find(const struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives)
{
	const struct es__graph_posts_near *near = &posts->near[at.ring];
	struct es__graph_post *post;

	if (at.n < near->first)
		return es__graph_post_far(posts, at, receives);
	if (at.n - near->first >= near->count)
		return NULL;
	post = &near->list[2 * (size_t)(at.n - near->first) + receives];
	return post->slot != PATHS_NONE ? post : NULL;
}

/* Drops a post, if there is one, and gives its slot back. */
void es__graph_post_drop(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives);

/*
 * es__graph_posts_sweep - drop posts that nothing can wait for any more
 *
 * Those that a call of a later window may wait for stay: sends and receives
 * that are not matched or have not ended, collectives that have not ended, and
 * what calls that were kept wait for.
 *
 * The posts of calls that were left are no longer near.
 *
 * trace	at the end of a window, before calls are kept for the next one
 * left		of each ring: tuples of the calls that it has left
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_posts_sweep(struct es__graph_posts *posts,
    const struct es_mpi_trace *trace, const uint32_t *left) PATHS_CHECKED;

#endif
