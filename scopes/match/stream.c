/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/stream.c - finds the numbers of the collectives that all members
 * of a communicator call
 */

#include "scopes/match/stream_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* The name of a stream. */
struct stream_name {
	uint32_t stream, plan;
	uint32_t number; /* of the stream, from 1; 0: no name */
};

static paths_status
stream_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for collectives");
}

static bool
stream_used(const void *item)
{
	return ((const struct stream_name *)item)->number != 0;
}

static uint64_t
stream_hash(const void *item)
{
	const struct stream_name *name = item;

	return ((((uint64_t)name->stream << 32) | name->plan) *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
stream_equal(const void *a, const void *b)
{
	const struct stream_name *one = a, *other = b;

	return one->stream == other->stream && one->plan == other->plan;
}

static const struct paths__hash_kind stream_kind = {
	.bytes = sizeof(struct stream_name),
	.used = stream_used,
	.hash = stream_hash,
	.equal = stream_equal,
};

static bool
stream_init(const struct es_mpi_trace *t, struct es__mpi_stream *s,
    uint32_t stream, uint32_t plan)
{
	const struct es_mpi_trace_comm *comm = es__mpi_stream_comm(t, stream);

	*s = (struct es__mpi_stream){ .stream = stream, .plan = plan };
	for (uint32_t n = 0; n < comm->count; n++)
		if (comm->members[n] == PATHS_NONE)
			return true;
	if (comm->count == 0)
		return true;
	s->first = calloc(comm->count, sizeof(*s->first));
	s->last = calloc(comm->count, sizeof(*s->last));
	s->any = calloc(comm->count, sizeof(*s->any));
	return s->first != NULL && s->last != NULL && s->any != NULL;
}

struct es__mpi_stream *
es__mpi_stream_of(struct es_mpi_trace *t, const struct es__mpi_entry *entry)
{
	struct es__mpi_gather *g = &t->gather;
	struct stream_name name = { entry->stream, entry->plan,
		g->stream_count + 1 };
	const struct stream_name *found =
	    paths__hash_put(&g->names, &stream_kind, &name);

	if (found == NULL)
		return NULL;
	if (found->number <= g->stream_count)
		return &g->streams[found->number - 1];
	if (!paths__array_grow(&g->streams, g->stream_count, &g->stream_room,
		sizeof(*g->streams)))
		return NULL;
	return stream_init(t, &g->streams[g->stream_count++], entry->stream,
		   entry->plan) ?
	    &g->streams[g->stream_count - 1] :
	    NULL;
}

uint32_t
es__mpi_comm_member(const struct es_mpi_trace_comm *comm, uint32_t rank)
{
	if (rank < comm->count && comm->members[rank] == rank)
		return rank;
	for (uint32_t n = 0; n < comm->count; n++)
		if (comm->members[n] == rank)
			return n;
	return PATHS_NONE;
}

/* ---- the first pass */

/* Notes the next number of a member.  PATHS_OK; PATHS_ENOMEM. */
static paths_status
stream_note(struct es__mpi_stream *s, uint32_t member, uint32_t number)
{
	uint32_t last = s->last[member];

	if (!s->any[member])
		s->first[member] = number;
	else if (number == last)
		return PATHS_OK;
	else if (!es__mpi_number_before(last, number))
		s->odd = true;
	else if (number != last + 1) {
		if (!paths__array_grow(&s->gaps, s->gap_count, &s->gap_room,
			sizeof(*s->gaps)))
			return stream_no_memory();
		s->gaps[s->gap_count++] =
		    (struct stream_gap){ last + 1, number };
	}
	s->any[member] = true;
	s->last[member] = number;
	return PATHS_OK;
}

static paths_status
entry_count(struct es_mpi_trace *t, uint32_t rank,
    const struct es__mpi_entry *entry)
{
	struct es__mpi_stream *s = es__mpi_stream_of(t, entry);
	uint32_t member;

	if (s == NULL)
		return stream_no_memory();
	if (s->first == NULL)
		return PATHS_OK;
	member = es__mpi_comm_member(es__mpi_stream_comm(t, s->stream), rank);
	return member == PATHS_NONE ? PATHS_OK :
				      stream_note(s, member, entry->number);
}

paths_status
es__mpi_streams_count(struct es_mpi_trace *trace)
{
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < trace->input.rank_count;
	     r++) {
		const struct es__mpi_entries *e = &trace->scans[r].entries;

		for (size_t n = e->old; st == PATHS_OK && n < e->count; n++)
			st = entry_count(trace, r, &e->list[n]);
	}
	return st;
}

/* Returns whether all members make calls on a stream. */
static bool
stream_is_whole(const struct es__mpi_stream *s, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		if (!s->any[n])
			return false;
	return true;
}

static int
gap_order(const void *left, const void *right)
{
	const struct stream_gap *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Drops the gaps before `from`, sorts the others, and joins those that
   overlap. */
static void
stream_sort_gaps(struct es__mpi_stream *s)
{
	size_t kept = 0;

	for (size_t n = 0; n < s->gap_count; n++) {
		struct stream_gap gap = s->gaps[n];

		if (!es__mpi_number_before(s->from, gap.end))
			continue;
		if (es__mpi_number_before(gap.first, s->from))
			gap.first = s->from;
		s->gaps[kept++] = (struct stream_gap){ gap.first - s->from,
			gap.end - s->from };
	}
	s->gap_count = kept;
	if (kept == 0)
		return;
	qsort(s->gaps, kept, sizeof(*s->gaps), gap_order);
	kept = 0;
	for (size_t n = 1; n < s->gap_count; n++) {
		if (s->gaps[n].first > s->gaps[kept].end)
			s->gaps[++kept] = s->gaps[n];
		else if (s->gaps[n].end > s->gaps[kept].end)
			s->gaps[kept].end = s->gaps[n].end;
	}
	s->gap_count = kept + 1;
}

/* Finds the numbers that all members call. */
static void
stream_decide(struct es__mpi_stream *s, uint32_t count)
{
	s->from = s->first[0];
	s->to = s->last[0];
	for (uint32_t n = 1; n < count; n++) {
		if (es__mpi_number_before(s->from, s->first[n]))
			s->from = s->first[n];
		if (es__mpi_number_before(s->last[n], s->to))
			s->to = s->last[n];
	}
	s->none = es__mpi_number_before(s->to, s->from);
	stream_sort_gaps(s);
}

bool
es__mpi_stream_refuses(const struct es__mpi_stream *s, uint32_t number)
{
	uint32_t n = number - s->from;
	size_t low = 0, high = s->gap_count;

	if (s->odd)
		return false;
	if (s->none || n > s->to - s->from)
		return true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->gaps[middle].end <= n)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->gap_count && s->gaps[low].first <= n;
}

void
es__mpi_streams_decide(struct es_mpi_trace *trace)
{
	struct es__mpi_gather *g = &trace->gather;

	for (uint32_t i = 0; i < g->stream_count; i++) {
		struct es__mpi_stream *s = &g->streams[i];
		uint32_t count = es__mpi_stream_comm(trace, s->stream)->count;

		if (s->first == NULL)
			continue;
		if (!stream_is_whole(s, count)) {
			free(s->first);
			s->first = NULL;
			continue;
		}
		stream_decide(s, count);
		g->odd |= s->odd;
		for (uint32_t n = 0; n < count; n++)
			s->any[n] = false;
	}
}

void
es__mpi_streams_fini(struct es__mpi_gather *g)
{
	for (uint32_t n = 0; n < g->stream_count; n++) {
		free(g->streams[n].first);
		free(g->streams[n].last);
		free(g->streams[n].any);
		free(g->streams[n].gaps);
	}
	free(g->names.slots);
	free(g->streams);
}
