/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/estimates.c - estimates waiting from the profile rows of an MPI
 * run
 *
 * Only the rows of one rank are in memory with their histograms at a time.
 */

#include "scopes/mpi/estimates_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/mpi.h"

#include <math.h>

/* The reading of all rows. */
struct estimates_reading {
	struct es_analysis *a;
	const struct es_mpi *mpi;
	struct es__estimates *estimates;
	size_t room;
	/* The rows of the current rank. */
	struct es_mpi_profile *profiles;
	size_t profile_count, profile_room;
	double ns_per_tick;
};

/* Returns whether a communicator has one member: no call waits in it. */
static bool
reading_is_single(const struct estimates_reading *r, uint32_t comm)
{
	const struct es_mpi_comm_def *def = es_mpi_comm(r->mpi, comm);

	return comm == ES_MPI_RUN_SELF ||
	    (def != NULL && def->size == 1 && def->remote_size == 0);
}

static paths_status
reading_add(struct estimates_reading *r, const struct es_mpi_rows *from,
    const struct es_mpi_profile *profile)
{
	struct es__estimates *e = r->estimates;
	struct es__wait_minimum *m;

	if (!paths__array_grow(&e->rows, e->count, &r->room,
		sizeof(*e->rows)) ||
	    !paths__array_grow(&r->profiles, r->profile_count, &r->profile_room,
		sizeof(*profile)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	r->profiles[r->profile_count++] = *profile;
	m = &e->rows[e->count++];
	*m = (struct es__wait_minimum){ .rank = from->rank,
		.thread = from->thread,
		.site = profile->site,
		.comm = profile->comm,
		.phase = profile->phase,
		.function = profile->function,
		.size_class = profile->size_class,
		.flags = profile->flags,
		.calls = profile->calls,
		.bytes = profile->bytes,
		.time_ns = (double)profile->sum_ticks * r->ns_per_tick,
		.min_ns = (double)profile->min_ticks * r->ns_per_tick,
		.max_ns = (double)profile->max_ticks * r->ns_per_tick };
	if (!reading_is_single(r, profile->comm))
		m->pattern =
		    es__wait_pattern_of(es_mpi_function(profile->function),
			profile->flags);
	return PATHS_OK;
}

static paths_status
reading_rank(struct estimates_reading *r, uint32_t rank)
{
	uint32_t process = es_mpi_rank(r->mpi, rank)->process;
	size_t first = r->estimates->count;
	struct es_mpi_profile profile;
	struct es_mpi_rows rows;
	paths_status st = PATHS_OK;

	r->profile_count = 0;
	r->ns_per_tick = ldexp((double)r->a->bases[process].mult, -48);
	es_mpi_rows_begin(r->mpi, rank, ES_MPI_PROFILE, &rows);
	while (st == PATHS_OK && es_mpi_rows_profile(&rows, &profile))
		st = reading_add(r, &rows, &profile);
	return st == PATHS_OK ?
	    es__wait_minimum_local(r->estimates->rows + first, r->profiles,
		r->profile_count, r->ns_per_tick) :
	    st;
}

/*
 * Returns the time of a process, from its begin to its last known time.  The
 * begin is before the start of its space, because MPI_Init makes the space when
 * the rank is known.
 */
static int64_t
estimates_span_ns(const struct es_analysis *a, uint32_t process, double init_ns)
{
	const struct es_mpi_rank *rank =
	    es_mpi_rank(es_run_mpi(a->run), process);
	const struct es_timebase *base = &a->bases[process];
	struct es_space_info info;
	int64_t from, to;

	if (a->run->spaces[process] == NULL)
		return 0;
	es_space_info(a->run->spaces[process], &info);
	from = es_time_ns(base, info.start.ticks) - llround(init_ns);
	to = es_time_ns(base, info.latest.ticks);
	/* Tuples can be up to a second later than the last calibration. */
	for (uint32_t n = 0; n < rank->thread_count; n++) {
		const struct es__overview *o =
		    &a->overviews[rank->thread_first + n];
		int64_t first = es_time_ns(base, o->start_first);
		int64_t last = es_time_ns(base, o->stop_last);

		from = o->start_first > 0 && first < from ? first : from;
		to = o->stop_last > 0 && last > to ? last : to;
	}
	return to > from ? to - from : 0;
}

static paths_status
estimates_spans(const struct es_analysis *a, struct es__estimates *e)
{
	uint32_t processes = a->map->process_count;
	double *init_ns = calloc((size_t)processes + 1, sizeof(*init_ns));

	e->span_ns = calloc((size_t)processes + 1, sizeof(*e->span_ns));
	if (init_ns == NULL || e->span_ns == NULL) {
		free(init_ns);
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	}
	for (size_t n = 0; n < e->count; n++) {
		const struct es_mpi_function *f =
		    es_mpi_function(e->rows[n].function);

		if (f != NULL && f->role == ES_MPI_ROLE_INIT)
			init_ns[e->rows[n].rank] += e->rows[n].time_ns;
	}
	for (uint32_t p = 0; es_run_mpi(a->run) != NULL && p < processes; p++)
		e->span_ns[p] = estimates_span_ns(a, p, init_ns[p]);
	free(init_ns);
	return PATHS_OK;
}

static paths_status
estimates_compute(struct es_analysis *a, struct es__estimates *e)
{
	struct estimates_reading reading = { .a = a,
		.mpi = es_run_mpi(a->run),
		.estimates = e };
	paths_status st = PATHS_OK;

	for (uint32_t rank = 0; reading.mpi != NULL && st == PATHS_OK &&
	     es_mpi_rank(reading.mpi, rank) != NULL;
	     rank++)
		st = reading_rank(&reading, rank);
	free(reading.profiles);
	if (st == PATHS_OK)
		st = es__wait_minimum_global(e->rows, e->count);
	return st == PATHS_OK ? estimates_spans(a, e) : st;
}

static void
estimates_destroy(struct es__kept *kept)
{
	struct es__estimates *estimates = (struct es__estimates *)kept;

	free(estimates->span_ns);
	free(estimates->rows);
	free(estimates);
}

paths_status
es__estimates_get(struct es_analysis *a, const struct es__estimates **estimates)
{
	struct es__estimates *fresh;
	paths_status st;

	*estimates = (const struct es__estimates *)es__analysis_kept(a,
	    estimates_destroy);
	if (*estimates != NULL)
		return PATHS_OK;
	fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	st = estimates_compute(a, fresh);
	if (st != PATHS_OK) {
		estimates_destroy(&fresh->kept);
		return st;
	}
	es__analysis_keep(a, &fresh->kept, estimates_destroy);
	*estimates = fresh;
	return PATHS_OK;
}

/* Returns whether there are tuples of all calls that were profiled: the trace
   may have been off for a while. */
static bool
estimates_is_traced(const struct es_analysis *a, const struct es__estimates *e)
{
	/* A thread that has ended may have counted a call without a tuple. */
	uint64_t traced = a->run->collector_count, profiled = 0;

	for (uint32_t n = 0; n < a->run->collector_count; n++) {
		const struct es_collector *c = &a->run->collectors[n];

		if (!es__collector_calls(c) || c->discarded > 0)
			return false;
		traced += a->overviews[n].ok;
	}
	for (size_t n = 0; n < e->count; n++)
		profiled += e->rows[n].calls;
	/* A live process makes calls during the comparison. */
	return es_run_live(a->run) || traced >= profiled;
}

paths_status
es__estimates_source(struct es_analysis *a, const char **source)
{
	const struct es__estimates *e;
	uint64_t tuples = 0;
	paths_status st = es__estimates_get(a, &e);

	if (st != PATHS_OK)
		return st;
	for (uint32_t n = 0; n < a->run->collector_count; n++)
		tuples += a->run->collectors[n].count;
	*source = NULL;
	if (es_run_mpi(a->run) == NULL || (tuples == 0 && e->count == 0))
		return PATHS_OK;
	if (tuples > 0 && estimates_is_traced(a, e))
		*source = "trace";
	else
		*source = e->count > 0 ? "profile" : "part";
	return PATHS_OK;
}
