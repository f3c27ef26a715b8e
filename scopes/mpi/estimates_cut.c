/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/estimates_cut.c - removes the time before the measured interval
 * from profiles
 *
 * A rank that leaves MPI_Init before others makes its first calls before the
 * interval.  For each thread, site and function, the time of these calls is
 * subtracted from the rows with the same thread, site and function, in
 * proportion to their time.
 */

#include "scopes/mpi/estimates_cut_private.h"

#include "scopes/mpi/traced_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

/* The time of some calls before the interval. */
struct early {
	uint32_t rank, thread, site, function;
	double ns;
};

struct cut {
	struct early *list;
	size_t count, room;
};

/* Adds a time to those of its rank at the end of the list. */
static paths_status
cut_add(struct cut *cut, const struct early *early)
{
	for (size_t n = cut->count;
	     n > 0 && cut->list[n - 1].rank == early->rank; n--) {
		struct early *old = &cut->list[n - 1];

		if (old->thread == early->thread && old->site == early->site &&
		    old->function == early->function) {
			old->ns += early->ns;
			return PATHS_OK;
		}
	}
	if (!paths__array_grow(&cut->list, cut->count, &cut->room,
		sizeof(*cut->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	cut->list[cut->count++] = *early;
	return PATHS_OK;
}

/* Returns whether a call is limited to the interval by its function. */
static bool
call_has_edge(const struct es_tuple_mpi *t)
{
	const struct es_mpi_function *f = es_mpi_function(t->op);

	return f == NULL || f->role == ES_MPI_ROLE_INIT ||
	    f->role == ES_MPI_ROLE_FINALIZE;
}

/* Adds the calls of a ring that begin before a time. */
static paths_status
cut_ring(struct cut *cut, const struct es_mpi_trace_input *input, uint32_t ring,
    int64_t from_ns)
{
	const struct es_mpi_trace_ring *r = &input->rings[ring];
	const struct es_timebase *base = &input->ranks[r->rank].base;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < r->count; n++) {
		struct es_mpi_at at = { ring, n };
		const struct es_tuple_mpi *t = es_mpi_trace_tuple(input, at);
		int64_t start, stop;

		if (!es_mpi_trace_is_call(input, at))
			continue;
		start = es_time_ns(base, t->start);
		if (start >= from_ns)
			break;
		if (t->stop == 0 || call_has_edge(t))
			continue;
		stop = es_time_ns(base, t->stop);
		st = cut_add(cut,
		    &(struct early){ r->rank, r->thread, t->site, t->op,
			(double)((stop < from_ns ? stop : from_ns) - start) });
	}
	return st;
}

static bool
row_has(const struct es__wait_minimum *m, const struct early *early)
{
	return m->rank == early->rank && m->thread == early->thread &&
	    m->site == early->site && m->function == early->function;
}

/* Returns the number of the first row of a rank, or of the next rank with
   rows. */
static size_t
rows_of(const struct es__estimates *e, uint32_t rank)
{
	size_t low = 0, high = e->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (e->rows[middle].rank < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Subtracts a time from the rows of its calls, and from their waiting, because
   a call waits at its begin. */
static void
cut_rows(struct es__estimates *e, const struct early *early)
{
	size_t first = rows_of(e, early->rank), end = first;
	double sum = 0;

	for (; end < e->count && e->rows[end].rank == early->rank; end++)
		if (row_has(&e->rows[end], early))
			sum += e->rows[end].measured_ns;
	for (size_t n = first; sum > 0 && n < end; n++) {
		struct es__wait_minimum *m = &e->rows[n];
		double early_ns = m->measured_ns * fmin(early->ns / sum, 1);

		if (!row_has(m, early))
			continue;
		m->measured_ns -= early_ns;
		for (int i = 0; i < ES__WAIT_MINIMUM_METHODS; i++)
			m->wait_ns[i] = fmax(m->wait_ns[i] - early_ns, 0);
	}
}

paths_status
es__estimates_cut(struct es_analysis *a,
    const struct es__mpi_intervals *intervals, struct es__estimates *e)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	struct cut cut = { .list = NULL };
	struct es__traced *traced = NULL;
	paths_status st = e->count == 0 ? PATHS_OK : es__traced_get(a, &traced);

	for (uint32_t n = 0; st == PATHS_OK && traced != NULL &&
	     n < traced->in->input.ring_count;
	     n++) {
		const struct es_mpi_trace_input *input = &traced->in->input;
		const struct es_mpi_rank *rank =
		    es_mpi_rank(mpi, input->rings[n].rank);

		if (rank != NULL)
			st = cut_ring(&cut, input, n,
			    intervals->of[rank->process].from_ns);
	}
	for (size_t n = 0; st == PATHS_OK && n < cut.count; n++)
		cut_rows(e, &cut.list[n]);
	free(cut.list);
	return st;
}
