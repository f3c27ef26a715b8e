/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_posts.c - posts the writes and reads of elements that other
 * operations wait for
 */

#include "scopes/graph/path_posts_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

static bool
post_used(const void *item)
{
	return ((const struct es__path_post *)item)->key != 0;
}

static uint64_t
post_hash(const void *item)
{
	return (((const struct es__path_post *)item)->key *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
post_equal(const void *a, const void *b)
{
	return ((const struct es__path_post *)a)->key ==
	    ((const struct es__path_post *)b)->key;
}

static const struct paths__hash_kind post_kind = {
	.bytes = sizeof(struct es__path_post),
	.used = post_used,
	.hash = post_hash,
	.equal = post_equal,
};

static uint64_t
post_key(struct es__waits_operation operation)
{
	return ((uint64_t)operation.collector + 1) << 40 | operation.at;
}

void
es__path_posts_fini(struct es__path_posts *posts)
{
	es__graph_posts_fini(&posts->slots);
	free(posts->posts.slots);
}

paths_status
es__path_post(struct es__path_posts *posts, uint32_t thread, int64_t ns,
    uint32_t *slot)
{
	*slot = es__graph_slot_take(&posts->slots);
	if (*slot == PATHS_NONE)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	posts->slots.slot_ns[*slot] = ns;
	return es__graph_add(posts->slots.graph,
	    (struct es__graph_step){ .kind = ES__GRAPH_POST,
		.thread = thread,
		.at = *slot });
}

paths_status
es__path_post_operation(struct es__path_posts *posts,
    struct es__waits_operation operation, uint32_t uses, uint32_t thread,
    int64_t ns)
{
	struct es__path_post post = { .key = post_key(operation),
		.uses = uses };
	paths_status st = es__path_post(posts, thread, ns, &post.slot);

	if (st != PATHS_OK)
		return st;
	return paths__hash_put(&posts->posts, &post_kind, &post) != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

struct es__path_post *
es__path_post_find(const struct es__path_posts *posts,
    struct es__waits_operation operation)
{
	struct es__path_post post = { .key = post_key(operation) };

	return paths__hash_find(&posts->posts, &post_kind, &post);
}

static void
post_drop(struct es__path_posts *posts, struct es__path_post *post)
{
	es__graph_slot_give(&posts->slots, post->slot);
	paths__hash_drop(&posts->posts, &post_kind, post);
}

void
es__path_post_use(struct es__path_posts *posts, struct es__path_post *post)
{
	if (--post->uses == 0)
		post_drop(posts, post);
}

void
es__path_posts_expire(struct es__path_posts *posts, uint32_t collector,
    uint64_t *from, uint64_t end)
{
	for (; *from < end; ++*from) {
		struct es__path_post *post = es__path_post_find(posts,
		    (struct es__waits_operation){ collector, *from });

		if (post != NULL)
			post_drop(posts, post);
	}
}
