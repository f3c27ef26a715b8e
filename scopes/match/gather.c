/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/gather.c - matches the calls of collectives
 *
 * Each member numbers its calls, in order.  The calls of all members with the
 * same number and function are a collective.  Numbers wrap around at 2^32, so
 * calls are ordered by their distance from a number that is 2^31 away from one
 * of them.
 */

#include "scopes/match/gather_private.h"

#include "scopes/run/array_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* The calls of a member on one stream, a circular list. */
struct member {
	const struct es__mpi_entry *entries; /* by number */
	size_t count;
	size_t at;
	size_t left; /* from `at` on */
};

struct gather {
	struct es_mpi_trace *trace;
	uint32_t stream, plan;
	const struct es_mpi_trace_comm *comm;
	struct member *members; /* room for the largest communicator */
	uint32_t zero;		/* number that distances count from */
};

static const struct es__mpi_entry *
member_entry(const struct member *m)
{
	return &m->entries[m->at];
}

/* Returns the distance of the current call of a member. */
static uint32_t
member_distance(const struct gather *g, const struct member *m)
{
	return member_entry(m)->number - g->zero;
}

static void
member_next(struct member *m)
{
	m->at = m->at + 1 < m->count ? m->at + 1 : 0;
	m->left--;
}

/* Returns the index of the first entry that is not before a plan of a
   stream. */
static size_t
entries_find(const struct es__mpi_entries *entries, uint32_t stream,
    uint64_t plan)
{
	size_t low = 0, high = entries->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct es__mpi_entry *e = &entries->list[middle];

		if (e->stream < stream ||
		    (e->stream == stream && e->plan < plan))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds the calls of all members; false: a member has none on this stream
   with this plan. */
static bool
gather_members(struct gather *g)
{
	struct es_mpi_trace *trace = g->trace;

	for (uint32_t n = 0; n < g->comm->count; n++) {
		const struct es__mpi_entries *e;
		size_t begin, end;

		if (g->comm->members[n] == PATHS_NONE)
			return false;
		e = &trace->scans[g->comm->members[n]].entries;
		begin = entries_find(e, g->stream, g->plan);
		end = entries_find(e, g->stream, g->plan + UINT64_C(1));
		if (begin == end)
			return false;
		g->members[n] = (struct member){ .entries = &e->list[begin],
			.count = end - begin };
	}
	return true;
}

/* Moves all members to their call with the smallest distance. */
static void
gather_begin(struct gather *g)
{
	g->zero = g->members[0].entries->number + (UINT32_MAX / 2 + 1);
	for (uint32_t n = 0; n < g->comm->count; n++) {
		struct member *m = &g->members[n];

		m->left = m->count;
		m->at =
		    es__array_find(m->entries, m->count, sizeof(*m->entries),
			offsetof(struct es__mpi_entry, number), g->zero);
		if (m->at == m->count)
			m->at = 0;
	}
}

/* Skips calls before a distance; false: there are no more. */
static bool
member_seek(const struct gather *g, struct member *m, uint32_t distance)
{
	while (m->left > 0 && member_distance(g, m) < distance)
		member_next(m);
	return m->left > 0;
}

/* Moves all members to the next number that they have in common; false: there
   is none. */
static bool
gather_align(struct gather *g)
{
	uint32_t distance = 0, agreed = 0;

	for (uint32_t n = 0; agreed < g->comm->count;
	     n = (n + 1) % g->comm->count) {
		struct member *m = &g->members[n];

		if (!member_seek(g, m, distance))
			return false;
		agreed = member_distance(g, m) == distance ? agreed + 1 : 1;
		distance = member_distance(g, m);
	}
	return true;
}

static bool
gather_same_function(const struct gather *g)
{
	for (uint32_t n = 1; n < g->comm->count; n++)
		if (member_entry(&g->members[n])->function !=
		    member_entry(&g->members[0])->function)
			return false;
	return true;
}

/* Makes room for one more collective with its parts. */
static paths_status
trace_grow(struct es_mpi_trace *t, uint32_t parts)
{
	if (!paths__array_grow(&t->collectives, t->collective_count,
		&t->collective_room, sizeof(*t->collectives)))
		return PATHS_ENOMEM;
	if (t->part_count + parts >= PATHS_NONE)
		return paths_log_fail(PATHS_EFULL,
		    "over 2^32 calls of collectives");
	if (!paths__array_reserve(&t->parts, t->part_count + parts,
		&t->part_room, sizeof(*t->parts)))
		return PATHS_ENOMEM;
	return PATHS_OK;
}

static paths_status
gather_add(struct gather *g)
{
	struct es_mpi_trace *t = g->trace;
	paths_status st = trace_grow(t, g->comm->count);

	if (st != PATHS_OK)
		return st == PATHS_ENOMEM ?
		    paths_log_fail(st, "no memory for collectives") :
		    st;
	t->collectives[t->collective_count++] =
	    (struct es_mpi_trace_collective){ .first = t->part_count,
		    .kind = g->stream / t->input.comm_count,
		    .comm = g->stream % t->input.comm_count,
		    .plan = g->plan,
		    .number = member_entry(&g->members[0])->number,
		    .function = member_entry(&g->members[0])->function };
	for (uint32_t n = 0; n < g->comm->count; n++) {
		const struct es__mpi_entry *e = member_entry(&g->members[n]);

		t->scans[g->comm->members[n]].account.collectives_matched++;
		if (!es__mpi_at_none(e->end))
			es__mpi_link(t, e->end)->collective =
			    (uint32_t)t->part_count;
		t->parts[t->part_count++] =
		    (struct es_mpi_part_taken){ e->begin, e->end };
	}
	return PATHS_OK;
}

static paths_status
gather_plan(struct gather *g)
{
	paths_status st = PATHS_OK;

	if (!gather_members(g))
		return PATHS_OK;
	gather_begin(g);
	while (st == PATHS_OK && gather_align(g)) {
		if (gather_same_function(g))
			st = gather_add(g);
		for (uint32_t n = 0; n < g->comm->count; n++)
			member_next(&g->members[n]);
	}
	return st;
}

/* Gathers the collectives of a stream, plan by plan: the plans of the first
   member, because a collective needs all members. */
static paths_status
gather_stream(struct gather *g)
{
	const struct es__mpi_entries *e;
	paths_status st = PATHS_OK;
	size_t n;

	if (g->comm->count == 0 || g->comm->members[0] == PATHS_NONE)
		return PATHS_OK;
	e = &g->trace->scans[g->comm->members[0]].entries;
	n = entries_find(e, g->stream, 0);
	while (
	    st == PATHS_OK && n < e->count && e->list[n].stream == g->stream) {
		g->plan = e->list[n].plan;
		st = gather_plan(g);
		n = entries_find(e, g->stream, g->plan + UINT64_C(1));
	}
	return st;
}

paths_status
es__mpi_gather(struct es_mpi_trace *trace)
{
	const struct es_mpi_trace_input *input = &trace->input;
	struct gather g = { .trace = trace };
	uint32_t largest = 0;
	paths_status st = PATHS_OK;

	for (uint32_t c = 0; c < input->comm_count; c++)
		if (input->comms[c].count > largest)
			largest = input->comms[c].count;
	g.members = calloc((size_t)largest + 1, sizeof(*g.members));
	if (g.members == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for members");
	for (uint32_t n = 0; st == PATHS_OK && n < 3 * input->comm_count; n++) {
		g.stream = n;
		g.comm = &input->comms[n % input->comm_count];
		st = gather_stream(&g);
	}
	free(g.members);
	return st;
}
