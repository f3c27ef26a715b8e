/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/posts_private.h - keeps the slots of a graph, and the posts of
 * sends, receives and collectives that use them
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
	uint32_t slot; /* PATHS_NONE: there is no post; or ES__GRAPH_NEEDLESS */
	bool left;     /* the member of a collective has left */
	bool marked;   /* used by es__graph_posts_sweep: the post is kept */
};

/* In place of a slot: it is not posted yet, and need not be. */
#define ES__GRAPH_NEEDLESS (PATHS_NONE - 1)

/* The posts of tuples of a ring that are in the window. */
struct es__graph_posts_near {
	/* Two for each tuple: first the post of a send or member, then the post
	   of a receive. */
	struct es__graph_post *list;
	uint32_t first; /* tuple */
	uint32_t count; /* number of tuples */
	size_t room;
};

struct es__graph_posts {
	struct es__graph *graph;
	struct es__graph_posts_near *near; /* of each ring */
	uint32_t ring_count;
	struct paths__hash far; /* posts of tuples before `near` */
	int64_t *slot_ns;	/* measured time of each slot */
	uint32_t *unused;	/* numbers of the slots that are not in use */
	size_t slot_room, unused_room, unused_count;
};

/* Returns the key of the first or second post of a tuple.  A key is never 0. */
static inline uint64_t
es__graph_post_key(struct es_mpi_at at, bool second)
{
	return ((uint64_t)at.ring + 1) << 33 | (uint64_t)at.n << 1 | second;
}

/* Makes an empty set of posts.  PATHS_OK; PATHS_ENOMEM.  The caller calls
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

/* Adds a step POST with a new slot.  PATHS_OK; PATHS_ENOMEM; PATHS_EIO. */
paths_status es__graph_post_slot(struct es__graph_posts *posts, uint32_t ring,
    int64_t ns, uint32_t *slot) PATHS_CHECKED;

/* Adds the post of a tuple, and its step POST.  receives: of its receive, else
   of its send or member.  PATHS_OK; PATHS_ENOMEM; PATHS_EIO. */
paths_status es__graph_post(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives, int64_t ns) PATHS_CHECKED;

/* Notes that no call waits for a receive in the window that has not begun. */
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
 * Keeps the posts that a call of a later window may wait for: sends and
 * receives that are not matched or have not ended, collectives that have not
 * ended, and posts that a kept call waits for.
 *
 * Moves the kept posts of calls that were left from `near` to `far`.
 *
 * trace	at the end of a window, before calls are kept for the next one
 * left		of each ring: number of tuples of the calls that it has left
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_posts_sweep(struct es__graph_posts *posts,
    const struct es_mpi_trace *trace, const uint32_t *left) PATHS_CHECKED;

#endif
