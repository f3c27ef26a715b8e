/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_posts_private.h - posts the writes and reads of elements
 * that other operations wait for
 */

#ifndef SCOPES_GRAPH_PATH_POSTS_PRIVATE_H
#define SCOPES_GRAPH_PATH_POSTS_PRIVATE_H

#include "scopes/graph/posts_private.h"
#include "scopes/path/waits_work_private.h"

/* An operation that has been posted. */
struct es__path_post {
	uint64_t key; /* of the operation; 0: no post */
	uint32_t slot;
	uint32_t uses; /* number of operations that will still wait for it */
};

struct es__path_posts {
	struct es__graph_posts slots; /* its table of posts is not used */
	struct paths__hash posts;
};

void es__path_posts_fini(struct es__path_posts *posts);

/*
 * es__path_post - add a step POST of a thread, with a new slot
 *
 * thread	of the graph
 * ns		its time
 * slot		out
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 */
paths_status es__path_post(struct es__path_posts *posts, uint32_t thread,
    int64_t ns, uint32_t *slot) PATHS_CHECKED;

/* Posts an operation on an element that `uses` others wait for.  As
   es__path_post. */
paths_status es__path_post_operation(struct es__path_posts *posts,
    struct es__waits_operation operation, uint32_t uses, uint32_t thread,
    int64_t ns) PATHS_CHECKED;

/* Returns the post of an operation; NULL: there is none.  It moves when posts
   are added or dropped. */
struct es__path_post *es__path_post_find(const struct es__path_posts *posts,
    struct es__waits_operation operation);

/* Notes that an operation has waited for a post.  Drops the post after its last
   use. */
void es__path_post_use(struct es__path_posts *posts,
    struct es__path_post *post);

/* Drops the posts of the operations *from to `end` - 1 of a collector, and sets
   *from to `end`. */
void es__path_posts_expire(struct es__path_posts *posts, uint32_t collector,
    uint64_t *from, uint64_t end);

#endif
