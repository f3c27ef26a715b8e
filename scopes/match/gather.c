/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/gather.c - joins the calls of the members of a communicator to
 * collectives
 *
 * Each member numbers its calls.  The calls of all members with the same number
 * and function are one collective.
 *
 * The first pass finds the numbers that all members call (stream.c).  So a
 * collective that some member never calls is refused at its first call.  The
 * work in a window depends only on the calls of the window: a list has the
 * collectives that changed, and a collective is freed when the last of its
 * calls is dropped.
 */

#include "scopes/match/gather_private.h"

#include "scopes/match/stream_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* The name of a meeting. */
struct meeting_name {
	uint32_t stream; /* number of the stream, from 1; 0: no name */
	uint32_t number; /* of the collective */
	uint32_t meeting;
};

/* A meeting: a collective, also while members have not begun it yet. */
struct es__mpi_gathering {
	struct es_mpi_trace_collective collective;
	uint32_t stream;
	/* Numbers of members that have begun and ended it. */
	uint32_t come, ended;
	uint32_t over; /* number of members whose call was dropped */
	uint32_t next; /* next free meeting */
	bool used;
	bool mixed;   /* members called different functions */
	bool changed; /* it is in the list of the window */
	bool made;    /* it was made in this window */
};

static paths_status
gather_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for collectives");
}

/* ---- meetings */

static bool
meeting_used(const void *item)
{
	return ((const struct meeting_name *)item)->stream != 0;
}

