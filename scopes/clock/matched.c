/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/matched.c - keeps the MPI trace of a run with its analysis
 *
 * Clocks are aligned by the messages of the trace, so it is made before the
 * times of its ranks are known.
 */

#include "scopes/clock/matched_private.h"

#include "scopes/clock/analysis_private.h"

#include "scopes/mpi.h"

#include "libpaths/log.h"

static void
matched_set_bases(const struct es_analysis *a, struct es__matched *matched)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);

	for (uint32_t r = 0; r < matched->in.input.rank_count; r++)
		matched->in.ranks[r].base =
		    a->bases[es_mpi_rank(mpi, r)->process];
}

paths_status
es__matched_get(struct es_analysis *a, struct es__matched **matched)
{
	struct es__matched *fresh;
	paths_status st;

	*matched = NULL;
	if (es_run_mpi(a->run) == NULL)
		return PATHS_OK;
	if (a->matched == NULL) {
		fresh = calloc(1, sizeof(*fresh));
		if (fresh == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a trace");
		st = es__mpi_input_init(&fresh->in, a->run);
		if (st != PATHS_OK) {
			es__matched_close(fresh);
			return st;
		}
		a->matched = fresh;
	}
	matched_set_bases(a, a->matched);
	*matched = a->matched;
	return PATHS_OK;
}

paths_status
es__matched_whole(struct es_analysis *a, struct es__matched **matched)
{
	paths_status st = es__matched_get(a, matched);

	if (st != PATHS_OK || *matched == NULL || (*matched)->trace != NULL)
		return st;
	return es_mpi_trace_open(&(*matched)->in.input, a->threads,
	    &(*matched)->trace);
}

void
es__matched_drop_whole(struct es__matched *matched)
{
	es_mpi_trace_close(matched->trace);
	matched->trace = NULL;
}

void
es__matched_close(struct es__matched *matched)
{
	if (matched == NULL)
		return;
	es__matched_drop_whole(matched);
	es__mpi_input_fini(&matched->in);
	free(matched);
}
