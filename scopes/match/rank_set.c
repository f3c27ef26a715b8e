/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rank_set.c - finds the set of ranks that a tuple names
 */

#include "scopes/mpi_trace.h"

const struct es_mpi_rank_set *
es_mpi_trace_set(const struct es_mpi_trace_rank *rank, int32_t peer)
{
	uint32_t id = es_mpi_id_of_peer(peer), low = 0, high = rank->set_count;

	if (id == 0)
		return NULL;
	/* Ids follow each other unless entries of the log are missing. */
	if (id <= high && rank->sets[id - 1]->id == id)
		return rank->sets[id - 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rank->sets[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < rank->set_count && rank->sets[low]->id == id ?
	    rank->sets[low] :
	    NULL;
}
