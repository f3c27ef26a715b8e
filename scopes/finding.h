/* SPDX-License-Identifier: MIT */
/*
 * scopes/finding.h - what stands out in a run
 *
 * Sentences that queries over the views make, for whoever shows a run of a
 * program on paths: they say the same everywhere.  (Of MPI programs the first
 * page is another, see show_mpi.c.)  Each knows what it tells of, and where
 * that is seen.
 */

#ifndef SCOPES_FINDING_H
#define SCOPES_FINDING_H

#include "scopes/store.h"

struct es_finding {
	const char *table; /* that tells it */
	const char *text;  /* one sentence */
	const char *kind;  /* of what it tells of: thread, stage, site, step */
	int64_t id;
	const char *chart;   /* the chart that shows it */
	const char *measure; /* of that chart; NULL: its first */
};

/* Takes one; the texts are lent for the call.  An error ends the search. */
typedef paths_status es_finding_take(void *to,
    const struct es_finding *finding);

/*
 * es_finding_each - find what stands out
 *
 * What view.db has no views of is passed over.
 *
 * store	open for reading
 * table	only what it tells; NULL: of all
 * take		called for each, what matters most first
 *
 * Returns	PATHS_OK; what es_rows_next or take answers
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_finding_each(struct es_store *store, const char *table,
    es_finding_take *take, void *to) PATHS_CHECKED;

#endif
