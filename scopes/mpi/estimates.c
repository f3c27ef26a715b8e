/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/estimates.c - estimates waiting from the profile rows of an MPI
 * run
 *
 * The histograms of rows are in memory for one rank at a time.
 */

#include "scopes/mpi/estimates_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/clock/interval_private.h"
#include "scopes/mpi.h"
#include "scopes/mpi/estimates_cut_private.h"
#include "scopes/mpi/wait_cover_private.h"

#include <math.h>
#include <string.h>

/* State while all rows are read. */
struct estimates_reading {
	struct es_analysis *a;
	const struct es_mpi *mpi;
	struct es__estimates *estimates;
	size_t room;
	/* The rows of the current rank. */
	struct es_mpi_profile *profiles;
	size_t profile_count, profile_room;
	struct es_mpi_profile *overlaps; /* rows of ES_MPI_COMPLETED */
	size_t overlap_count, overlap_room;
	double ns_per_tick;
};

/* Returns whether a communicator has a single member, so that no call waits in
   it. */
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
	m->measured_ns = m->time_ns;
	m->overlap_ns = -1;
	if (!reading_is_single(r, profile->comm))
		m->pattern =
		    es__wait_pattern_of(es_mpi_function(profile->function),
			profile->flags);
	return PATHS_OK;
}

