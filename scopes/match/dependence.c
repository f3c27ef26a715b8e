/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/dependence.c - tells which other members a member of a
 * collective waits for
 */

#include "scopes/match/dependence_private.h"

#include "scopes/match/peer_private.h"

static const struct es_tuple_mpi *
dependence_tuple(const struct es__mpi_dependence *d, uint32_t member)
{
	return es_mpi_trace_tuple(&d->trace->input, d->parts[member].begin);
}

static bool
dependence_came(const struct es__mpi_dependence *d, uint32_t member)
{
	return !es__mpi_at_none(d->parts[member].begin);
}

static const struct es_mpi_trace_rank *
dependence_rank(const struct es__mpi_dependence *d, uint32_t member)
{
	return &d->trace->input.ranks[d->comm->members[member]];
}

static const struct es_mpi_rank_set *
dependence_set(const struct es__mpi_dependence *d, uint32_t member)
{
	const struct es_mpi_rank_set *set =
	    es_mpi_trace_set(dependence_rank(d, member),
		dependence_tuple(d, member)->peer);

	return set != NULL && set->kind == ES_MPI_RANKS_SOURCES ? set : NULL;
}

/* Properties of the members that have begun a collective. */
struct dependence_members {
	/* A member names the set of ranks that it receives from. */
	bool any_set;
	bool all_sets; /* all members name such a set */
	/* A member passes bytes or has a set that is not empty. */
	bool any_bytes;
};

static struct dependence_members
dependence_members(const struct es__mpi_dependence *d)
{
	struct dependence_members members = { .all_sets = true };

	for (uint32_t n = 0; n < d->comm->count; n++) {
		const struct es_mpi_rank_set *set;

		if (!dependence_came(d, n))
			continue;
		set = dependence_set(d, n);
		members.any_set |= set != NULL;
		members.all_sets &= set != NULL;
		members.any_bytes |= (set != NULL && set->runs > 0) ||
		    dependence_tuple(d, n)->bytes > 0;
	}
	return members;
}

uint32_t
es__mpi_dependence_given_root(const struct es__mpi_dependence *d,
    uint32_t member)
{
	return es__mpi_peer(dependence_rank(d, member),
	    dependence_tuple(d, member));
}

/* Finds the member that is the root; false: it is not known. */
static bool
dependence_find_root(struct es__mpi_dependence *d)
{
	uint32_t rank = PATHS_NONE;

	for (uint32_t n = 0; rank == PATHS_NONE && n < d->comm->count; n++)
		if (dependence_came(d, n))
			rank = es__mpi_dependence_given_root(d, n);
	for (d->root = 0; d->root < d->comm->count; d->root++)
		if (d->comm->members[d->root] == rank)
			return true;
	return false;
}

static bool
dependence_is_whole(const struct es__mpi_dependence *d)
{
	for (uint32_t n = 0; n < d->comm->count; n++)
		if (!dependence_came(d, n))
			return false;
	return true;
}

/* Returns true if no member left before the last member began. */
static bool
dependence_are_together(const struct es__mpi_dependence *d)
{
	int64_t last_begin = INT64_MIN, first_exit = INT64_MAX;

	for (uint32_t n = 0; n < d->comm->count; n++) {
		const struct es_timebase *base = &dependence_rank(d, n)->base;
		struct es_mpi_at end = d->parts[n].end;
		int64_t ns = es_time_ns(base, dependence_tuple(d, n)->start);

		last_begin = ns > last_begin ? ns : last_begin;
		if (es__mpi_at_none(end))
			continue;
		ns = es_time_ns(base,
		    es_mpi_trace_tuple(&d->trace->input, end)->stop);
		first_exit = ns < first_exit ? ns : first_exit;
	}
	return first_exit >= last_begin;
}

/* Finds the rule of a collective in which all members exchange data with all.
   If no member passes bytes, as in calls on files, MPI lets members leave
   before the last one has begun. */
static int
dependence_exchange(struct es__mpi_dependence *d, bool some)
{
	struct dependence_members members = dependence_members(d);

	d->open = members.any_set && !members.any_bytes && !d->whole;
	if (d->whole && !members.any_bytes && (!some || members.all_sets) &&
	    dependence_are_together(d)) {
		d->empty = true;
		return ES__MPI_DEPENDS_ALL;
	}
	if (members.any_set)
		return ES__MPI_DEPENDS_SOURCES;
	return d->whole && !some && members.any_bytes ? ES__MPI_DEPENDS_ALL :
							ES__MPI_DEPENDS_NOBODY;
}

static int
dependence_rule(struct es__mpi_dependence *d)
{
	const struct es__mpi_kind *kind =
	    es__mpi_kind(d->trace, d->collective->function);

	if (d->collective->kind == ES_MPI_TRACE_WINDOW)
		return d->whole && dependence_are_together(d) ?
		    ES__MPI_DEPENDS_ALL :
		    ES__MPI_DEPENDS_NOBODY;
	switch (kind->role) {
	case ES_MPI_ROLE_BARRIER:
	case ES_MPI_ROLE_INIT:
	case ES_MPI_ROLE_FINALIZE:
		return ES__MPI_DEPENDS_ALL;
	case ES_MPI_ROLE_N_TO_N:
		return dependence_exchange(d, kind->some);
	case ES_MPI_ROLE_NEIGHBOR:
		return ES__MPI_DEPENDS_SOURCES;
	case ES_MPI_ROLE_FILE:
		return d->whole && dependence_are_together(d) ?
		    ES__MPI_DEPENDS_ALL :
		    ES__MPI_DEPENDS_NOBODY;
	case ES_MPI_ROLE_ONE_TO_N:
		return dependence_find_root(d) ? ES__MPI_DEPENDS_ROOT :
						 ES__MPI_DEPENDS_NOBODY;
	case ES_MPI_ROLE_N_TO_ONE:
		return dependence_find_root(d) ? ES__MPI_DEPENDS_SENDERS :
						 ES__MPI_DEPENDS_NOBODY;
	case ES_MPI_ROLE_SCAN:
		return ES__MPI_DEPENDS_LOWER;
	default:
		return ES__MPI_DEPENDS_NOBODY;
	}
}

