/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_scan_private.h - finds the epochs of one-sided communication
 * of a rank
 */

#ifndef SCOPES_MATCH_RMA_SCAN_PRIVATE_H
#define SCOPES_MATCH_RMA_SCAN_PRIVATE_H

#include "scopes/match/rma_private.h"

#include "libpaths/base/hash.h"

/* State of the windows of a rank during its scan. */
struct es__mpi_rma_scan {
	struct es_mpi_trace *trace;
	struct es__mpi_rma *found;
	struct paths__hash windows, targets;
	struct es__mpi_rma_target *reached; /* by number */
	size_t reached_count, reached_room;
};

/* A tuple of a call on a window. */
struct es__mpi_rma_step {
	struct es_mpi_at at;
	const struct es_tuple_mpi *tuple;
	uint32_t comm;	 /* of the run; PATHS_NONE: unknown */
	uint32_t target; /* rank of the run; PATHS_NONE: unknown */
	uint32_t rank;	 /* of the caller */
};

/*
 * es__mpi_rma_scan - take the next call on a window
 * es__mpi_rma_scan_end - take the end of the request of an access
 *
 * access	the tuple that made the request
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_rma_scan(struct es__mpi_rma_scan *scan,
    enum es__mpi_rma_action action, const struct es__mpi_rma_step *step)
    PATHS_CHECKED;
paths_status es__mpi_rma_scan_end(struct es__mpi_rma_scan *scan,
    const struct es__mpi_rma_step *access, struct es_mpi_at end) PATHS_CHECKED;
void es__mpi_rma_scan_fini(struct es__mpi_rma_scan *scan);

#endif
