/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi_gather.c - which calls are one collective
 *
 * Calls that block tell their number on the communicator.  Those that do not
 * tell that of their request, so theirs follows from the calls around them; a
 * rank that has none of the others counts from the begin, or from the end where
 * the oldest are missing.
 */

#include "scopes/mpi_trace_private.h"

#include "libpaths/log.h"

/* The number of the last, where nobody tells one. */
#define LAST_UNTOLD (UINT32_C(1) << 30)

/* The calls of a member on one stream. */
struct member {
	struct es__mpi_entry *entries;
	size_t count;
};

struct gather {
	struct es_mpi_trace *trace;
	uint32_t stream;
	const struct es_mpi_trace_comm *comm;
	struct member *members; /* as many as the largest communicator has */
};

static size_t
entries_find(const struct es__mpi_entries *entries, uint32_t stream)
{
	size_t low = 0, high = entries->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entries->list[middle].stream < stream)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
entries_unknown(struct es__mpi_entry *entries, size_t begin, size_t end)
{
	for (size_t n = begin; n < end; n++)
		entries[n].number = PATHS_NONE;
}

/* Number those between two that tell theirs, and those behind the last, if no
   call is missing there. */
static void
member_number_on(struct member *m, size_t told, const struct es__mpi_scan *scan)
{
	size_t last = told;

	for (size_t n = told + 1; n < m->count; n++) {
		struct es__mpi_entry *e = &m->entries[n];
		uint32_t next = e[-1].number + 1;

		if (e->number == 0) {
			e->number = next;
			continue;
		}
		/* Calls are missing: which, nobody knows. */
		if (e->number != next)
			entries_unknown(m->entries, last + 1, n);
		last = n;
	}
	if (m->entries[last].order < scan->sure_entry)
		entries_unknown(m->entries, last + 1, m->count);
}

/* The place of the first that tells its number; count: none does. */
static size_t
member_told(const struct member *m)
{
	size_t n = 0;

	while (n < m->count && m->entries[n].number == 0)
		n++;
	return n;
}

/* Number the calls of a member where one of them tells its number. */
static void
member_number(struct member *m, const struct es__mpi_scan *scan)
{
	size_t told = member_told(m);

	if (told == m->count) {
		for (size_t n = 0; scan->whole && n < m->count; n++)
			m->entries[n].number = (uint32_t)n + 1;
		return;
	}
	for (size_t n = told; n > 0; n--) {
		bool sure = m->entries[n - 1].order >= scan->sure_entry;
		uint32_t next = m->entries[n].number;

		m->entries[n - 1].number =
		    sure && next > 1 && next != PATHS_NONE ? next - 1 :
							     PATHS_NONE;
	}
	member_number_on(m, told, scan);
}

/* Number the calls of one that tells none, from the end. */
static void
member_number_back(struct member *m, uint32_t last,
    const struct es__mpi_scan *scan)
{
	for (size_t n = m->count; n > 0; n--) {
		struct es__mpi_entry *e = &m->entries[n - 1];

		e->number = last > 0 && e->order >= scan->sure_entry ?
		    last :
		    PATHS_NONE;
		last -= last > 0;
	}
}

/* False: a member left nothing on this stream. */
static bool
gather_members(struct gather *g)
{
	struct es_mpi_trace *trace = g->trace;

	for (uint32_t n = 0; n < g->comm->count; n++) {
		struct es__mpi_entries *e;
		size_t begin, end;

		if (g->comm->members[n] == PATHS_NONE)
			return false;
		e = &trace->scans[g->comm->members[n]].entries;
		begin = entries_find(e, g->stream);
		end = entries_find(e, g->stream + 1);
		if (begin == end)
			return false;
		g->members[n] = (struct member){ &e->list[begin], end - begin };
	}
	return g->comm->count > 0;
}

static void
gather_number(struct gather *g)
{
	uint32_t last = 0;

	for (uint32_t n = 0; n < g->comm->count; n++) {
		struct member *m = &g->members[n];
		uint32_t number;

		member_number(m, &g->trace->scans[g->comm->members[n]]);
		number = m->entries[m->count - 1].number;
		if (number != PATHS_NONE && number > last)
			last = number;
	}
	for (uint32_t n = 0; n < g->comm->count; n++) {
		struct member *m = &g->members[n];
		uint32_t rank = g->comm->members[n];

		if (m->entries[m->count - 1].number != 0)
			continue;
		member_number_back(m,
		    !g->trace->input.ranks[rank].ended ? 0 :
			last > 0		       ? last :
							 LAST_UNTOLD,
		    &g->trace->scans[rank]);
	}
}

/* Pass over what is before a number, or has none; false: no more. */
static bool
member_seek(struct member *m, uint32_t number)
{
	while (m->count > 0 &&
	    (m->entries->number < number || m->entries->number == PATHS_NONE)) {
		m->entries++;
		m->count--;
	}
	return m->count > 0;
}

/* Let all members stand at the same number; false: there is no more. */
static bool
gather_align(struct gather *g)
{
	uint32_t number = 0, agreed = 0;

	for (uint32_t n = 0; agreed < g->comm->count;
	     n = (n + 1) % g->comm->count) {
		if (!member_seek(&g->members[n], number))
			return false;
		agreed =
		    g->members[n].entries->number == number ? agreed + 1 : 1;
		number = g->members[n].entries->number;
	}
	return true;
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

/* Room for a collective more with parts; what is larger stays as it is. */
static paths_status
trace_grow(struct es_mpi_trace *t, uint32_t parts)
{
	void *larger;

	if (t->collective_count == t->collective_room) {
		t->collective_room = t->collective_room * 2 + 64;
		larger = realloc(t->collectives,
		    t->collective_room * sizeof(*t->collectives));
		if (larger == NULL)
			return PATHS_ENOMEM;
		t->collectives = larger;
	}
	if (t->part_count + parts >= PATHS_NONE)
		return paths_log_fail(PATHS_EFULL,
		    "over 2^32 calls of collectives");
	if (t->part_count + parts > t->part_room) {
		t->part_room = t->part_room * 2 + parts + 64;
		larger = realloc(t->parts, t->part_room * sizeof(*t->parts));
		if (larger == NULL)
			return PATHS_ENOMEM;
		t->parts = larger;
	}
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
gather_stream(struct gather *g)
{
	paths_status st = PATHS_OK;

	if (!gather_members(g))
		return PATHS_OK;
	gather_number(g);
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
