/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/meet.c - collects, for each collective of a graph, which members
 * have entered and left it
 */

#include "scopes/graph/meet_private.h"

#include "libpaths/log.h"

/* If members wait for at least this many others, the posts of these are joined
   in one slot that all members share. */
#define MEETING_JOIN 3u

static bool
meeting_used(const void *item)
{
	return ((const struct es__graph_meeting *)item)->used;
}

static uint64_t
meeting_hash(const void *item)
{
	return (((const struct es__graph_meeting *)item)->first *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
meeting_equal(const void *a, const void *b)
{
	const struct es__graph_meeting *one = a, *other = b;

	return one->first == other->first && one->number == other->number;
}

static const struct paths__hash_kind meeting_kind = {
	.bytes = sizeof(struct es__graph_meeting),
	.used = meeting_used,
	.hash = meeting_hash,
	.equal = meeting_equal,
};

void
es__graph_meetings_fini(struct es__graph_meetings *meetings)
{
	free(meetings->meetings.slots);
}

/* Returns the meeting of a part, and makes it if there is none; NULL: no
   memory. */
static struct es__graph_meeting *
meeting_of(struct es__graph_meetings *m, uint32_t part,
    const struct es_mpi_trace_collective **collective)
{
	const struct es_mpi_trace_collective *c =
	    es_mpi_trace_collective_of(m->trace, part);
	struct es__graph_meeting meeting = { .first = c->first,
		.number = c->number,
		.used = true };

	*collective = c;
	return paths__hash_put(&m->meetings, &meeting_kind, &meeting);
}

/* Returns the meeting of a collective; NULL: there is none.  A collective in
   which no member waits, such as a Bcast with one member, has none. */
static struct es__graph_meeting *
meeting_find(const struct es__graph_meetings *m,
    const struct es_mpi_trace_collective *c)
{
	struct es__graph_meeting meeting = { .first = c->first,
		.number = c->number };

	return paths__hash_find(&m->meetings, &meeting_kind, &meeting);
}

/* Sets the rule and root of a collective that all members have begun, and
   counts the members that have left.  Members that only send may leave before
   others begin. */
static void
meeting_complete(struct es__graph_meetings *m,
    struct es__graph_meeting *meeting, const struct es_mpi_trace_collective *c)
{
	struct es__mpi_dependence d = es__mpi_dependence(m->trace, c);

	meeting->whole = true;
	meeting->rule = (uint8_t)d.rule;
	meeting->root = d.root;
	meeting->joined[0] = meeting->joined[1] = PATHS_NONE;
	for (uint32_t n = 0; n < d.comm->count; n++) {
		const struct es__graph_post *post =
		    es__graph_post_find(m->posts, d.parts[n].begin, false);

		meeting->left += post != NULL && post->left;
	}
}

/* Returns the dependence of a collective whose meeting is whole. */
static struct es__mpi_dependence
meeting_dependence(const struct es__graph_meetings *m,
    const struct es__graph_meeting *meeting,
    const struct es_mpi_trace_collective *c)
{
	return (struct es__mpi_dependence){ .trace = m->trace,
		.collective = c,
		.comm = &m->trace->input.comms[c->comm],
		.parts = es_mpi_trace_parts(m->trace, c),
		.rule = meeting->rule,
		.root = meeting->root };
}

static bool
meetings_have_entered(const struct es__graph_meetings *m,
    struct es_mpi_at begin)
{
	return begin.n < m->entered[begin.ring];
}

/* Returns the begin of a member that `member` waits for and that has not
   entered; ES__MPI_NOWHERE: there is none.  The meeting is whole. */
static struct es_mpi_at
meeting_missing(struct es__graph_meetings *m, struct es__graph_meeting *meeting,
    const struct es_mpi_trace_collective *c, uint32_t member)
{
	struct es__mpi_dependence d = meeting_dependence(m, meeting, c);
	struct es__mpi_dependence_walk walk;
	uint32_t other;

	if (meeting->rule == ES__MPI_DEPENDS_ALL) {
		/* All members wait for the same ones, so the search goes on at
		   the last result. */
		for (; meeting->entered < d.comm->count; meeting->entered++)
			if (!meetings_have_entered(m,
				d.parts[meeting->entered].begin))
				return d.parts[meeting->entered].begin;
		return ES__MPI_NOWHERE;
	}
	walk = es__mpi_dependence_walk(&d, member);
	while (es__mpi_dependence_next(&walk, &other))
		if (!meetings_have_entered(m, d.parts[other].begin))
			return d.parts[other].begin;
	return ES__MPI_NOWHERE;
}

paths_status
es__graph_meeting_missing(struct es__graph_meetings *m, uint32_t part,
    struct es_mpi_at *missing)
{
	const struct es_mpi_trace_collective *c;
	struct es__graph_meeting *meeting = meeting_of(m, part, &c);
	const struct es_mpi_part_taken *parts = es_mpi_trace_parts(m->trace, c);
	uint32_t count = m->trace->input.comms[c->comm].count;

	if (meeting == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	while (meeting->come < count &&
	    !es__mpi_at_none(parts[meeting->come].begin))
		meeting->come++;
	if (meeting->come < count) {
		*missing = (struct es_mpi_at){ ES__MPI_LATER, 0 };
		return PATHS_OK;
	}
	if (!meeting->whole)
		meeting_complete(m, meeting, c);
	*missing = meeting_missing(m, meeting, c, part - (uint32_t)c->first);
	return PATHS_OK;
}

/* Joins the posts of members from `first` on in a slot. */
static paths_status
meeting_join(struct es__graph_meetings *m,
    const struct es__mpi_dependence *dependence, struct es__mpi_awaited awaited,
    uint32_t *joined)
{
	struct es__graph_posts *posts = m->posts;
	uint32_t group = 2 * dependence->collective->comm + (awaited.first > 0);
	bool first = true;
	paths_status st = PATHS_OK;

	*joined = es__graph_slot_take(posts);
	if (*joined == PATHS_NONE)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	posts->slot_ns[*joined] = INT64_MIN;
	for (uint32_t n = awaited.first;
	     st == PATHS_OK && n < awaited.first + awaited.count; n++) {
		const struct es__graph_post *post = es__graph_post_find(posts,
		    dependence->parts[n].begin, false);

		if (post == NULL)
			continue;
		if (posts->slot_ns[post->slot] > posts->slot_ns[*joined])
			posts->slot_ns[*joined] = posts->slot_ns[post->slot];
		st = es__graph_add(posts->graph,
		    (struct es__graph_step){ .kind = ES__GRAPH_JOIN,
			.flags = first ? ES__GRAPH_NEW : 0,
			.thread = group,
			.at = *joined,
			.ns = post->slot });
		first = false;
	}
	return st;
}

paths_status
es__graph_meeting_walk(struct es__graph_meetings *m, uint32_t part,
    struct es__graph_meeting_walk *walk)
{
	const struct es_mpi_trace_collective *c =
	    es_mpi_trace_collective_of(m->trace, part);
	struct es__graph_meeting *meeting = meeting_find(m, c);
	uint32_t member = part - (uint32_t)c->first, *joined;

	*walk = (struct es__graph_meeting_walk){ .meetings = m,
		.joined = PATHS_NONE };
	if (meeting == NULL || !meeting->whole)
		return PATHS_OK;
	walk->dependence = meeting_dependence(m, meeting, c);
	walk->walk = es__mpi_dependence_walk(&walk->dependence, member);
	if (walk->walk.awaited.count < MEETING_JOIN ||
	    walk->walk.awaited.set != NULL || walk->walk.awaited.senders ||
	    meeting->rule == ES__MPI_DEPENDS_LOWER)
		return PATHS_OK;
	joined = &meeting->joined[walk->walk.awaited.first > 0];
	if (*joined == PATHS_NONE) {
		paths_status st = meeting_join(m, &walk->dependence,
		    walk->walk.awaited, joined);

		if (st != PATHS_OK)
			return st;
	}
	walk->joined = *joined;
	return PATHS_OK;
}

bool
es__graph_meeting_next(struct es__graph_meeting_walk *walk, uint32_t *slot)
{
	const struct es__graph_post *post;
	uint32_t other;

	if (walk->joined != PATHS_NONE) {
		*slot = walk->joined;
		walk->joined = PATHS_NONE;
		walk->walk.awaited.count = 0;
		return true;
	}
	if (walk->walk.dependence == NULL ||
	    !es__mpi_dependence_next(&walk->walk, &other))
		return false;
	post = es__graph_post_find(walk->meetings->posts,
	    walk->dependence.parts[other].begin, false);
	*slot = post == NULL ? PATHS_NONE : post->slot;
	return true;
}

void
es__graph_meeting_leave(struct es__graph_meetings *m, uint32_t part,
    struct es_mpi_at at)
{
	const struct es_mpi_trace_collective *c =
	    es_mpi_trace_collective_of(m->trace, part);
	struct es__graph_meeting *meeting = meeting_find(m, c);
	const struct es_mpi_part_taken *parts = es_mpi_trace_parts(m->trace, c);
	uint32_t count = m->trace->input.comms[c->comm].count;

	if (meeting == NULL || !meeting->whole) {
		struct es__graph_post *post =
		    es__graph_post_find(m->posts, at, false);

		if (post != NULL)
			post->left = true;
		return;
	}
	if (++meeting->left < count)
		return;
	for (uint32_t n = 0; n < 2; n++)
		if (meeting->joined[n] != PATHS_NONE)
			es__graph_slot_give(m->posts, meeting->joined[n]);
	paths__hash_drop(&m->meetings, &meeting_kind, meeting);
	for (uint32_t n = 0; n < count; n++)
		es__graph_post_drop(m->posts, parts[n].begin, false);
}
