/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/doubts.c - gives error bounds for differences of times of two
 * ranks
 */

#include "scopes/mpi/doubts_private.h"

#include "scopes/mpi.h"

#include <stdlib.h>

paths_status
es__mpi_doubts_init(struct es__mpi_doubts *doubts, const struct es_analysis *a,
    uint32_t ranks)
{
	const struct es_mpi *mpi;

	*doubts = (struct es__mpi_doubts){ .a = a };
	if (a == NULL || a->clocks.domain_count < 2)
		return PATHS_OK;
	doubts->domains = calloc((size_t)ranks + 1, sizeof(*doubts->domains));
	if (doubts->domains == NULL)
		return PATHS_ENOMEM;
	mpi = es_run_mpi(a->run);
	for (uint32_t r = 0; r < ranks; r++)
		doubts->domains[r] =
		    a->clocks.domain_of[es_mpi_rank(mpi, r)->process];
	return PATHS_OK;
}

void
es__mpi_doubts_fini(struct es__mpi_doubts *doubts)
{
	free(doubts->domains);
}