static paths_status
reading_keep_overlap(struct estimates_reading *r,
    const struct es_mpi_profile *profile)
{
	if (!paths__array_grow(&r->overlaps, r->overlap_count, &r->overlap_room,
		sizeof(*profile)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	r->overlaps[r->overlap_count++] = *profile;
	return PATHS_OK;
}

/* Returns whether a row is that of the Wait calls of an overlap. */
static bool
overlap_is_of(const struct es_mpi_profile *overlap,
    const struct es__wait_minimum *m)
{
	const struct es_mpi_function *f = es_mpi_function(m->function);

	return m->site == overlap->site && m->phase == overlap->phase &&
	    m->size_class == overlap->size_class &&
	    m->flags == overlap->flags && f != NULL &&
	    (f->role == ES_MPI_ROLE_WAIT || f->role == ES_MPI_ROLE_WAIT_MANY);
}

/* Adds the overlaps of a rank to the rows of its Wait calls, from `first`
   on. */
static void
reading_overlaps(const struct estimates_reading *r, size_t first)
{
	for (size_t k = 0; k < r->overlap_count; k++)
		for (size_t n = first; n < r->estimates->count; n++) {
			struct es__wait_minimum *m = &r->estimates->rows[n];

			if (!overlap_is_of(&r->overlaps[k], m))
				continue;
			m->overlap_ns = fmax(m->overlap_ns, 0) +
			    (double)r->overlaps[k].sum_ticks * r->ns_per_tick;
			break;
		}
}

static paths_status
reading_rank(struct estimates_reading *r, uint32_t rank)
{
	uint32_t process = es_mpi_rank(r->mpi, rank)->process;
	size_t first = r->estimates->count;
	struct es_mpi_profile profile;
	struct es_mpi_rows rows;
	paths_status st = PATHS_OK;

	r->profile_count = r->overlap_count = 0;
	r->ns_per_tick = ldexp((double)r->a->bases[process].mult, -48);
	es_mpi_rows_begin(r->mpi, rank, ES_MPI_PROFILE, &rows);
	while (st == PATHS_OK && es_mpi_rows_profile(&rows, &profile))
		st = profile.function == ES_MPI_COMPLETED ?
		    reading_keep_overlap(r, &profile) :
		    reading_add(r, &rows, &profile);
	reading_overlaps(r, first);
	return st == PATHS_OK ?
	    es__wait_minimum_local(r->estimates->rows + first, r->profiles,
		r->profile_count, r->ns_per_tick) :
	    st;
}

/* Returns whether there are tuples of all calls that were profiled.  There are
   not if tracing was off for a while. */
static bool
estimates_is_traced(const struct es_analysis *a, const struct es__estimates *e)
{
	/* Allows one call more for each thread, because a thread that was
	   killed may have counted a call without a tuple. */
	uint64_t traced = a->run->collector_count, profiled = 0;

	for (uint32_t n = 0; n < a->run->collector_count; n++) {
		const struct es_collector *c = &a->run->collectors[n];

		if (!es__collector_calls(c) || c->discarded > 0)
			return false;
		traced += a->overviews[n].ok;
	}
	for (size_t n = 0; n < e->count; n++)
		profiled += e->rows[n].calls;
	/* A live process makes calls during the comparison, so the numbers may
	   differ. */
	return es_run_live(a->run) || traced >= profiled;
}

/* Chooses the source of all waiting, as es__estimates_source gives it. */
static const char *
estimates_choose(const struct es_analysis *a, const struct es__estimates *e)
{
	uint64_t tuples = 0;

	for (uint32_t n = 0; n < a->run->collector_count; n++)
		tuples += a->run->collectors[n].count;
	if (es_run_mpi(a->run) == NULL || (tuples == 0 && e->count == 0))
		return NULL;
	if (tuples > 0 && estimates_is_traced(a, e))
		return "trace";
	return e->count > 0 ? "profile" : "part";
}

/* Marks the rows whose estimate is the best source. */
static void
estimates_use(struct es__estimates *e)
{
	bool traced = e->source != NULL && strcmp(e->source, "trace") == 0;

	for (size_t n = 0; n < e->count; n++) {
		struct es__wait_minimum *m = &e->rows[n];

		m->used = m->pattern != ES__WAIT_NONE &&
		    (!traced ||
			es__wait_cover_of(m->function, m->flags,
			    ES__WAIT_DATA_TRACE) == ES__COVER_NONE);
	}
}

/* Limits MPI_Init and MPI_Finalize to the measured interval.  The time in
   MPI_Finalize before its end is known, and is waiting. */
static paths_status
estimates_measure(struct es_analysis *a, struct es__estimates *e)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	const struct es__mpi_intervals *all;
	paths_status st = es__mpi_intervals_get(a, &all);

	for (size_t n = 0; st == PATHS_OK && mpi != NULL && n < e->count; n++) {
		struct es__wait_minimum *m = &e->rows[n];
		const struct es_mpi_function *f = es_mpi_function(m->function);
		const struct es_mpi_rank *rank = es_mpi_rank(mpi, m->rank);
		const struct es__mpi_interval *in;

		if (f == NULL || rank == NULL)
			continue;
		if (f->role == ES_MPI_ROLE_INIT)
			m->measured_ns = 0;
		if (f->role != ES_MPI_ROLE_FINALIZE)
			continue;
		in = &all->of[rank->process];
		m->measured_ns = in->finalizing_ns < in->to_ns ?
		    fmin((double)(in->to_ns - in->finalizing_ns), m->time_ns) :
		    0;
		m->pattern = ES__WAIT_FINALIZE;
		for (int i = 0; i < ES__WAIT_MINIMUM_METHODS; i++)
			m->wait_ns[i] = m->measured_ns;
	}
	return st == PATHS_OK && mpi != NULL ? es__estimates_cut(a, all, e) :
					       st;
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
	free(reading.overlaps);
	if (st == PATHS_OK)
		st = es__wait_minimum_global(e->rows, e->count);
	if (st == PATHS_OK)
		st = estimates_measure(a, e);
	e->source = estimates_choose(a, e);
	estimates_use(e);
	return st;
}

static void
estimates_destroy(struct es__kept *kept)
{
	struct es__estimates *estimates = (struct es__estimates *)kept;

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

paths_status
es__estimates_source(struct es_analysis *a, const char **source)
{
	const struct es__estimates *e = NULL;
	paths_status st = es__estimates_get(a, &e);

	*source = st == PATHS_OK && e != NULL ? e->source : NULL;
	return st;
}
