/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_part.c - finds the wait states of the members of a
 * collective
 */

#include "scopes/mpi/waits_part_private.h"

#include "scopes/match/dependence_private.h"
#include "scopes/mpi/wait_pattern_private.h"
#include "scopes/mpi/waits_rma_private.h"

/* A collective, and the parts of its members. */
struct collective_parts {
	const struct es_mpi_trace_input *input;
	const struct es__mpi_doubts *doubts;
	const struct es__mpi_delays *delays; /* NULL: there are none */
	const struct es_mpi_trace_comm *comm;
	const struct es_mpi_part_taken *taken;
	const struct es__mpi_dependence *dependence;
	struct es__mpi_waits_part *parts;
};

/* Earliest and latest times of some of the members. */
struct extremes {
	int64_t last_begin, first_exit, first_begin;
	uint32_t last, first; /* members */
	/* The same without lost cores. */
	int64_t last_remain, first_remain;
	uint32_t last_slow, first_slow; /* members */
	int64_t doubt;			/* largest error bound of their times */
	/* Clock of the member that was added first. */
	uint32_t clock;
	bool any, mixed; /* the members have several clocks */
};

static const struct extremes no_members = { .last_begin = INT64_MIN,
	.last_remain = INT64_MIN,
	.first_exit = INT64_MAX,
	.first_begin = INT64_MAX,
	.first_remain = INT64_MAX };

/* An arrival that a member waits for. */
struct arrival {
	int64_t ns, remain_ns; /* as measured, and without lost cores */
	/* Members that arrive at ns, and at remain_ns. */
	uint32_t culprit, slow;
};

static const struct es_timebase *
member_base(const struct collective_parts *g, uint32_t member)
{
	return &g->input->ranks[g->comm->members[member]].base;
}

static const struct es_tuple_mpi *
member_tuple(const struct collective_parts *g, uint32_t member)
{
	return es_mpi_trace_tuple(g->input, g->taken[member].begin);
}

static int64_t
member_begin(const struct collective_parts *g, uint32_t member)
{
	return es_time_ns(member_base(g, member),
	    member_tuple(g, member)->start);
}

/* Returns the begin of a member as if no core had been lost. */
static int64_t
member_remain(const struct collective_parts *g, uint32_t member)
{
	return member_begin(g, member) -
	    es__mpi_delay(g->delays, g->taken[member].begin);
}

static bool
member_came(const struct collective_parts *g, uint32_t member)
{
	return !es__mpi_at_none(g->taken[member].begin);
}

static bool
member_ended(const struct collective_parts *g, uint32_t member)
{
	return !es__mpi_at_none(g->taken[member].end);
}

/* Returns the enter of the call that ends the collective for a member. */
static int64_t
member_enter(const struct collective_parts *g, uint32_t member)
{
	return es_time_ns(member_base(g, member),
	    es_mpi_trace_tuple(g->input, g->taken[member].end)->start);
}

static int64_t
member_exit(const struct collective_parts *g, uint32_t member)
{
	if (!member_ended(g, member))
		return INT64_MAX;
	return es_time_ns(member_base(g, member),
	    es_mpi_trace_tuple(g->input, g->taken[member].end)->stop);
}

static bool
member_blocks(const struct collective_parts *g, uint32_t member)
{
	struct es_mpi_part_taken taken = g->taken[member];

	return taken.begin.ring == taken.end.ring &&
	    taken.begin.n == taken.end.n;
}

static uint32_t
member_clock(const struct collective_parts *g, uint32_t member)
{
	return es__mpi_doubts_clock(g->doubts, g->comm->members[member]);
}

/* Adds the error bound of a member, which counts only if there are several
   clocks. */
static void
extremes_doubt(const struct collective_parts *g, struct extremes *extremes,
    uint32_t member, int64_t begin)
{
	uint32_t clock = member_clock(g, member);

	if (!extremes->any)
		extremes->clock = clock;
	extremes->any = true;
	extremes->mixed |= clock != extremes->clock;
	if (g->doubts->domains != NULL)
		extremes->doubt = es__doubt_most(extremes->doubt,
		    es__clock_doubt(g->doubts->a, clock, begin));
}

/* Returns the largest error of the difference of a time of a member and one of
   the extremes. */
static int64_t
member_doubt(const struct collective_parts *g, uint32_t member,
    const struct extremes *extremes)
{
	uint32_t clock = member_clock(g, member);

	if (!extremes->mixed && clock == extremes->clock)
		return 0;
	return es__doubt_sum(extremes->doubt,
	    es__clock_doubt(g->doubts->a, clock, member_begin(g, member)));
}

