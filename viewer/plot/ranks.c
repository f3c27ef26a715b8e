/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/ranks.c - names of the sources and targets of matrices
 */

#include "viewer/plot/ranks.h"

#include "viewer/plot/query.h"

#include <inttypes.h>

ESV__SQL(rank_name);

const char *
esv__rank_name(struct esv__sheet *sheet, int64_t rank)
{
	struct esv__query q;

	if (!sheet->model->mpi)
		return esv__query_one_text(sheet,
		    "SELECT name FROM process WHERE process = %" PRId64, rank);
	esv__query_begin(&q, sheet, esv__sql_rank_name);
	esv__query_bind(&q, "rank", rank);
	return esv__query_take_text(&q);
}

struct esv_thing
esv__rank_thing(struct esv__sheet *sheet, int64_t rank)
{
	int64_t process = rank;

	if (sheet->model->mpi)
		process = esv__query_one(sheet, -1,
		    "SELECT process FROM mpi_rank WHERE rank = %" PRId64, rank);
	return process < 0 ? ESV_NOTHING :
			     ESV_THING(ESV_THING_PROCESS, process);
}
