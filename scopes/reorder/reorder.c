/* SPDX-License-Identifier: MIT */
/*
 * scopes/reorder/reorder.c - what a process of an MPI program knows about
 * itself: its traffic, and where it runs
 */

#include "scopes/reorder.h"

#include "scopes/model/locality_private.h"

#include "collectors/mpi.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct es_reorder {
	/* Counts when the interval began, and since then; by peer. */
	struct es_reorder_flow *first, *flows;
	size_t first_count, flow_count;
	size_t first_room, flow_room;
};

/* Traffic that is added up row by row. */
struct reading {
	const struct es_mpi_control *control;
	struct es_reorder_flow *flows;
	size_t count, room;
};

static paths_status
reorder_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for the traffic");
}

/* Finds the row of the process; an interposer without one records nothing. */
static paths_status
control_find(const struct es_mpi_control **control)
{
	struct es_space_rows part;
	paths_status st;

	for (uint32_t n = 0;; n++) {
		st = es_mpi_rows(n, &part);
		if (st == PATHS_ENOENT && n > 0)
			return paths_log_fail(PATHS_EINVAL,
			    "the process is not recorded");
		if (st != PATHS_OK)
			return st;
		if (part.what == ES_MPI_CONTROL) {
			*control = (const struct es_mpi_control *)part.rows;
			return PATHS_OK;
		}
	}
}

/* Adds a row, if it was counted since the last reset.  Receives are counted by
   their senders.  Bytes that a get fetches count as sent. */
static paths_status
reading_row(struct reading *r, const struct es_mpi_matrix *row)
{
	/* Pairs with the release that clears a row. */
	uint64_t epoch =
	    atomic_load_explicit(&row->epoch, memory_order_acquire);
	uint64_t now = 2 *
	    (uint64_t)atomic_load_explicit(&r->control->epoch,
		memory_order_acquire);
	struct es_reorder_flow flow = { .peer = row->peer };

	if (epoch != now || row->category == ES_MPI_CATEGORY_RECEIVED ||
	    row->category >= ES_MPI_CATEGORIES)
		return PATHS_OK;
	/* Relaxed: counts, ordered with nothing. */
	flow.messages =
	    atomic_load_explicit(&row->messages, memory_order_relaxed);
	flow.bytes = atomic_load_explicit(&row->bytes, memory_order_relaxed);
	if (!paths__array_grow(&r->flows, r->count, &r->room,
		sizeof(*r->flows)))
		return reorder_no_memory();
	r->flows[r->count++] = flow;
	return PATHS_OK;
}

static int
flow_order(const void *left, const void *right)
{
	const struct es_reorder_flow *a = left, *b = right;

	return (a->peer > b->peer) - (a->peer < b->peer);
}

/* Sorts by peer, and adds up what belongs to the same one. */
static void
reading_sum(struct reading *r)
{
	size_t count = 0;

	if (r->count > 0)
		qsort(r->flows, r->count, sizeof(*r->flows), flow_order);
	for (size_t n = 0; n < r->count; n++) {
		const struct es_reorder_flow *flow = &r->flows[n];

		if (count == 0 || r->flows[count - 1].peer != flow->peer) {
			r->flows[count++] = *flow;
			continue;
		}
		r->flows[count - 1].messages += flow->messages;
		r->flows[count - 1].bytes += flow->bytes;
	}
	r->count = count;
}

/* Reads the counts of the process up to now. */
static paths_status
reading_take(struct reading *r)
{
	struct es_space_rows part;
	/* Opens the space again, with all parts. */
	paths_status st = control_find(&r->control);

	if (st != PATHS_OK)
		return st;
	/* A part that is not the first does not open it again. */
	for (uint32_t n = 1;
	     st == PATHS_OK && es_mpi_rows(n, &part) == PATHS_OK; n++) {
		const struct es_mpi_matrix *rows = part.rows;

		if (part.kind != ES_PART_ROWS || part.what != ES_MPI_MATRIX ||
		    part.row_bytes != sizeof(*rows))
			continue;
		for (uint64_t k = 0; st == PATHS_OK && k < part.count; k++)
			st = reading_row(r, &rows[k]);
	}
	reading_sum(r);
	return st;
}

/* Leaves the traffic since the interval began.  After a reset, counts are
   smaller, and all of them count. */
static void
flows_subtract(struct es_reorder *reorder)
{
	size_t k = 0;

	for (size_t n = 0; n < reorder->flow_count; n++) {
		struct es_reorder_flow *flow = &reorder->flows[n];
		const struct es_reorder_flow *first = reorder->first;

		while (k < reorder->first_count && first[k].peer < flow->peer)
			k++;
		if (k < reorder->first_count && first[k].peer == flow->peer &&
		    first[k].messages <= flow->messages &&
		    first[k].bytes <= flow->bytes) {
			flow->messages -= first[k].messages;
			flow->bytes -= first[k].bytes;
		}
	}
}

paths_status
es_reorder_flows(struct es_reorder *reorder,
    const struct es_reorder_flow **flows, size_t *count, int32_t *world)
{
	struct reading r = { .flows = reorder->flows,
		.room = reorder->flow_room };
	paths_status st = reading_take(&r);

	/* The array may have grown, also on failure. */
	reorder->flows = r.flows;
	reorder->flow_room = r.room;
	reorder->flow_count = r.count;
	if (st != PATHS_OK)
		return st;
	flows_subtract(reorder);
	*flows = reorder->flows;
	*count = reorder->flow_count;
	*world = r.control->rank;
	return PATHS_OK;
}

paths_status
es_reorder_restart(struct es_reorder *reorder)
{
	struct reading r = { .flows = reorder->first,
		.room = reorder->first_room };
	paths_status st = reading_take(&r);

	reorder->first = r.flows;
	reorder->first_room = r.room;
	reorder->first_count = st == PATHS_OK ? r.count : 0;
	return st;
}

paths_status
es_reorder_open(struct es_reorder **reorder)
{
	struct es_reorder *made = calloc(1, sizeof(*made));
	paths_status st;

	if (made == NULL)
		return reorder_no_memory();
	st = es_reorder_restart(made);
	if (st == PATHS_OK)
		*reorder = made;
	else
		es_reorder_close(made);
	return st;
}

void
es_reorder_close(struct es_reorder *reorder)
{
	if (reorder == NULL)
		return;
	free(reorder->first);
	free(reorder->flows);
	free(reorder);
}

paths_status
es_reorder_pause(uint32_t *mode)
{
	const struct es_mpi_control *control;
	paths_status st = control_find(&control);

	if (st != PATHS_OK)
		return st;
	/* Relaxed: a setting, ordered with nothing. */
	*mode = atomic_load_explicit(&control->mode, memory_order_relaxed);
	return es_mpi_stop();
}

void
es_reorder_find(const struct paths_topology *topology, uint32_t processor,
    struct es_reorder_site *site)
{
	uint64_t mask[ES_MPI_BINDING_WORDS] = { 0 };
	struct es__rank_place place;

	if (processor == 0)
		sched_getaffinity(0, sizeof(mask), (cpu_set_t *)(void *)mask);
	else if (processor <= 64 * ES_MPI_BINDING_WORDS)
		mask[(processor - 1) / 64] = UINT64_C(1)
		    << (processor - 1) % 64;
	place = es__rank_place_of(topology, mask, ES_MPI_BINDING_WORDS);
	site->package = place.groups[ES__LOCALITY_PACKAGE];
	site->numa = place.groups[ES__LOCALITY_NUMA];
	site->cache = place.groups[ES__LOCALITY_CACHE];
	site->core = place.groups[ES__LOCALITY_CORE];
}
