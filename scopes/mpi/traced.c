/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/traced.c - keeps the wait states of a run with its analysis
 */

#include "scopes/mpi/traced_private.h"

#include "scopes/job.h"

#include "libpaths/log.h"

#include <stdlib.h>

static void
traced_destroy(struct es__kept *kept)
{
	struct es__traced *t = (struct es__traced *)kept;

	es__mpi_waits_fini(&t->waits);
	free(t);
}

paths_status
es__traced_get(struct es_analysis *a, struct es__traced **traced)
{
	struct es__traced *fresh;
	struct es__matched *matched;
	paths_status st;

	*traced = (struct es__traced *)es__analysis_kept(a, traced_destroy);
	if (*traced != NULL)
		return PATHS_OK;
	st = es__matched_get(a, &matched);
	if (st != PATHS_OK || matched == NULL)
		return st;
	fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	fresh->in = &matched->in;
	es__analysis_keep(a, &fresh->kept, traced_destroy);
	*traced = fresh;
	return PATHS_OK;
}

paths_status
es__traced_whole(struct es_analysis *a, struct es__traced **traced)
{
	struct es__matched *matched;
	paths_status st = es__traced_get(a, traced);

	if (st != PATHS_OK || *traced == NULL || (*traced)->trace != NULL)
		return st;
	st = es__matched_whole(a, &matched);
	if (st == PATHS_OK)
		(*traced)->trace = matched->trace;
	return st;
}

paths_status
es__traced_waits(struct es_analysis *a, struct es__traced **traced)
{
	paths_status st = es__traced_get(a, traced);
	struct es__mpi_waits_how how = { .a = a, .threads = a->threads };
	struct es__traced *t = *traced;

	if (st != PATHS_OK || t == NULL || t->has_waits)
		return st;
	how.quota = es__mpi_waits_quota(t->in->input.ring_count);
	if (es_job_size() > 1)
		/* All ranks of a job have the same windows, and tell each other
		   about each of them. */
		how.quota *= es_job_size();
	else if (how.threads > ES__MPI_WAITS_THREADS)
		how.threads = ES__MPI_WAITS_THREADS;
	how.also = t->also;
	t->also = NULL;
	st = es__mpi_waits_with(&t->in->input, &how, &t->waits);
	if (st != PATHS_OK) {
		es__mpi_waits_fini(&t->waits);
		t->waits = (struct es__mpi_waits){ 0 };
		return st;
	}
	t->has_waits = true;
	return PATHS_OK;
}

paths_status
es_mpi_trace_get(struct es_analysis *analysis,
    const struct es_mpi_trace **trace)
{
	struct es__traced *traced;
	paths_status st = es__traced_whole(analysis, &traced);

	if (st != PATHS_OK)
		return st;
	if (traced == NULL)
		return paths_log_fail(PATHS_ENOENT,
		    "not a run of MPI processes");
	*trace = traced->trace;
	return PATHS_OK;
}
