/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/group.c - counts, in the first pass, the halves that can match
 * each other
 */

#include "scopes/match/group_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* The name of a group. */
struct group_name {
	uint32_t source, target, comm;
	int32_t tag;
	uint32_t number; /* of the group, from 1; 0: no name */
};

static paths_status
match_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
}

static bool
name_used(const void *item)
{
	return ((const struct group_name *)item)->number != 0;
}

static uint64_t
name_hash(const void *item)
{
	const struct group_name *name = item;
	uint64_t hash = name->source;

	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + name->target;
	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + name->comm;
	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)name->tag;
	return (hash * UINT64_C(0x9e3779b97f4a7c15)) >> 24;
}

static bool
name_equal(const void *a, const void *b)
{
	const struct group_name *one = a, *other = b;

	return one->tag == other->tag && one->source == other->source &&
	    one->target == other->target && one->comm == other->comm;
}

static const struct paths__hash_kind name_kind = {
	.bytes = sizeof(struct group_name),
	.used = name_used,
	.hash = name_hash,
	.equal = name_equal,
};

struct es__mpi_group *
es__mpi_group_of(struct es__mpi_match *m, uint32_t rank,
    const struct es__mpi_half *half, bool receives)
{
	struct group_name name = { .source = receives ? half->other : rank,
		.target = receives ? rank : half->other,
		.comm = half->comm,
		.tag = half->tag,
		.number = m->group_count + 1 };
	const struct group_name *found =
	    paths__hash_put(&m->names, &name_kind, &name);

	if (found == NULL)
		return NULL;
	if (found->number <= m->group_count)
		return &m->groups[found->number - 1];
	if (!paths__array_grow(&m->groups, m->group_count, &m->group_room,
		sizeof(*m->groups)))
		return NULL;
	m->groups[m->group_count] =
	    (struct es__mpi_group){ .source = name.source,
		    .target = name.target,
		    .comm = name.comm,
		    .tag = name.tag,
		    .send_first = PATHS_NONE,
		    .receive_first = PATHS_NONE,
		    .probe_first = PATHS_NONE };
	return &m->groups[m->group_count++];
}

/* ---- the first pass */

static paths_status
half_count(struct es_mpi_trace *t, uint32_t rank,
    const struct es__mpi_half *half, bool receives)
{
	struct es__mpi_group *g =
	    es__mpi_group_of(&t->match, rank, half, receives);

	if (g == NULL)
		return match_no_memory();
	if (receives)
		g->receives++;
	else
		g->sends++;
	return PATHS_OK;
}

static paths_status
half_decide(struct es__mpi_fates *fates, const struct es__mpi_half *half)
{
	if (!paths__array_grow(&fates->list, fates->count, &fates->room,
		sizeof(*fates->list)))
		return match_no_memory();
	fates->list[fates->count++] =
	    (struct es__mpi_fate){ half->order, half->other, half->tag };
	return PATHS_OK;
}

/* Counts the halves of a rank that no request can still change.  `end`: this is
   the last window, so this holds for all halves. */
static paths_status
halves_count(struct es_mpi_trace *t, uint32_t rank,
    struct es__mpi_halves *halves, bool receives, bool end)
{
	struct es__mpi_scan *scan = &t->scans[rank];
	struct es__mpi_fates *fates =
	    receives ? &scan->receive_fates : &scan->send_fates;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < halves->count; n++) {
		const struct es__mpi_half *half = &halves->list[n];

		if (half->request != 0 && !end)
			continue;
		if (n < halves->old && half->request == 0)
			st = half_decide(fates, half);
		if (st != PATHS_OK || half->other == ES__MPI_UNKNOWN)
			continue;
		if (es__mpi_half_decided(half)) {
			st = half_count(t, rank, half, receives);
			continue;
		}
		if (!paths__array_grow(&scan->open.list, scan->open.count,
			&scan->open.room, sizeof(*half)))
			return match_no_memory();
		scan->open.list[scan->open.count] = *half;
		scan->open.list[scan->open.count].other = ES__MPI_UNDECIDED;
		scan->open.list[scan->open.count++].tag = 0;
	}
	return st;
}

