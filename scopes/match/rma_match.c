/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_match.c - matches the epochs of all ranks, and collects
 * their locks
 */

#include "scopes/match/rma_match_private.h"

#include "scopes/match/trace_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Sort key of a meeting, and its number. */
struct met {
	uint32_t kind, comm, window, other;
	uint32_t meeting;
};

/* The meetings of all ranks, sorted. */
struct mets {
	struct met **ranks;
	struct es_mpi_trace *trace;
};

/* Compares all members but the last. */
static int
met_group(const struct met *a, const struct met *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->window != b->window)
		return a->window < b->window ? -1 : 1;
	return a->other < b->other ? -1 : a->other > b->other;
}

static int
met_order(const void *left, const void *right)
{
	const struct met *a = left, *b = right;
	int group = met_group(a, b);

	if (group != 0)
		return group;
	return a->meeting < b->meeting ? -1 : a->meeting > b->meeting;
}

/* Sorts the meetings of a rank. */
static paths_status
mets_sort(struct mets *m, uint32_t rank)
{
	const struct es__mpi_rma *rma = &m->trace->scans[rank].rma;
	struct met *list = malloc((rma->meeting_count + 1) * sizeof(*list));

	if (list == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for epochs");
	for (uint32_t n = 0; n < rma->meeting_count; n++) {
		const struct es__mpi_epoch *e =
		    &rma->epochs[rma->meetings[n].epoch];

		list[n] = (struct met){ e->kind, e->comm, e->window,
			rma->meetings[n].other, n };
	}
	if (rma->meeting_count > 0)
		qsort(list, rma->meeting_count, sizeof(*list), met_order);
	m->ranks[rank] = list;
	return PATHS_OK;
}

/* Binary search.  Returns the index of the first meeting of a rank that equals
   `like` or is after it; behind: of the first one that is after it. */
static size_t
mets_find(const struct mets *m, uint32_t rank, const struct met *like,
    bool behind)
{
	size_t low = 0, high = m->trace->scans[rank].rma.meeting_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = met_group(&m->ranks[rank][middle], like);

		if (order < 0 || (behind && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
mets_pair(const struct mets *m, uint32_t origin, const struct met *access,
    uint32_t target, const struct met *exposure)
{
	struct es__mpi_meeting *one =
	    &m->trace->scans[origin].rma.meetings[access->meeting];
	struct es__mpi_meeting *other =
	    &m->trace->scans[target].rma.meetings[exposure->meeting];

	one->met = other->epoch;
	other->met = one->epoch;
}

/* Matches the access epochs [begin, end) of a rank for one target: from the
   first one on if no tuple is missing, else from the last one back. */
static void
mets_match(const struct mets *m, uint32_t rank, size_t begin, size_t end)
{
	const struct es_mpi_trace *t = m->trace;
	const struct met *access = m->ranks[rank];
	uint32_t target = access[begin].other;
	struct met like = access[begin];
	size_t first, last;

	like.kind = ES__MPI_EPOCH_EXPOSURE;
	like.other = rank;
	first = mets_find(m, target, &like, false);
	last = mets_find(m, target, &like, true);
	if (t->scans[rank].whole && t->scans[target].whole) {
		while (begin < end && first < last)
			mets_pair(m, rank, &access[begin++], target,
			    &m->ranks[target][first++]);
		return;
	}
	if (!t->input.ranks[rank].ended || !t->input.ranks[target].ended)
		return;
	while (begin < end && first < last)
		mets_pair(m, rank, &access[--end], target,
		    &m->ranks[target][--last]);
}

static void
mets_match_rank(const struct mets *m, uint32_t rank)
{
	size_t count = m->trace->scans[rank].rma.meeting_count, end;
	const struct met *list = m->ranks[rank];

	for (size_t n = 0; n < count && list[n].kind == ES__MPI_EPOCH_ACCESS;
	     n = end) {
		end = n + 1;
		while (end < count && met_group(&list[end], &list[n]) == 0)
			end++;
		mets_match(m, rank, n, end);
	}
}

static paths_status
rma_meet(struct es_mpi_trace *trace)
{
	uint32_t count = trace->input.rank_count;
	struct mets m = { .trace = trace,
		.ranks = calloc((size_t)count + 1, sizeof(*m.ranks)) };
	paths_status st = PATHS_OK;

	if (m.ranks == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for epochs");
	for (uint32_t r = 0; st == PATHS_OK && r < count; r++)
		st = mets_sort(&m, r);
	for (uint32_t r = 0; st == PATHS_OK && r < count; r++)
		mets_match_rank(&m, r);
	for (uint32_t r = 0; r < count; r++)
		free(m.ranks[r]);
	free(m.ranks);
	return st;
}

static int
lock_order(const void *left, const void *right)
{
	const struct es__mpi_lock *a = left, *b = right;
	int group = es__mpi_lock_compare(a, b);

	if (group != 0)
		return group;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->epoch < b->epoch ? -1 : a->epoch > b->epoch;
}

static bool
epoch_is_lock(const struct es__mpi_epoch *e)
{
	return e->kind == ES__MPI_EPOCH_SHARED ||
	    e->kind == ES__MPI_EPOCH_EXCLUSIVE;
}

/* Counts the locks of all ranks, and stores them if the list is allocated. */
static void
locks_collect(struct es_mpi_trace *trace)
{
	struct es__mpi_locks *locks = &trace->locks;

	locks->count = 0;
	for (uint32_t r = 0; r < trace->input.rank_count; r++) {
		const struct es__mpi_rma *rma = &trace->scans[r].rma;

		for (uint32_t n = 0; n < rma->epoch_count; n++) {
			const struct es__mpi_epoch *e = &rma->epochs[n];

			if (!epoch_is_lock(e))
				continue;
			if (locks->list != NULL)
				locks->list[locks->count] =
				    (struct es__mpi_lock){ e->comm, e->window,
					    e->target, e->kind, r, n };
			locks->count++;
		}
	}
}

paths_status
es__mpi_rma_match(struct es_mpi_trace *trace)
{
	struct es__mpi_locks *locks = &trace->locks;
	paths_status st = rma_meet(trace);

	if (st != PATHS_OK)
		return st;
	locks_collect(trace);
	locks->list = malloc((locks->count + 1) * sizeof(*locks->list));
	if (locks->list == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for locks");
	locks_collect(trace);
	if (locks->count > 0)
		qsort(locks->list, locks->count, sizeof(*locks->list),
		    lock_order);
	return PATHS_OK;
}