static void
extremes_add(const struct collective_parts *g, struct extremes *extremes,
    uint32_t member)
{
	int64_t begin = member_begin(g, member), end = member_exit(g, member);
	int64_t remain = member_remain(g, member);

	if (remain > extremes->last_remain) {
		extremes->last_remain = remain;
		extremes->last_slow = member;
	}
	if (remain < extremes->first_remain) {
		extremes->first_remain = remain;
		extremes->first_slow = member;
	}
	if (begin > extremes->last_begin) {
		extremes->last_begin = begin;
		extremes->last = member;
	}
	if (begin < extremes->first_begin) {
		extremes->first_begin = begin;
		extremes->first = member;
	}
	if (end < extremes->first_exit)
		extremes->first_exit = end;
	extremes_doubt(g, extremes, member, begin);
}

static struct arrival
extremes_last(const struct extremes *extremes)
{
	return (struct arrival){ extremes->last_begin, extremes->last_remain,
		extremes->last, extremes->last_slow };
}

static struct arrival
extremes_first(const struct extremes *extremes)
{
	return (struct arrival){ extremes->first_begin, extremes->first_remain,
		extremes->first, extremes->first_slow };
}

/* Sets the arrival before which a member cannot leave. */
static void
member_set_until(const struct collective_parts *g, uint32_t member,
    const struct arrival *arrival)
{
	g->parts[member].until_ns = arrival->ns;
	g->parts[member].until_remain_ns = arrival->remain_ns;
}

/* Sets the wait of a member for an arrival, or until the exit of the member if
   that is earlier. */
static void
member_set_wait(const struct collective_parts *g, uint32_t member,
    const struct arrival *arrival, enum es__wait_pattern pattern)
{
	struct es__mpi_waits_part *part = &g->parts[member];
	int64_t enter = member_enter(g, member), end = member_exit(g, member);
	int64_t until = arrival->ns < end ? arrival->ns : end;
	int64_t remain_ns = arrival->remain_ns - enter +
	    es__mpi_delay(g->delays, g->taken[member].end);

	if (until <= enter)
		return;
	part->wait_ns = until - enter;
	if (g->delays != NULL)
		part->lost_ns = es__mpi_delay_part(part->wait_ns, remain_ns);
	part->culprit =
	    g->taken[part->lost_ns < part->wait_ns ? arrival->slow :
						     arrival->culprit]
		.begin.ring;
	part->pattern = (uint8_t)pattern;
}

static void
member_set_completion(const struct collective_parts *g, uint32_t member,
    const struct extremes *extremes, enum es__wait_pattern pattern)
{
	int64_t from = extremes->first_exit > extremes->last_begin ?
	    extremes->first_exit :
	    extremes->last_begin;
	int64_t end = member_exit(g, member);

	if (!member_blocks(g, member) || end <= from)
		return;
	g->parts[member].completion_ns = end - from;
	g->parts[member].completion_doubt = member_doubt(g, member, extremes);
	g->parts[member].completion = (uint8_t)pattern;
}

/* Sets the waits of members that wait for the last one.  patterns: pattern of
   the wait, and of the completion; NONE: there is no such wait */
static void
members_wait(const struct collective_parts *g, uint32_t begin, uint32_t end,
    const struct extremes *extremes, const enum es__wait_pattern patterns[2])
{
	struct arrival last = extremes_last(extremes);

	for (uint32_t n = begin; n < end; n++) {
		if (!member_ended(g, n))
			continue;
		member_set_until(g, n, &last);
		if (patterns[0] != ES__WAIT_NONE) {
			member_set_wait(g, n, &last, patterns[0]);
			g->parts[n].wait_doubt = member_doubt(g, n, extremes);
			g->parts[n].violation =
			    extremes->last_begin > member_exit(g, n);
		}
		if (patterns[1] != ES__WAIT_NONE)
			member_set_completion(g, n, extremes, patterns[1]);
	}
}

static struct extremes
extremes_of(const struct collective_parts *g, uint32_t begin, uint32_t end)
{
	struct extremes extremes = no_members;

	for (uint32_t n = begin; n < end; n++)
		extremes_add(g, &extremes, n);
	return extremes;
}

/* Each member waits for the last one; in an intercommunicator, for the last one
   of the other group. */
