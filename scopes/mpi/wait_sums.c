/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_sums.c - adds up the waiting in each MPI function, from the
 * best source for it
 *
 * If the trace has all calls, or there is no profile, the calls of a rank are
 * taken from the trace, and the profile gives only the waiting of functions for
 * which traces have no pattern.  Otherwise calls and waiting are taken from the
 * profile.
 */

#include "scopes/mpi/wait_sums_private.h"

#include "scopes/mpi.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/wait_cover_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <string.h>

struct sums {
	/* One for each function, for the current rank. */
	struct es__wait_sum *of;
	uint32_t count;
	struct es__traced *traced; /* NULL: calls are taken from the profile */
};

/* Adds the calls of a rank from the trace. */
static void
sums_trace(const struct sums *s, const struct es__mpi_rank_waits *waits)
{
	for (uint32_t n = 0; n < s->count && waits->functions != NULL; n++) {
		const struct es__mpi_function_waits *f = &waits->functions[n];
		struct es__wait_sum *sum = &s->of[n];

		sum->calls = f->calls;
		sum->time_ns = f->time_ns;
		sum->wait_ns = f->wait_ns;
		sum->uncovered_ns = f->uncovered_ns;
		if (es__wait_cover_of(n, 0, ES__WAIT_DATA_TRACE) ==
		    ES__COVER_PATTERN)
			sum->source = "trace";
	}
}

/* Adds a profile row to the sum of its function: all of it if there is no
   trace, else only its estimate, if that is used. */
static void
sum_profile(struct es__wait_sum *sum, const struct es__wait_minimum *m,
    bool traced)
{
	enum es__wait_cover cover =
	    es__wait_cover_of(m->function, m->flags, ES__WAIT_DATA_PROFILE);
	int64_t time = llround(m->measured_ns);

	if (!traced) {
		sum->calls += m->calls;
		sum->time_ns += time;
		sum->uncovered_ns += cover == ES__COVER_NONE ? time : 0;
	}
	if (!m->used)
		return;
	sum->wait_ns += llround(m->wait_ns[ES__WAIT_MINIMUM_PLAIN]);
	sum->source = "profile";
	if (traced)
		sum->uncovered_ns = 0;
}

/* Passes the sums of a rank, and clears them. */
static paths_status
sums_pass(const struct sums *s, uint32_t rank, es__wait_sum_each *each,
    void *to)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < s->count; n++) {
		struct es__wait_sum sum = s->of[n];

		s->of[n] = (struct es__wait_sum){ 0 };
		sum.rank = rank;
		sum.function = n;
		if (st == PATHS_OK && sum.calls > 0)
			st = each(to, &sum);
	}
	return st;
}

/* Adds the profile rows of a rank, from *row on. */
static void
sums_profile(const struct sums *s, const struct es__estimates *e, uint32_t rank,
    size_t *row)
{
	for (; *row < e->count && e->rows[*row].rank == rank; ++*row) {
		const struct es__wait_minimum *m = &e->rows[*row];

		if (m->function < s->count)
			sum_profile(&s->of[m->function], m, s->traced != NULL);
	}
}

static paths_status
sums_ranks(const struct sums *s, const struct es__estimates *e,
    const struct es_mpi *mpi, es__wait_sum_each *each, void *to)
{
	paths_status st = PATHS_OK;
	size_t row = 0;

	for (uint32_t r = 0; st == PATHS_OK && es_mpi_rank(mpi, r) != NULL;
	     r++) {
		if (s->traced != NULL)
			sums_trace(s, &s->traced->waits.ranks[r]);
		sums_profile(s, e, r, &row);
		st = sums_pass(s, r, each, to);
	}
	return st;
}

static uint32_t
functions_count(void)
{
	uint32_t count = 0;

	while (es_mpi_function(count) != NULL)
		count++;
	return count;
}

paths_status
es__wait_sums(struct es_analysis *a, es__wait_sum_each *each, void *to)
{
	struct sums s = { .count = functions_count() };
	const struct es__estimates *e = NULL;
	paths_status st = es__estimates_get(a, &e);

	if (st != PATHS_OK || e->source == NULL)
		return st;
	if (strcmp(e->source, "profile") != 0)
		st = es__traced_waits(a, &s.traced);
	if (st != PATHS_OK)
		return st;
	s.of = calloc((size_t)s.count + 1, sizeof(*s.of));
	if (s.of == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for functions");
	st = sums_ranks(&s, e, es_run_mpi(a->run), each, to);
	free(s.of);
	return st;
}