paths_status
es__mpi_group_count(struct es_mpi_trace *trace, bool end)
{
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < trace->input.rank_count;
	     r++) {
		struct es__mpi_scan *scan = &trace->scans[r];

		st = halves_count(trace, r, &scan->sends, false, end);
		if (st == PATHS_OK)
			st = halves_count(trace, r, &scan->receives, true, end);
	}
	return st;
}

static int
fate_order(const void *left, const void *right)
{
	const struct es__mpi_fate *a = left, *b = right;

	return a->order < b->order ? -1 : a->order > b->order;
}

static int
open_order(const void *left, const void *right)
{
	const struct es__mpi_half *a = left, *b = right;

	return a->order < b->order ? -1 : a->order > b->order;
}

static void
fates_sort(struct es__mpi_fates *fates)
{
	if (fates->count > 0)
		qsort(fates->list, fates->count, sizeof(*fates->list),
		    fate_order);
}

/* Among the receives of any source or any tag on a communicator that never end,
   finds the `order` of the first one, and the `order` of the last one plus 1.
   Without such a receive, first is PATHS_NONE and last is 0. */
static void
open_range(const struct es__mpi_halves *open, uint32_t comm, uint32_t *first,
    uint32_t *last)
{
	*first = PATHS_NONE;
	*last = 0;
	for (size_t n = 0; n < open->count; n++) {
		if (open->list[n].comm != comm)
			continue;
		if (*first == PATHS_NONE)
			*first = open->list[n].order;
		*last = open->list[n].order + 1;
	}
}

/* Decides how the halves of a group are matched. */
static void
group_decide(const struct es_mpi_trace *t, struct es__mpi_group *g)
{
	const struct es__mpi_scan *sender = &t->scans[g->source];
	const struct es__mpi_scan *receiver = &t->scans[g->target];
	bool ended =
	    t->input.ranks[g->source].ended && t->input.ranks[g->target].ended;
	uint32_t first, last;

	open_range(&receiver->open, g->comm, &first, &last);
	g->until = PATHS_NONE;
	if (sender->whole && receiver->whole) {
		g->mode = ended && g->sends != g->receives ? GROUP_DIFFERING :
							     GROUP_BEGIN;
		g->until = first;
		return;
	}
	g->mode = ended ? GROUP_END : GROUP_DISCARDED;
	g->from = last < receiver->sure_from ? receiver->sure_from : last;
	if (g->sends > g->receives)
		g->skip_sends = g->sends - g->receives;
	else
		g->skip_receives = g->receives - g->sends;
}

void
es__mpi_group_decide(struct es_mpi_trace *trace)
{
	struct es__mpi_match *m = &trace->match;

	for (uint32_t r = 0; r < trace->input.rank_count; r++) {
		struct es__mpi_scan *scan = &trace->scans[r];

		fates_sort(&scan->send_fates);
		fates_sort(&scan->receive_fates);
		if (scan->open.count > 0)
			qsort(scan->open.list, scan->open.count,
			    sizeof(*scan->open.list), open_order);
		scan->account.receives = scan->account.undecided =
		    scan->open.count;
	}
	for (uint32_t n = 0; n < m->group_count; n++) {
		struct es__mpi_group *g = &m->groups[n];

		group_decide(trace, g);
		trace->scans[g->source].account.sends += g->sends;
		trace->scans[g->target].account.receives += g->receives;
	}
}

struct es__mpi_traffic
es__mpi_group_traffic(const struct es_mpi_trace *trace, uint32_t source,
    uint32_t target, uint32_t comm, int32_t tag)
{
	const struct es__mpi_match *m = &trace->match;
	struct es__mpi_traffic traffic = { .sent = 0 };

	for (uint32_t n = 0; n < m->group_count; n++) {
		const struct es__mpi_group *g = &m->groups[n];

		if (g->source != source || g->target != target)
			continue;
		traffic.sent += g->sends;
		traffic.matched += g->matched;
		if ((g->comm & ~ES__MPI_PARTITIONED) != comm ||
		    (g->tag != tag && tag >= 0))
			continue;
		traffic.key_sent += g->sends;
		traffic.key_matched += g->matched;
	}
	return traffic;
}
