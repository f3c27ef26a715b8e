/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/activity_private.h - columns of tables that have a row for
 * each activity of a rank
 */

#ifndef SCOPES_VIEWS_MPI_ACTIVITY_PRIVATE_H
#define SCOPES_VIEWS_MPI_ACTIVITY_PRIVATE_H

#include "scopes/graph/result_private.h"
#include "scopes/views/view_private.h"

#include "collectors/mpi_function.h"

/* The columns behind rank. */
#define ES__ACTIVITY_COLUMNS \
	{ "from_site", ES_INTEGER, \
		.about = "call site before the computation; NULL: none, or " \
			 "the activity is an MPI call", \
		.refers = "mpi_site" }, \
	    { "site", ES_INTEGER, \
		    .about = "call site of the MPI call, or of the one " \
			     "that follows the computation; 0: not " \
			     "recorded; NULL: not known", \
		    .refers = "mpi_site" }, \
	{ \
		"function", ES_TEXT, \
		    .about = "MPI function; NULL: a computation" \
	}

/* Returns the function of an activity; NULL for a computation. */
static inline struct es_value
es__activity_function(const struct es__graph_activity *a)
{
	const struct es_mpi_function *function =
	    a->function == 0 ? NULL : es_mpi_function(a->function);

	return es__text(function == NULL ? NULL : function->name);
}

#endif