static void
all_wait(const struct collective_parts *g, enum es__wait_pattern wait,
    enum es__wait_pattern completion)
{
	enum es__wait_pattern patterns[2] = { wait, completion };
	uint32_t count = g->comm->count, first = g->comm->first;
	struct extremes one = extremes_of(g, 0, first), other;

	if (first == count) {
		members_wait(g, 0, count, &one, patterns);
		return;
	}
	other = extremes_of(g, first, count);
	members_wait(g, 0, first, &other, patterns);
	members_wait(g, first, count, &one, patterns);
}

/* Finds the extremes of the members that a member waits for; false: one of them
   has not begun. */
static bool
extremes_awaited(const struct collective_parts *g, uint32_t member,
    struct extremes *extremes)
{
	struct es__mpi_dependence_walk walk =
	    es__mpi_dependence_walk(g->dependence, member);
	uint32_t other;

	*extremes = no_members;
	while (es__mpi_dependence_next(&walk, &other)) {
		if (!member_came(g, other))
			return false;
		extremes_add(g, extremes, other);
	}
	return true;
}

/* Each member waits for the last of those that send bytes to it. */
static void
receivers_wait(const struct collective_parts *g, enum es__wait_pattern wait,
    enum es__wait_pattern completion)
{
	enum es__wait_pattern patterns[2] = { wait, completion };
	uint32_t count = g->comm->count;
	struct extremes all = no_members;

	for (uint32_t n = 0; n < count; n++) {
		struct es__mpi_awaited awaited =
		    es__mpi_dependence_member(g->dependence, n);
		bool every = awaited.set == NULL && awaited.count == count;
		struct extremes sources;

		if (!member_came(g, n) || (every && !g->dependence->whole) ||
		    g->dependence->open)
			continue;
		/* Computed once for all members whose set has all ranks, as is
		   usual in an Alltoallv. */
		if (every && !all.any)
			all = extremes_of(g, 0, count);
		if (every)
			sources = all;
		else if (!extremes_awaited(g, n, &sources))
			continue;
		g->parts[n].decided = true;
		if (sources.any)
			members_wait(g, n, n + 1, &sources, patterns);
	}
}

static void
others_wait(const struct collective_parts *g)
{
	uint32_t root = g->dependence->root;
	struct extremes only = no_members;
	struct arrival arrival;

	if (!member_came(g, root))
		return;
	extremes_add(g, &only, root);
	arrival = extremes_last(&only);
	for (uint32_t n = 0; n < g->comm->count; n++) {
		g->parts[n].decided = true;
		if (es__mpi_dependence_member(g->dependence, n).count == 0 ||
		    !member_ended(g, n))
			continue;
		member_set_until(g, n, &arrival);
		member_set_wait(g, n, &arrival, ES__WAIT_LATE_BROADCAST);
		g->parts[n].wait_doubt = member_doubt(g, n, &only);
		g->parts[n].violation = arrival.ns > member_exit(g, n);
	}
}

/* Prolongs the wait of a root for the first other member to the last one. */
static void
root_waits_on(const struct collective_parts *g, const struct arrival *last)
{
	struct es__mpi_waits_part *part = &g->parts[g->dependence->root];
	struct es__mpi_waits_part early = *part;

	member_set_wait(g, g->dependence->root, last, ES__WAIT_REDUCE);
	if (part->wait_ns == early.wait_ns) {
		part->culprit = early.culprit;
		part->pattern = early.pattern;
		return;
	}
	part->early_ns = early.wait_ns;
	part->early_culprit = early.culprit;
	part->early = early.pattern;
}

/* The root waits for the members that send bytes: for the first one, and then
   for the rest. */
static void
root_waits(const struct collective_parts *g)
{
	uint32_t root = g->dependence->root;
	struct es__mpi_waits_part *part = &g->parts[root];
	struct extremes senders;
	struct arrival first, last;

	for (uint32_t n = 0; n < g->comm->count; n++)
		g->parts[n].decided = n != root;
	if (!g->dependence->whole || !member_ended(g, root) ||
	    !extremes_awaited(g, root, &senders) || !senders.any)
		return;
	first = extremes_first(&senders);
	last = extremes_last(&senders);
	member_set_until(g, root, &last);
	member_set_wait(g, root, &first, ES__WAIT_EARLY_REDUCE);
	root_waits_on(g, &last);
	part->wait_doubt = part->early_doubt = member_doubt(g, root, &senders);
	part->violation = senders.last_begin > member_exit(g, root);
}

