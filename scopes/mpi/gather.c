/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/gather.c - matches the calls of collectives
 *
 * Each member numbers its calls, in order.  The calls of all members with the
 * same number and function are a collective.
 */

#include "scopes/mpi/gather_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* The calls of a member on one stream. */
struct member {
	const struct es__mpi_entry *entries;
	size_t count;
};

struct gather {
	struct es_mpi_trace *trace;
	uint32_t stream, plan;
	const struct es_mpi_trace_comm *comm;
	struct member *members; /* room for the largest communicator */
};

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
		g->members[n] = (struct member){ &e->list[begin], end - begin };
	}
	return true;
}

/* Skips calls before a number; false: there are no more. */
static bool
member_seek(struct member *m, uint32_t number)
{
	while (m->count > 0 && m->entries->number < number) {
		m->entries++;
		m->count--;
	}
	return m->count > 0;
}

/* Moves all members to the next number that they have in common; false: there
   is none.  0 and PATHS_NONE are invalid: they are not matched. */
static bool
gather_align(struct gather *g)
{
	uint32_t number = 1, agreed = 0;

	for (uint32_t n = 0; agreed < g->comm->count;
	     n = (n + 1) % g->comm->count) {
		if (!member_seek(&g->members[n], number))
			return false;
		agreed =
		    g->members[n].entries->number == number ? agreed + 1 : 1;
		number = g->members[n].entries->number;
	}
	return number != PATHS_NONE;
}

static bool
gather_same_function(const struct gather *g)
{
	for (uint32_t n = 1; n < g->comm->count; n++)
		if (g->members[n].entries->function !=
		    g->members[0].entries->function)
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
		    .number = g->members[0].entries->number,
		    .function = g->members[0].entries->function };
	for (uint32_t n = 0; n < g->comm->count; n++) {
		const struct es__mpi_entry *e = g->members[n].entries;

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
	while (st == PATHS_OK && gather_align(g)) {
		if (gather_same_function(g))
			st = gather_add(g);
		for (uint32_t n = 0; n < g->comm->count; n++) {
			g->members[n].entries++;
			g->members[n].count--;
		}
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
