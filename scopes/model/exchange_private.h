/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/exchange_private.h - the sends and receives of each rank
 */

#ifndef SCOPES_MODEL_EXCHANGE_PRIVATE_H
#define SCOPES_MODEL_EXCHANGE_PRIVATE_H

#include "scopes/match/trace_private.h"

/* A send or a receive of a rank. */
struct es__exchange {
	uint64_t start, stop; /* ticks of the rank */
	double sent_ns;	      /* begin of the send, on the clock of the run */
	uint64_t bytes;
	uint32_t other;	 /* rank of the run */
	uint32_t order;	 /* of posting, of a receive */
	uint32_t thread; /* of the map */
	bool receives;
	bool blocks; /* it is a blocking receive, and no send */
};

struct es__exchanges {
	struct es__exchange *list; /* by rank, then begin */
	size_t *first;		   /* of each rank; one more at the end */
	uint32_t rank_count;
	uint64_t unmatched; /* receives */
};

/*
 * es__exchanges_find - list the matched messages of each rank
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__exchanges_fini, also on failure
 */
paths_status es__exchanges_find(const struct es_mpi_trace *trace,
    struct es__exchanges *exchanges) PATHS_CHECKED;

void es__exchanges_fini(struct es__exchanges *exchanges);

#endif