static void
each_waits(const struct collective_parts *g)
{
	struct extremes lower = no_members;

	for (uint32_t n = 0; n < g->comm->count; n++) {
		struct arrival last;

		if (!member_came(g, n))
			break;
		extremes_add(g, &lower, n);
		g->parts[n].decided = true;
		if (!member_ended(g, n))
			continue;
		last = extremes_last(&lower);
		member_set_until(g, n, &last);
		member_set_wait(g, n, &last, ES__WAIT_EARLY_SCAN);
		g->parts[n].wait_doubt = member_doubt(g, n, &lower);
		g->parts[n].violation = lower.last_begin > member_exit(g, n);
	}
}

/* Sets the waits of a collective in which all members wait for all. */
static void
together_wait(const struct collective_parts *g, enum es_mpi_role role)
{
	switch (role) {
	case ES_MPI_ROLE_BARRIER:
		all_wait(g, ES__WAIT_BARRIER, ES__WAIT_BARRIER_COMPLETION);
		break;
	case ES_MPI_ROLE_FILE:
		all_wait(g, ES__WAIT_FILE, ES__WAIT_FILE_COMPLETION);
		break;
	case ES_MPI_ROLE_INIT:
		all_wait(g, ES__WAIT_NONE, ES__WAIT_INIT_COMPLETION);
		break;
	case ES_MPI_ROLE_FINALIZE:
		all_wait(g, ES__WAIT_FINALIZE, ES__WAIT_NONE);
		break;
	default:
		all_wait(g,
		    g->dependence->empty ? ES__WAIT_N_TO_N_EMPTY :
					   ES__WAIT_N_TO_N,
		    ES__WAIT_N_TO_N_COMPLETION);
		break;
	}
}

/* Finds the members that gave another root. */
static void
roots_compare(const struct collective_parts *g)
{
	for (uint32_t n = 0; n < g->comm->count; n++) {
		uint32_t root = es__mpi_dependence_given_root(g->dependence, n);

		g->parts[n].other_root = root != PATHS_NONE &&
		    root != g->comm->members[g->dependence->root];
	}
}

/* Finds the waits that are known of those members that have begun. */
static void
parts_wait(const struct collective_parts *g, enum es_mpi_role role)
{
	switch (g->dependence->rule) {
	case ES__MPI_DEPENDS_ALL:
		if (g->dependence->whole)
			together_wait(g, role);
		break;
	case ES__MPI_DEPENDS_SOURCES:
		if (role == ES_MPI_ROLE_NEIGHBOR)
			receivers_wait(g, ES__WAIT_NEIGHBOUR,
			    ES__WAIT_NEIGHBOUR_COMPLETION);
		else
			receivers_wait(g, ES__WAIT_N_TO_N,
			    ES__WAIT_N_TO_N_COMPLETION);
		break;
	case ES__MPI_DEPENDS_ROOT:
		others_wait(g);
		break;
	case ES__MPI_DEPENDS_SENDERS:
		root_waits(g);
		break;
	case ES__MPI_DEPENDS_LOWER:
		each_waits(g);
		break;
	default:
		break;
	}
}

void
es__mpi_waits_part_fill(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__mpi_delays *delays,
    const struct es_mpi_trace_collective *collective,
    struct es__mpi_waits_part *parts)
{
	struct es__mpi_dependence dependence =
	    es__mpi_dependence(trace, collective);
	struct collective_parts g = { .input = &trace->input,
		.doubts = doubts,
		.delays = delays,
		.comm = dependence.comm,
		.taken = dependence.parts,
		.dependence = &dependence,
		.parts = parts };

	for (uint32_t n = 0; n < g.comm->count; n++)
		parts[n] = (struct es__mpi_waits_part){ .culprit = PATHS_NONE,
			.until_ns = INT64_MIN,
			.until_remain_ns = INT64_MIN };
	if (collective->kind != ES_MPI_TRACE_WINDOW)
		parts_wait(&g, es__mpi_kind(trace, collective->function)->role);
	else if (dependence.whole)
		es__mpi_waits_rma_meet(trace, doubts, delays, collective,
		    parts);
	if (dependence.whole &&
	    (dependence.rule == ES__MPI_DEPENDS_ROOT ||
		dependence.rule == ES__MPI_DEPENDS_SENDERS))
		roots_compare(&g);
	/* A member that ends later may change with its end. */
	for (uint32_t n = 0; n < g.comm->count; n++)
		parts[n].decided = (parts[n].decided || dependence.whole) &&
		    member_ended(&g, n);
}
