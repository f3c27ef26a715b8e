/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/interval.c - the measured interval of MPI processes
 *
 * MPI_Init returns to the program after the process has made its event space;
 * the process logs this time.  The entry of MPI_Finalize is that of its tuple,
 * or else the one that the process logged.  Processes of earlier versions
 * logged nothing.  There, MPI_Init returned at the latest when the event space
 * was made, and without a tuple MPI_Finalize ended when the space did.
 */

#include "scopes/clock/interval_private.h"

#include "scopes/mpi.h"

#include "libpaths/log.h"

#include <math.h>

/* MPI_Init is among the first tuples of a thread, and MPI_Finalize among the
   last ones. */
#define EDGE_TUPLES 64u

/* Times of a process. */
struct life {
	int64_t initialized_ns, finalizing_ns, latest_ns;
	enum es__mpi_edge begin, end; /* sources of the first two */
	bool known;		      /* it has an event space */
};

static enum es_mpi_role
tuple_role(const struct es_collector *c, uint64_t n)
{
	const struct es_mpi_function *f =
	    es_mpi_function(es_operation_get(c, n)->op);

	return f == NULL ? ES_MPI_ROLE_OTHER : f->role;
}

/* Takes the end of MPI_Init, unless the later time is known at which it
   returned to the program. */
static void
life_begin(struct life *life, int64_t ns)
{
	if (life->begin == ES__EDGE_RECORDING && ns > life->initialized_ns)
		life->initialized_ns = ns;
	life->begin = ES__EDGE_MPI;
}

/* Takes the times of MPI_Init and MPI_Finalize from the tuples of a thread. */
static void
life_trace(struct life *life, const struct es_collector *c,
    const struct es_timebase *base)
{
	uint64_t few = c->count < EDGE_TUPLES ? c->count : EDGE_TUPLES;

	if (!es__collector_calls(c))
		return;
	for (uint64_t n = 0; n < few; n++) {
		const struct es_operation *t = es_operation_get(c, n);

		if (tuple_role(c, n) == ES_MPI_ROLE_INIT && t->stop != 0)
			life_begin(life, es_time_ns(base, t->stop));
	}
	for (uint64_t n = c->count - few; n < c->count; n++) {
		if (tuple_role(c, n) != ES_MPI_ROLE_FINALIZE)
			continue;
		life->finalizing_ns =
		    es_time_ns(base, es_operation_get(c, n)->start);
		life->end = ES__EDGE_MPI;
	}
}

/* Estimates the entry of MPI_Finalize of a process that has ended, from the
   duration of the call. */
static void
life_profile(struct life *life, const struct es_mpi *mpi, uint32_t rank,
    const struct es_timebase *base)
{
	struct es_mpi_profile profile;
	struct es_mpi_rows rows;
	double ns_per_tick = ldexp((double)base->mult, -48);

	es_mpi_rows_begin(mpi, rank, ES_MPI_PROFILE, &rows);
	while (es_mpi_rows_profile(&rows, &profile)) {
		const struct es_mpi_function *f =
		    es_mpi_function(profile.function);

		if (f == NULL || f->role != ES_MPI_ROLE_FINALIZE)
			continue;
		life->finalizing_ns = life->latest_ns -
		    llround((double)profile.sum_ticks * ns_per_tick);
		life->end = ES__EDGE_ESTIMATE;
	}
}

/* Finds the last known time of a process. */
static void
life_latest(struct life *life, const struct es_analysis *a,
    const struct es_mpi_rank *rank, const struct es_space_info *info)
{
	const struct es_timebase *base = &a->bases[rank->process];

	life->latest_ns = es_time_ns(base, info->latest.ticks);
	/* Tuples can be up to a second later than the last calibration. */
	for (uint32_t n = 0; n < rank->thread_count; n++) {
		const struct es__overview *o =
		    &a->overviews[rank->thread_first + n];
		int64_t last = es_time_ns(base, o->stop_last);

		if (o->stop_last > 0 && last > life->latest_ns)
			life->latest_ns = last;
	}
}

