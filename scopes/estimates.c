/* SPDX-License-Identifier: MIT */
/*
 * scopes/estimates.c - the profile rows of an MPI run, and what they tell of
 * waiting
 *
 * Rows stay where they are, in the event spaces; a live process changes them
 * while they are read, so numbers of one row may be a call apart.
 */

#include "scopes/estimates_private.h"

#include "libpaths/log.h"

#include <math.h>

struct harvest {
	struct es_analysis *a;
	struct es__estimates *estimates;
	size_t room;
	/* Of the process whose rows are taken. */
	uint32_t process;
	uint64_t epoch;
	double ns_per_tick;
};

/* Nobody waits for anybody in a collective of one. */
static bool
harvest_is_alone(const struct harvest *h, const struct es_mpi_profile *row)
{
	return row->comm == ES_MPI_COMM_SELF ||
	    (row->comm == ES_MPI_COMM_WORLD &&
		h->a->run->alone[h->process].world_size == 1);
}

static paths_status
harvest_row(struct harvest *h, const struct es_mpi_profile *row,
    uint32_t collector)
{
	struct es__estimates *e = h->estimates;
	struct es__minimum *m;

	if (e->count == h->room) {
		size_t room = 2 * h->room + 256;
		void *larger = reallocarray(e->rows, room, sizeof(*e->rows));

		if (larger == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for profiles");
		e->rows = larger;
		h->room = room;
	}
	m = &e->rows[e->count++];
	*m = (struct es__minimum){ .row = row,
		.ns_per_tick = h->ns_per_tick,
		.rank = h->process,
		.thread = h->a->run->collectors[collector].thread,
		.site = row->site };
	if (!harvest_is_alone(h, row))
		m->pattern = es__wait_pattern_of(es_mpi_function(row->function),
		    row->flags);
	return PATHS_OK;
}

static paths_status
harvest_part(struct harvest *h, const struct es_space_rows *part)
{
	const struct es_mpi_profile *rows = part->rows;
	uint32_t collector =
	    es__run_alone_collector(h->a->run, h->process, part->owner);
	paths_status st = PATHS_OK;

	if (part->what != ES_MPI_PROFILE || part->row_bytes != sizeof(*rows) ||
	    collector == PATHS_NONE)
		return PATHS_OK;
	for (uint64_t n = 0; st == PATHS_OK && n < part->count; n++)
		if (rows[n].epoch == h->epoch && rows[n].calls > 0)
			st = harvest_row(h, &rows[n], collector);
	return st;
}

/* What the process said last of when its rows were emptied. */
static uint64_t
space_epoch(const struct es_space *space)
{
	struct es_space_rows part;
	uint64_t epoch = 0;

	for (uint32_t n = 0; es_space_rows(space, n, &part) == PATHS_OK; n++) {
		const struct es_mpi_control *control = part.rows;

		if (part.what == ES_MPI_CONTROL && part.count > 0 &&
		    part.row_bytes == sizeof(*control))
			epoch = 2 * (uint64_t)control->epoch;
	}
	return epoch;
}

static paths_status
harvest_process(struct harvest *h, uint32_t process)
{
	const struct es_space *space = h->a->run->spaces[process];
	struct es_space_rows part;
	paths_status st = PATHS_OK;

	if (space == NULL)
		return PATHS_OK;
	h->process = process;
	h->epoch = space_epoch(space);
	h->ns_per_tick = ldexp((double)h->a->bases[process].mult, -48);
	for (uint32_t n = 0;
	     st == PATHS_OK && es_space_rows(space, n, &part) == PATHS_OK; n++)
		st = harvest_part(h, &part);
	return st;
}

static paths_status
estimates_compute(struct es_analysis *a, struct es__estimates *e)
{
	struct harvest h = { .a = a, .estimates = e };
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; a->run->alone != NULL && st == PATHS_OK &&
	     p < a->map->process_count;
	     p++)
		st = harvest_process(&h, p);
	return st == PATHS_OK ? es__minimum_compute(e->rows, e->count) : st;
}

paths_status
es__estimates_get(struct es_analysis *a, const struct es__estimates **estimates)
{
	paths_status st = PATHS_OK;

	if (a->estimates == NULL) {
		struct es__estimates *e = calloc(1, sizeof(*e));

		st = e == NULL ?
		    paths_log_fail(PATHS_ENOMEM, "no memory for profiles") :
		    estimates_compute(a, e);
		if (st != PATHS_OK) {
			es__estimates_destroy(e);
			return st;
		}
		a->estimates = e;
	}
	*estimates = a->estimates;
	return st;
}

void
es__estimates_destroy(struct es__estimates *estimates)
{
	if (estimates == NULL)
		return;
	free(estimates->rows);
	free(estimates);
}

int64_t
es__rank_span_ns(const struct es_analysis *a, uint32_t process)
{
	const struct es__run_alone *alone = &a->run->alone[process];
	const struct es_timebase *base = &a->bases[process];
	struct es_space_info info;
	int64_t from, to;

	if (a->run->spaces[process] == NULL)
		return 0;
	es_space_info(a->run->spaces[process], &info);
	from = es_time_ns(base, info.start.ticks);
	to = es_time_ns(base, info.latest.ticks);
	/* Calibrations are up to about a second old. */
	for (uint32_t n = 0; n < alone->owner_count; n++) {
		uint64_t last = a->overviews[alone->first + n].stop_last;
		int64_t ns = es_time_ns(base, last);

		if (last > 0 && ns > to)
			to = ns;
	}
	return to > from ? to - from : 0;
}
