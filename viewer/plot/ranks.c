/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/ranks.c - names of the sources and targets of matrices
 */

#include "viewer/plot/ranks.h"

#include "viewer/plot/query.h"

#include <inttypes.h>

const char *
es__rank_name(struct es__sheet *sheet, int64_t rank)
{
	if (!sheet->model->mpi)
		return es__query_one_text(sheet,
		    "SELECT name FROM process WHERE process = %" PRId64, rank);
	return es__query_one_text(sheet,
	    "SELECT coalesce((SELECT p.name FROM mpi_rank r "
	    "JOIN process p USING (process) WHERE r.rank = %" PRId64
	    "), 'rank %" PRId64 "')",
	    rank, rank);
}

struct es_thing
es__rank_thing(struct es__sheet *sheet, int64_t rank)
{
	int64_t process = rank;

	if (sheet->model->mpi)
		process = es__query_one(sheet, -1,
		    "SELECT process FROM mpi_rank WHERE rank = %" PRId64, rank);
	return process < 0 ? ES_NOTHING : ES_THING(ES_THING_PROCESS, process);
}