struct es__mpi_dependence
es__mpi_dependence(const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *collective)
{
	struct es__mpi_dependence d = { .trace = trace,
		.collective = collective,
		.comm = &trace->input.comms[collective->comm],
		.parts = es_mpi_trace_parts(trace, collective) };

	d.whole = dependence_is_whole(&d);
	d.rule = dependence_rule(&d);
	return d;
}

/* Returns the group that a member exchanges data with: in an intercommunicator,
   the other group. */
static struct es__mpi_awaited
dependence_others(const struct es__mpi_dependence *d, uint32_t member)
{
	uint32_t first = d->comm->first, count = d->comm->count;

	if (first == count || member >= first)
		return (struct es__mpi_awaited){ .first = 0, .count = first };
	return (
	    struct es__mpi_awaited){ .first = first, .count = count - first };
}

/* Returns true if a set has all members of an intracommunicator. */
static bool
dependence_set_is_all(const struct es__mpi_dependence *d,
    const struct es_mpi_rank_set *set)
{
	const struct es_mpi_ranks *run = (const struct es_mpi_ranks *)(set + 1);

	return set->runs == 1 && run->first == 0 && run->stride == 1 &&
	    run->count == d->comm->count && d->comm->first == d->comm->count;
}

/* Returns the members that send to a member.  A member whose set was not
   recorded waits for nobody. */
static struct es__mpi_awaited
dependence_sources(const struct es__mpi_dependence *d, uint32_t member)
{
	const struct es_mpi_rank_set *set = dependence_set(d, member);
	struct es__mpi_awaited awaited = dependence_others(d, member);

	if (set == NULL || set->runs == 0)
		return (struct es__mpi_awaited){ .count = 0 };
	if (!dependence_set_is_all(d, set))
		awaited.set = set;
	return awaited;
}

struct es__mpi_awaited
es__mpi_dependence_member(const struct es__mpi_dependence *d, uint32_t member)
{
	struct es__mpi_awaited nobody = { .count = 0 };

	if (!dependence_came(d, member))
		return nobody;
	switch (d->rule) {
	case ES__MPI_DEPENDS_ALL:
		return dependence_others(d, member);
	case ES__MPI_DEPENDS_SOURCES:
		return dependence_sources(d, member);
	case ES__MPI_DEPENDS_ROOT:
		if (member == d->root ||
		    dependence_tuple(d, member)->bytes == 0)
			return nobody;
		return (struct es__mpi_awaited){ .first = d->root, .count = 1 };
	case ES__MPI_DEPENDS_SENDERS:
		if (member != d->root)
			return nobody;
		return (struct es__mpi_awaited){ .count = d->comm->count,
			.senders = true };
	case ES__MPI_DEPENDS_LOWER:
		return (struct es__mpi_awaited){ .count = member + 1 };
	default:
		return nobody;
	}
}

bool
es__mpi_dependence_none(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	uint32_t number = trace->input.rings[at.ring].rank;
	const struct es_mpi_trace_rank *rank = &trace->input.ranks[number];
	const struct es_tuple_mpi *t = es_mpi_trace_tuple(&trace->input, at);
	uint8_t role = es__mpi_kind(trace, t->op)->role;
	bool root;

	if ((uint32_t)t->peer >= rank->peer_count)
		return false;
	root = rank->peers[t->peer] == number;
	return role == ES_MPI_ROLE_ONE_TO_N ? root :
	    role == ES_MPI_ROLE_N_TO_ONE    ? !root :
					      false;
}

struct es__mpi_dependence_walk
es__mpi_dependence_walk(const struct es__mpi_dependence *d, uint32_t member)
{
	struct es__mpi_dependence_walk walk = { .dependence = d,
		.awaited = es__mpi_dependence_member(d, member),
		.member = member };

	/* A member of an intracommunicator waits for itself, too. */
	walk.self =
	    walk.awaited.set != NULL && d->comm->first == d->comm->count;
	return walk;
}

/* Returns the next rank of a set.  A damaged set may have any ranks. */
static bool
walk_set(struct es__mpi_dependence_walk *walk, uint32_t *other)
{
	const struct es_mpi_rank_set *set = walk->awaited.set;
	const struct es_mpi_ranks *runs =
	    (const struct es_mpi_ranks *)(set + 1);

	for (; walk->run < set->runs; walk->run++, walk->n = 0) {
		const struct es_mpi_ranks *run = &runs[walk->run];
		int64_t rank = run->first + (int64_t)run->stride * walk->n;

		if (walk->n == run->count || rank < 0 ||
		    rank >= walk->awaited.count ||
		    (walk->n > 0 && run->stride == 0))
			continue;
		walk->n++;
		*other = walk->awaited.first + (uint32_t)rank;
		return true;
	}
	if (!walk->self)
		return false;
	walk->self = false;
	*other = walk->member;
	return true;
}

bool
es__mpi_dependence_next(struct es__mpi_dependence_walk *walk, uint32_t *other)
{
	if (walk->awaited.set != NULL)
		return walk_set(walk, other);
	while (walk->n < walk->awaited.count) {
		uint32_t n = walk->awaited.first + walk->n++;

		if (walk->awaited.senders &&
		    (n == walk->dependence->root ||
			dependence_tuple(walk->dependence, n)->bytes == 0))
			continue;
		*other = n;
		return true;
	}
	return false;
}