static uint64_t
meeting_hash(const void *item)
{
	const struct meeting_name *name = item;

	return ((((uint64_t)name->stream << 32) | name->number) *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
meeting_equal(const void *a, const void *b)
{
	const struct meeting_name *one = a, *other = b;

	return one->stream == other->stream && one->number == other->number;
}

static const struct paths__hash_kind meeting_kind = {
	.bytes = sizeof(struct meeting_name),
	.used = meeting_used,
	.hash = meeting_hash,
	.equal = meeting_equal,
};

/* Allocates parts for the members of a communicator; reuses freed parts.
   PATHS_OK; PATHS_ENOMEM; PATHS_EFULL. */
static paths_status
parts_take(struct es_mpi_trace *t, uint32_t comm, uint64_t *first)
{
	struct es__mpi_gather *g = &t->gather;
	uint32_t count = t->input.comms[comm].count;
	uint32_t freed = g->part_free[comm];

	if (freed != PATHS_NONE) {
		g->part_free[comm] = t->parts[freed].begin.n;
		*first = freed;
	} else {
		if (t->part_count + count >= ES__MPI_LATER)
			return paths_log_fail(PATHS_EFULL,
			    "over 2^32 calls of collectives");
		if (!paths__array_reserve(&t->parts, t->part_count + count,
			&t->part_room, sizeof(*t->parts)) ||
		    !paths__array_reserve(&g->meeting_of, t->part_count + count,
			&g->meeting_of_room, sizeof(*g->meeting_of)))
			return gather_no_memory();
		*first = t->part_count;
		t->part_count += count;
	}
	for (uint64_t n = *first; n < *first + count; n++)
		t->parts[n] = (struct es_mpi_part_taken){ ES__MPI_NOWHERE,
			ES__MPI_NOWHERE };
	return PATHS_OK;
}

/* Returns a free meeting; PATHS_NONE: no memory. */
static uint32_t
meeting_take(struct es__mpi_gather *g)
{
	uint32_t meeting = g->meeting_free;

	if (meeting != PATHS_NONE) {
		g->meeting_free = g->meetings[meeting].next;
		return meeting;
	}
	if (!paths__array_grow(&g->meetings, g->meeting_count, &g->meeting_room,
		sizeof(*g->meetings)))
		return PATHS_NONE;
	g->meetings[g->meeting_count].changed = false;
	return g->meeting_count++;
}

/* Frees a meeting and its parts. */
static void
meeting_give(struct es_mpi_trace *t, uint32_t number)
{
	struct es__mpi_gather *g = &t->gather;
	struct es__mpi_gathering *m = &g->meetings[number];
	uint32_t comm = m->collective.comm;

	for (uint32_t n = 0; n < t->input.comms[comm].count; n++)
		t->parts[m->collective.first + n].begin = ES__MPI_NOWHERE;
	t->parts[m->collective.first].begin.n = g->part_free[comm];
	g->part_free[comm] = (uint32_t)m->collective.first;
	m->used = false;
	m->next = g->meeting_free;
	g->meeting_free = number;
}

static void
meeting_drop_name(struct es__mpi_gather *g, const struct es__mpi_gathering *m)
{
	struct meeting_name name = { m->stream + 1, m->collective.number, 0 };
	void *found = paths__hash_find(&g->numbers, &meeting_kind, &name);

	if (found != NULL)
		paths__hash_drop(&g->numbers, &meeting_kind, found);
}

/* Sets the part in the link of the tuple that ends a call, if the call has
   ended. */
static void
set_link(const struct es_mpi_trace *t, struct es_mpi_at end, uint32_t part)
{
	struct es_mpi_trace_link *link =
	    es__mpi_at_none(end) ? NULL : es__mpi_link_kept(t, end);

	if (link != NULL)
		link->collective = part;
}

/* Adds a meeting to the list of those that changed in the window.  PATHS_OK;
   PATHS_ENOMEM. */
static paths_status
meeting_change(struct es__mpi_gather *g, uint32_t number)
{
	if (g->meetings[number].changed)
		return PATHS_OK;
	if (!paths__array_grow(&g->changed, g->changed_count, &g->changed_room,
		sizeof(*g->changed)))
		return gather_no_memory();
	g->meetings[number].changed = true;
	g->changed[g->changed_count++] = number;
	return PATHS_OK;
}

/* Removes a meeting that will not become a collective. */
static void
meeting_cancel(struct es_mpi_trace *t, uint32_t number)
{
	struct es__mpi_gathering *m = &t->gather.meetings[number];
	uint32_t count = t->input.comms[m->collective.comm].count;

	for (uint32_t n = 0; n < count; n++) {
		struct es_mpi_at end = t->parts[m->collective.first + n].end;

		set_link(t, end, PATHS_NONE);
	}
	meeting_give(t, number);
}

static paths_status
meeting_add(struct es_mpi_trace *t, const struct es__mpi_stream *s,
    const struct es__mpi_entry *entry, uint32_t number)
{
	struct es__mpi_gather *g = &t->gather;
	struct es__mpi_gathering *m = &g->meetings[number];
	uint32_t comm = s->stream % t->input.comm_count;
	uint64_t first = 0;
	paths_status st = parts_take(t, comm, &first);

	*m = (struct es__mpi_gathering){
		.changed = m->changed,
		.made = true,
		.collective = { .first = first,
		    .kind = s->stream / t->input.comm_count,
		    .comm = comm,
		    .plan = s->plan,
		    .number = entry->number,
		    .function = entry->function },
		.stream = (uint32_t)(s - g->streams),
		.used = st == PATHS_OK,
	};
	for (uint32_t n = 0; st == PATHS_OK && n < t->input.comms[comm].count;
	     n++)
		g->meeting_of[first + n] = number;
	return st;
}

/* Finds the meeting of an entry, or makes it.  PATHS_OK; PATHS_ENOMEM;
   PATHS_EFULL. */
static paths_status
meeting_of(struct es_mpi_trace *t, const struct es__mpi_stream *s,
    const struct es__mpi_entry *entry, uint32_t *number)
{
	struct es__mpi_gather *g = &t->gather;
	struct meeting_name name = { (uint32_t)(s - g->streams) + 1,
		entry->number, PATHS_NONE };
	struct meeting_name *found =
	    paths__hash_put(&g->numbers, &meeting_kind, &name);

	if (found == NULL)
		return gather_no_memory();
	*number = found->meeting;
	if (*number != PATHS_NONE)
		return PATHS_OK;
	found->meeting = *number = meeting_take(g);
	return *number == PATHS_NONE ? gather_no_memory() :
				       meeting_add(t, s, entry, *number);
}

/* Completes a meeting that all members have begun.  Cancels it if they called
   different functions. */
static void
meeting_complete(struct es_mpi_trace *t, uint32_t number)
{
	struct es__mpi_gathering *m = &t->gather.meetings[number];
	const struct es_mpi_trace_comm *comm =
	    &t->input.comms[m->collective.comm];

	meeting_drop_name(&t->gather, m);
	if (m->mixed) {
		for (uint32_t n = 0; n < comm->count; n++)
			t->scans[comm->members[n]].account.mixed++;
		meeting_cancel(t, number);
		return;
	}
	for (uint32_t n = 0; n < comm->count; n++)
		t->scans[comm->members[n]].account.collectives_matched++;
}

/* ---- the second pass */

/* Returns whether a member can still call a collective. */
static bool
member_may_come(const struct es__mpi_stream *s, uint32_t member,
    uint32_t number)
{
	if (!s->any[member])
		return !es__mpi_number_before(number, s->first[member]);
	return es__mpi_number_before(s->last[member], number);
}

static bool
all_may_come(const struct es_mpi_trace *t, const struct es__mpi_stream *s,
    const struct es__mpi_gathering *m)
{
	uint32_t count = t->input.comms[m->collective.comm].count;

	for (uint32_t n = 0; n < count; n++)
		if (es__mpi_at_none(t->parts[m->collective.first + n].begin) &&
		    !member_may_come(s, n, m->collective.number))
			return false;
	return true;
}

/* Adds a call of this window to its meeting. */
static paths_status
entry_take(struct es_mpi_trace *t, uint32_t rank, struct es__mpi_entry *entry)
{
	struct es__mpi_gather *g = &t->gather;
	struct es__mpi_stream *s = es__mpi_stream_of(t, entry);
	struct es_mpi_part_taken *part;
	struct es__mpi_gathering *m;
	uint32_t member, number;
	paths_status st;

	if (s == NULL)
		return gather_no_memory();
	if (s->first == NULL || es__mpi_stream_refuses(s, entry->number))
		return PATHS_OK;
	member = es__mpi_comm_member(es__mpi_stream_comm(t, s->stream), rank);
	if (member == PATHS_NONE)
		return PATHS_OK;
	st = meeting_of(t, s, entry, &number);
	if (st != PATHS_OK)
		return st;
	s->any[member] = true;
	s->last[member] = entry->number;
	m = &g->meetings[number];
	part = &t->parts[m->collective.first + member];
	if (!es__mpi_at_none(part->begin))
		return PATHS_OK;
	*part = (struct es_mpi_part_taken){ entry->begin, entry->end };
	entry->part = (uint32_t)m->collective.first + member;
	m->come++;
	m->ended += !es__mpi_at_none(entry->end);
	m->mixed |= entry->function != m->collective.function;
	set_link(t, entry->end, entry->part);
	if (m->come == t->input.comms[m->collective.comm].count)
		meeting_complete(t, number);
	return meeting_change(g, number);
}

static bool
meeting_is_complete(const struct es_mpi_trace *t,
    const struct es__mpi_gathering *m)
{
	return m->come == t->input.comms[m->collective.comm].count;
}

/* Ends a call that was made in an earlier window.  PATHS_OK; PATHS_ENOMEM. */
static paths_status
entry_end(struct es_mpi_trace *t, const struct es__mpi_entry *entry)
{
	struct es__mpi_gather *g = &t->gather;
	struct es_mpi_part_taken *part = &t->parts[entry->part];

	if (part->begin.ring != entry->begin.ring ||
	    part->begin.n != entry->begin.n)
		return PATHS_OK; /* the meeting of the call was cancelled */
	part->end = entry->end;
	g->meetings[g->meeting_of[entry->part]].ended++;
	set_link(t, entry->end, entry->part);
	return meeting_change(g, g->meeting_of[entry->part]);
}

/* Cancels the meetings that some member can no longer begin and that the first
   pass could not refuse. */
static void
gather_sweep(struct es_mpi_trace *t)
{
	struct es__mpi_gather *g = &t->gather;

	for (uint32_t n = 0; n < g->meeting_count; n++) {
		struct es__mpi_gathering *m = &g->meetings[n];

		if (!m->used || meeting_is_complete(t, m) ||
		    (!t->last && all_may_come(t, &g->streams[m->stream], m)))
			continue;
		meeting_drop_name(g, m);
		meeting_cancel(t, n);
	}
}

void
es__mpi_gather_drop(struct es_mpi_trace *trace, uint32_t part)
{
	struct es__mpi_gather *g = &trace->gather;
	uint32_t number = g->meeting_of[part];
	struct es__mpi_gathering *m = &g->meetings[number];

	if (++m->over == trace->input.comms[m->collective.comm].count)
		meeting_give(trace, number);
}

const struct es_mpi_trace_collective *
es__mpi_gather_changed(const struct es_mpi_trace *trace, size_t n, bool *made)
{
	const struct es__mpi_gather *g = &trace->gather;
	const struct es__mpi_gathering *m = &g->meetings[g->changed[n]];

	*made = m->made;
	return m->used ? &m->collective : NULL;
}

const struct es_mpi_trace_collective *
es__mpi_gather_unchanged(const struct es_mpi_trace *trace, uint64_t part)
{
	const struct es__mpi_gather *g = &trace->gather;
	const struct es__mpi_gathering *m = &g->meetings[g->meeting_of[part]];

	return m->used && !m->changed && m->collective.first == part ?
	    &m->collective :
	    NULL;
}

/* Begins the list of the meetings that change in a window. */
static void
gather_begin(struct es__mpi_gather *g)
{
	for (size_t n = 0; n < g->changed_count; n++) {
		g->meetings[g->changed[n]].changed = false;
		g->meetings[g->changed[n]].made = false;
	}
	g->changed_count = 0;
}

static int
collective_order(const void *left, const void *right)
{
	const struct es_mpi_trace_collective *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->plan != b->plan)
		return a->plan < b->plan ? -1 : 1;
	if (a->number == b->number)
		return 0;
	return es__mpi_number_before(a->number, b->number) ? -1 : 1;
}

/* Lists the complete collectives, sorted. */
static paths_status
gather_list(struct es_mpi_trace *t)
{
	const struct es__mpi_gather *g = &t->gather;

	t->collective_count = 0;
	if (!t->lists)
		return PATHS_OK;
	if (!paths__array_reserve(&t->collectives, (size_t)g->meeting_count + 1,
		&t->collective_room, sizeof(*t->collectives)))
		return gather_no_memory();
	for (uint32_t n = 0; n < g->meeting_count; n++)
		if (g->meetings[n].used &&
		    meeting_is_complete(t, &g->meetings[n]))
			t->collectives[t->collective_count++] =
			    g->meetings[n].collective;
	if (t->collective_count > 0)
		qsort(t->collectives, t->collective_count,
		    sizeof(*t->collectives), collective_order);
	return PATHS_OK;
}

paths_status
es__mpi_gather_open(struct es_mpi_trace *trace)
{
	struct es__mpi_gather *g = &trace->gather;

	g->meeting_free = PATHS_NONE;
	g->part_free = malloc(
	    ((size_t)trace->input.comm_count + 1) * sizeof(*g->part_free));
	if (g->part_free == NULL)
		return PATHS_ENOMEM;
	for (uint32_t c = 0; c < trace->input.comm_count; c++)
		g->part_free[c] = PATHS_NONE;
	return PATHS_OK;
}

paths_status
es__mpi_gather(struct es_mpi_trace *trace)
{
	paths_status st = PATHS_OK;

	gather_begin(&trace->gather);
	for (uint32_t r = 0; st == PATHS_OK && r < trace->input.rank_count;
	     r++) {
		struct es__mpi_entries *e = &trace->scans[r].entries;

		for (size_t n = 0; st == PATHS_OK && n < e->count; n++) {
			struct es__mpi_entry *entry = &e->list[n];

			if (n >= e->old)
				st = entry_take(trace, r, entry);
			else if (entry->part != PATHS_NONE &&
			    !es__mpi_at_none(entry->end))
				st = entry_end(trace, entry);
		}
	}
	if (st != PATHS_OK)
		return st;
	if (trace->last || trace->gather.odd)
		gather_sweep(trace);
	return gather_list(trace);
}

const struct es_mpi_trace_collective *
es__mpi_gather_collective(const struct es__mpi_gather *g, uint32_t part)
{
	return &g->meetings[g->meeting_of[part]].collective;
}

void
es__mpi_gather_begins(const struct es_mpi_trace *t, es__mpi_post *begin,
    void *to)
{
	for (uint32_t n = 0; n < t->gather.meeting_count; n++) {
		const struct es__mpi_gathering *m = &t->gather.meetings[n];
		const struct es_mpi_part_taken *parts =
		    &t->parts[m->collective.first];

		if (!m->used)
			continue;
		for (uint32_t k = 0;
		     k < t->input.comms[m->collective.comm].count; k++)
			begin(to, parts[k].begin, false);
	}
}

void
es__mpi_gather_fini(struct es__mpi_gather *g)
{
	es__mpi_streams_fini(g);
	free(g->numbers.slots);
	free(g->meetings);
	free(g->changed);
	free(g->meeting_of);
	free(g->part_free);
}
