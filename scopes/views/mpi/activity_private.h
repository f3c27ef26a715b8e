/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/activity_private.h - columns of tables that have a row for
 * each activity of a thread
 */

#ifndef SCOPES_VIEWS_MPI_ACTIVITY_PRIVATE_H
#define SCOPES_VIEWS_MPI_ACTIVITY_PRIVATE_H

#include "scopes/graph/result_private.h"
#include "scopes/views/view_private.h"

#include "scopes/operation.h"

/* The columns of an activity.  about: of the thread. */
#define ES__ACTIVITY_COLUMNS(about_thread) \
	{ "rank", ES_INTEGER, \
		.about = "MPI rank of the thread; NULL: a run of paths", \
		.refers = "mpi_rank", .optional = true }, \
	    { "thread", ES_INTEGER, .about = about_thread, \
		    .refers = "thread" }, \
	    { "from_site", ES_INTEGER, \
		    .about = "call site before the computation; NULL: none, " \
			     "or the activity is an MPI call", \
		    .refers = "mpi_site", .optional = true }, \
	    { "site", ES_INTEGER, \
		    .about = "call site of the MPI call, or of the one " \
			     "that follows the computation; 0: not " \
			     "recorded; NULL: not known", \
		    .refers = "mpi_site", .optional = true }, \
	    { "from_path", ES_INTEGER, \
		    .about = "path of the operation before the " \
			     "computation; NULL: none", \
		    .refers = "path", .optional = true }, \
	    { "path", ES_INTEGER, \
		    .about = "path of the operation, or of the one that " \
			     "follows the computation", \
		    .refers = "path", .optional = true }, \
	    { "stage", ES_INTEGER, \
		    .about = "stage of the operation; NULL: a computation", \
		    .refers = "stage", .optional = true }, \
	{ \
		"function", ES_TEXT, \
		    .about = "MPI function, or kind of the operation; " \
			     "NULL: a computation" \
	}

/* Number of these columns. */
#define ES__ACTIVITY_VALUES 8u

/* Returns the function of an activity; NULL for a computation. */
static inline struct es_value
es__activity_function(const struct es__graph_result *r,
    const struct es__graph_activity *a)
{
	return es__text(a->function == 0 ?
		NULL :
		es_operation_name(r->paths ? ES_OPERATION_PATH :
					     ES_OPERATION_MPI,
		    a->function));
}

/* Writes the values of the columns of an activity, which is one of the graph in
   a run of paths, else one of its class. */
static inline void
es__activity_values(const struct es__graph_result *r,
    const struct es_analysis *analysis, uint32_t thread,
    const struct es__graph_activity *a, struct es_value *values)
{
	bool spent = a->function != 0;

	for (uint32_t n = 0; n < ES__ACTIVITY_VALUES; n++)
		values[n] = ES_NIL;
	values[1] = es__id(r->threads[thread]);
	values[7] = es__activity_function(r, a);
	if (!r->paths) {
		values[0] = es__id(r->ranks[thread]);
		values[2] = es__id(a->from);
		values[3] = es__id(a->site);
	} else if (spent) {
		values[5] = es__id(a->from);
		values[6] = ES_INT(a->site - analysis->map->path_count);
	} else {
		values[4] = es__id(a->from);
		values[5] = es__id(a->site);
	}
}

#endif
