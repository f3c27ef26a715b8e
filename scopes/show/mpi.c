/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/mpi.c - writes the sentences about an MPI run
 */

#include "scopes/show/mpi_private.h"

#include "scopes/show/paragraph_private.h"
#include "scopes/show/query.h"
#include "scopes/store/sql_private.h"

#include <stdio.h>
#include <string.h>

ES__SQL(mpi_sizes);
ES__SQL(mpi_hung);
ES__SQL(mpi_share);
ES__SQL(mpi_uncounted);
ES__SQL(mpi_interval);
ES__SQL(mpi_unreliable);
ES__SQL(mpi_sites);
ES__SQL(mpi_ranks);
ES__SQL(mpi_culprit);

paths_status
es__show_mpi_sizes(const struct es_show *show)
{
	return es__paragraph_query(show, es__sql_mpi_sizes);
}

paths_status
es__show_mpi_hung(const struct es_show *show, bool *hung)
{
	char text[256];
	paths_status st =
	    es_query_text(show, es__sql_mpi_hung, text, sizeof(text));

	*hung = st == PATHS_OK && text[0] != '\0';
	if (*hung) {
		es__paragraph_write(show, text);
		st = es__paragraph_query(show, es__sql_mpi_uncounted);
	}
	return st;
}

paths_status
es__show_mpi_waiting(const struct es_show *show)
{
	static const char *const sentences[] = { es__sql_mpi_share,
		es__sql_mpi_uncounted, es__sql_mpi_interval,
		es__sql_mpi_unreliable, es__sql_mpi_sites, es__sql_mpi_ranks,
		es__sql_mpi_culprit };
	paths_status st = PATHS_OK;

	for (size_t n = 0;
	     n < sizeof(sentences) / sizeof(sentences[0]) && st == PATHS_OK;
	     n++)
		st = es__paragraph_query(show, sentences[n]);
	return st;
}

paths_status
es__show_mpi_is(const struct es_show *show, bool *is)
{
	char ranks[24];
	paths_status st = es_query_text(show,
	    "SELECT value FROM meta WHERE key = 'ranks'", ranks, sizeof(ranks));

	if (st == PATHS_OK)
		*is = ranks[0] != '\0';
	return st;
}
