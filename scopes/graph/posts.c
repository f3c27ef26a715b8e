/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/posts.c - the slots of a graph, and what is posted in them
 */

#include "scopes/graph/posts_private.h"

#include "scopes/match/gather_private.h"
#include "scopes/match/match_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

static bool
post_used(const void *item)
{
	return ((const struct es__graph_post *)item)->key != 0;
}

static uint64_t
post_hash(const void *item)
{
	return (((const struct es__graph_post *)item)->key *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
post_equal(const void *a, const void *b)
{
	return ((const struct es__graph_post *)a)->key ==
	    ((const struct es__graph_post *)b)->key;
}

static const struct paths__hash_kind post_kind = {
	.bytes = sizeof(struct es__graph_post),
	.used = post_used,
	.hash = post_hash,
	.equal = post_equal,
};

static uint64_t
post_key(struct es_mpi_at at, bool receives)
{
	return ((uint64_t)at.ring + 1) << 33 | (uint64_t)at.n << 1 | receives;
}

void
es__graph_posts_fini(struct es__graph_posts *posts)
{
	free(posts->posts.slots);
	free(posts->slot_ns);
	free(posts->unused);
}

uint32_t
es__graph_slot_take(struct es__graph_posts *posts)
{
	struct es__graph *g = posts->graph;

	if (posts->unused_count > 0)
		return posts->unused[--posts->unused_count];
	if (!paths__array_grow(&posts->slot_ns, g->slot_count,
		&posts->slot_room, sizeof(*posts->slot_ns)) ||
	    !paths__array_reserve(&posts->unused, (size_t)g->slot_count + 1,
		&posts->unused_room, sizeof(*posts->unused)))
		return PATHS_NONE;
	return g->slot_count++;
}

void
es__graph_slot_give(struct es__graph_posts *posts, uint32_t slot)
{
	posts->unused[posts->unused_count++] = slot;
}

paths_status
es__graph_post(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives, int64_t ns)
{
	struct es__graph_post new = { .key = post_key(at, receives),
		.slot = PATHS_NONE };
	size_t before = posts->posts.count;
	struct es__graph_post *post =
	    paths__hash_put(&posts->posts, &post_kind, &new);

	if (post == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	if (posts->posts.count == before) {
		paths__hash_drop(&posts->posts, &post_kind, post);
		return PATHS_OK;
	}
	post->slot = es__graph_slot_take(posts);
	if (post->slot == PATHS_NONE)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	posts->slot_ns[post->slot] = ns;
	return es__graph_add(posts->graph,
	    (struct es__graph_step){ .kind = ES__GRAPH_POST,
		.thread = at.ring,
		.at = post->slot });
}

paths_status
es__graph_post_needless(struct es__graph_posts *posts, struct es_mpi_at at)
{
	struct es__graph_post post = { .key = post_key(at, true),
		.slot = PATHS_NONE };

	return paths__hash_put(&posts->posts, &post_kind, &post) != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

struct es__graph_post *
es__graph_post_find(const struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives)
{
	struct es__graph_post post = { .key = post_key(at, receives) };

	return paths__hash_find(&posts->posts, &post_kind, &post);
}

void
es__graph_post_drop(struct es__graph_posts *posts, struct es__graph_post *post)
{
	if (post == NULL)
		return;
	if (post->slot != PATHS_NONE)
		es__graph_slot_give(posts, post->slot);
	paths__hash_drop(&posts->posts, &post_kind, post);
}

/* ---- sweeping */

static void
sweep_mark(void *to, struct es_mpi_at at, bool receives)
{
	struct es__graph_post *post;

	if (es__mpi_at_none(at))
		return;
	post = es__graph_post_find(to, at, receives);
	if (post != NULL)
		post->marked = true;
}

/* Marks what the calls of a ring that it has not left wait for. */
static void
sweep_mark_links(struct es__graph_posts *posts,
    const struct es_mpi_trace *trace, uint32_t ring, uint32_t left)
{
	struct es_mpi_at at = { ring, trace->link_first[ring] };
	uint32_t end = at.n + (uint32_t)trace->link_count[ring];

	for (at.n = left > at.n ? left : at.n; at.n < end; at.n++) {
		const struct es_mpi_trace_link *link = es__mpi_link(trace, at);

		if (es__mpi_at_known(link->received))
			sweep_mark(posts,
			    es__mpi_message_sent(trace, link->received), false);
		if (es__mpi_at_known(link->sent))
			sweep_mark(posts, link->sent, true);
	}
}

void
es__graph_posts_sweep(struct es__graph_posts *posts,
    const struct es_mpi_trace *trace, const uint32_t *left)
{
	struct es__graph_post *all = posts->posts.slots;
	size_t room = posts->posts.room;

	es__mpi_match_posts(trace, sweep_mark, posts);
	es__mpi_gather_begins(trace, sweep_mark, posts);
	for (uint32_t r = 0; r < trace->input.ring_count; r++)
		sweep_mark_links(posts, trace, r, left[r]);
	/* A drop moves posts behind it to its place. */
	for (size_t n = 0; n < room; n++)
		while (all[n].key != 0 && !all[n].marked &&
		    all[n].slot != PATHS_NONE)
			es__graph_post_drop(posts, &all[n]);
	for (size_t n = 0; n < room; n++)
		all[n].marked = false;
}