static struct life
life_of(const struct es_analysis *a, uint32_t n)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	const struct es_mpi_rank *rank = es_mpi_rank(mpi, n);
	const struct es_timebase *base = &a->bases[rank->process];
	struct life life = { .begin = ES__EDGE_RECORDING,
		.end = ES__EDGE_RECORDING,
		.finalizing_ns = INT64_MAX,
		.known = rank->space != NULL };
	struct es_space_info info;

	if (!life.known)
		return life;
	es_space_info(rank->space, &info);
	life_latest(&life, a, rank, &info);
	life.initialized_ns = es_time_ns(base, info.start.ticks);
	if (rank->initialized != 0) {
		life.initialized_ns = es_time_ns(base, rank->initialized);
		life.begin = ES__EDGE_MPI;
	}
	if (rank->finalizing != 0) {
		life.finalizing_ns = es_time_ns(base, rank->finalizing);
		life.end = ES__EDGE_MPI;
	}
	for (uint32_t t = 0; t < rank->thread_count; t++)
		life_trace(&life, &a->run->collectors[rank->thread_first + t],
		    base);
	if (life.end == ES__EDGE_RECORDING && rank->control != NULL &&
	    rank->control->state == ES_MPI_FINALIZED)
		life_profile(&life, mpi, n, base);
	return life;
}

/* The interval of the ranks of a world. */
struct world {
	int64_t from_ns, to_ns;
	enum es__mpi_edge begin, end;
};

/* Adds a rank; the worse source of the times of two ranks counts. */
static void
world_add(struct world *w, const struct life *life)
{
	if (life->initialized_ns > w->from_ns)
		w->from_ns = life->initialized_ns;
	if (life->finalizing_ns != INT64_MAX && life->finalizing_ns > w->to_ns)
		w->to_ns = life->finalizing_ns;
	w->begin = life->begin > w->begin ? life->begin : w->begin;
	w->end = life->end > w->end ? life->end : w->end;
}

static struct es__mpi_interval
interval_of(const struct world *w, const struct life *life)
{
	struct es__mpi_interval interval = { .from_ns = w->from_ns,
		.to_ns =
		    w->end == ES__EDGE_RECORDING ? life->latest_ns : w->to_ns,
		.finalizing_ns = life->finalizing_ns,
		.begin = w->begin,
		.end = w->end };

	/* A rank that ended before another one began, or damaged times. */
	if (interval.to_ns < interval.from_ns)
		interval.from_ns = life->initialized_ns < interval.to_ns ?
		    life->initialized_ns :
		    interval.to_ns;
	return interval;
}

static uint32_t
world_number(const struct es_mpi *mpi, uint32_t rank, uint32_t count)
{
	uint32_t world = es_mpi_rank(mpi, rank)->world;

	return world < count ? world : count;
}

static paths_status
intervals_compute(const struct es_analysis *a, struct es__mpi_intervals *all)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	uint32_t count = a->map->process_count;
	struct world *worlds = calloc((size_t)count + 1, sizeof(*worlds));
	struct life *lives = calloc((size_t)count + 1, sizeof(*lives));

	all->count = count;
	all->of = calloc((size_t)count + 1, sizeof(*all->of));
	if (worlds == NULL || lives == NULL || all->of == NULL) {
		free(worlds);
		free(lives);
		return paths_log_fail(PATHS_ENOMEM, "no memory for intervals");
	}
	for (uint32_t w = 0; w <= count; w++)
		worlds[w].from_ns = worlds[w].to_ns = INT64_MIN;
	for (uint32_t n = 0; mpi != NULL && es_mpi_rank(mpi, n) != NULL; n++) {
		lives[n] = life_of(a, n);
		if (lives[n].known)
			world_add(&worlds[world_number(mpi, n, count)],
			    &lives[n]);
	}
	for (uint32_t n = 0; mpi != NULL && es_mpi_rank(mpi, n) != NULL; n++)
		if (lives[n].known)
			all->of[es_mpi_rank(mpi, n)->process] =
			    interval_of(&worlds[world_number(mpi, n, count)],
				&lives[n]);
	free(worlds);
	free(lives);
	return PATHS_OK;
}

static void
intervals_destroy(struct es__kept *kept)
{
	struct es__mpi_intervals *all = (struct es__mpi_intervals *)kept;

	free(all->of);
	free(all);
}

paths_status
es__mpi_intervals_get(struct es_analysis *a,
    const struct es__mpi_intervals **intervals)
{
	struct es__mpi_intervals *fresh;
	paths_status st;

	*intervals = (const struct es__mpi_intervals *)es__analysis_kept(a,
	    intervals_destroy);
	if (*intervals != NULL)
		return PATHS_OK;
	fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for intervals");
	st = intervals_compute(a, fresh);
	if (st != PATHS_OK) {
		intervals_destroy(&fresh->kept);
		return st;
	}
	es__analysis_keep(a, &fresh->kept, intervals_destroy);
	*intervals = fresh;
	return PATHS_OK;
}
