/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/posts.c - keeps the slots of a graph, and the posts of sends,
 * receives and collectives that use them
 *
 * The posts of the current window are in arrays, by number of the tuple.  The
 * few posts that are needed after the window are in a hash table.
 */

#include "scopes/graph/posts_private.h"

#include "scopes/match/gather_private.h"
#include "scopes/match/match_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

struct far_post {
	uint64_t key; /* of es__graph_post_key; 0: no post */
	struct es__graph_post post;
};

static bool
far_used(const void *item)
{
	return ((const struct far_post *)item)->key != 0;
}

static uint64_t
far_hash(const void *item)
{
	return (((const struct far_post *)item)->key *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
far_equal(const void *a, const void *b)
{
	return ((const struct far_post *)a)->key ==
	    ((const struct far_post *)b)->key;
}

static const struct paths__hash_kind far_kind = {
	.bytes = sizeof(struct far_post),
	.used = far_used,
	.hash = far_hash,
	.equal = far_equal,
};

static struct far_post *
far_find(const struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives)
{
	struct far_post post = { .key = es__graph_post_key(at, receives) };

	return paths__hash_find(&posts->far, &far_kind, &post);
}

paths_status
es__graph_posts_init(struct es__graph_posts *posts, struct es__graph *graph,
    uint32_t rings)
{
	*posts = (struct es__graph_posts){ .graph = graph,
		.near = calloc((size_t)rings + 1, sizeof(*posts->near)),
		.ring_count = rings };
	return posts->near != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

void
es__graph_posts_fini(struct es__graph_posts *posts)
{
	for (uint32_t r = 0; posts->near != NULL && r < posts->ring_count; r++)
		free(posts->near[r].list);
	free(posts->near);
	free(posts->far.slots);
	free(posts->slot_ns);
	free(posts->unused);
}

paths_status
es__graph_posts_reserve(struct es__graph_posts *posts, uint32_t ring,
    uint32_t end)
{
	struct es__graph_posts_near *near = &posts->near[ring];
	size_t pair = 2 * sizeof(*near->list);
	uint32_t count = end > near->first ? end - near->first : 0;

	if (count <= near->count)
		return PATHS_OK;
	if (!paths__array_reserve(&near->list, count, &near->room, pair))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	/* Sets all slots to PATHS_NONE. */
	memset(near->list + 2 * (size_t)near->count, 0xff,
	    (count - near->count) * pair);
	near->count = count;
	return PATHS_OK;
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
es__graph_post_slot(struct es__graph_posts *posts, uint32_t ring, int64_t ns,
    uint32_t *slot)
{
	*slot = es__graph_slot_take(posts);
	if (*slot == PATHS_NONE)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	posts->slot_ns[*slot] = ns;
	return es__graph_add(posts->graph,
	    (struct es__graph_step){ .kind = ES__GRAPH_POST,
		.thread = ring,
		.at = *slot });
}

paths_status
es__graph_post(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives, int64_t ns)
{
	const struct es__graph_posts_near *near = &posts->near[at.ring];
	struct es__graph_post *post =
	    &near->list[2 * (size_t)(at.n - near->first) + receives];

	if (post->slot == ES__GRAPH_NEEDLESS) {
		post->slot = PATHS_NONE;
		return PATHS_OK;
	}
	*post = (struct es__graph_post){ .slot = PATHS_NONE };
	return es__graph_post_slot(posts, at.ring, ns, &post->slot);
}

void
es__graph_post_needless(struct es__graph_posts *posts, struct es_mpi_at at)
{
	const struct es__graph_posts_near *near = &posts->near[at.ring];

	near->list[2 * (size_t)(at.n - near->first) + 1] =
	    (struct es__graph_post){ .slot = ES__GRAPH_NEEDLESS };
}

struct es__graph_post *
es__graph_post_far(const struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives)
{
	struct far_post *found = far_find(posts, at, receives);

	return found != NULL ? &found->post : NULL;
}

static void
post_give(struct es__graph_posts *posts, const struct es__graph_post *post)
{
	if (post->slot < ES__GRAPH_NEEDLESS)
		es__graph_slot_give(posts, post->slot);
}

void
es__graph_post_drop(struct es__graph_posts *posts, struct es_mpi_at at,
    bool receives)
{
	struct es__graph_post *post = es__graph_post_find(posts, at, receives);

	if (post == NULL)
		return;
	post_give(posts, post);
	if (at.n < posts->near[at.ring].first)
		paths__hash_drop(&posts->far, &far_kind,
		    far_find(posts, at, receives));
	else
		post->slot = PATHS_NONE;
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

/* Marks the posts that calls of a ring wait for that it has not left. */
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

static void
sweep_far(struct es__graph_posts *posts)
{
	struct far_post *all = posts->far.slots;
	size_t room = posts->far.room;

	/* paths__hash drops an item by moving a later one to its place, which
	   must be looked at, too. */
	for (size_t n = 0; n < room; n++)
		while (all[n].key != 0 && !all[n].post.marked) {
			post_give(posts, &all[n].post);
			paths__hash_drop(&posts->far, &far_kind, &all[n]);
		}
	for (size_t n = 0; n < room; n++)
		all[n].post.marked = false;
}

/* Keeps a post of a call that was left, if it is marked. */
static paths_status
sweep_left(struct es__graph_posts *posts, struct es_mpi_at at, bool receives)
{
	struct es__graph_post *post = es__graph_post_find(posts, at, receives);
	struct far_post far;

	if (post == NULL)
		return PATHS_OK;
	if (!post->marked) {
		post_give(posts, post);
		return PATHS_OK;
	}
	far = (struct far_post){ es__graph_post_key(at, receives), *post };
	far.post.marked = false;
	return paths__hash_put(&posts->far, &far_kind, &far) != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

/* Removes the tuples of calls that a ring has left from its array. */
static paths_status
sweep_near(struct es__graph_posts *posts, uint32_t ring, uint32_t left)
{
	struct es__graph_posts_near *near = &posts->near[ring];
	struct es_mpi_at at = { ring, near->first };
	uint32_t dropped = left - near->first;
	paths_status st = PATHS_OK;

	if (near->count == 0)
		return PATHS_OK;
	for (; st == PATHS_OK && at.n < left; at.n++) {
		const struct es__graph_post *pair =
		    &near->list[2 * (size_t)(at.n - near->first)];

		if (pair[0].slot != PATHS_NONE)
			st = sweep_left(posts, at, false);
		if (st == PATHS_OK && pair[1].slot != PATHS_NONE)
			st = sweep_left(posts, at, true);
	}
	near->first = left;
	near->count -= dropped;
	memmove(near->list, near->list + 2 * (size_t)dropped,
	    2 * (size_t)near->count * sizeof(*near->list));
	for (size_t n = 0; n < 2 * (size_t)near->count; n++) {
		struct es__graph_post *post = &near->list[n];

		if (post->slot < ES__GRAPH_NEEDLESS && !post->marked) {
			post_give(posts, post);
			post->slot = PATHS_NONE;
		}
		post->marked = false;
	}
	return st;
}

paths_status
es__graph_posts_sweep(struct es__graph_posts *posts,
    const struct es_mpi_trace *trace, const uint32_t *left)
{
	paths_status st = PATHS_OK;

	es__mpi_match_posts(trace, sweep_mark, posts);
	es__mpi_gather_begins(trace, sweep_mark, posts);
	for (uint32_t r = 0; r < trace->input.ring_count; r++)
		sweep_mark_links(posts, trace, r, left[r]);
	sweep_far(posts);
	for (uint32_t r = 0; st == PATHS_OK && r < trace->input.ring_count; r++)
		st = sweep_near(posts, r, left[r]);
	return st;
}
