/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/arrival_rows_private.h - columns and rows of the views
 * arrival and departure
 */

#ifndef SCOPES_VIEWS_PATH_ARRIVAL_ROWS_PRIVATE_H
#define SCOPES_VIEWS_PATH_ARRIVAL_ROWS_PRIVATE_H

#include "scopes/views/view_private.h"

/* Columns of a table of inputs; the words are "came" and "arrival", or "left"
   and "departure". */
#define ES__ARRIVAL_COLUMNS(came, arrival) \
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" }, \
	    { "input", ES_INTEGER, \
		    .about = "number of the input; with stage, it identifies " \
			     "a row of join_input", \
		    .refers = "join_input" }, \
	    { "operations", ES_INTEGER, \
		    .about = \
			"number of operations retained at all inputs of the " \
			"join" }, \
	    { "first", ES_INTEGER, \
		    .about = "number of operations in which this input " came \
			     " first" }, \
	    { "last", ES_INTEGER, \
		    .about = "number of operations in which this input " came \
			     " last" }, \
	    { "wait_ns_sum", ES_INTEGER, \
		    .about = "total time from this input's " arrival \
			     " to the last " arrival, \
		    .unit = ES_UNIT_NS }, \
	    { "wait_ns_max", ES_INTEGER, \
		    .about = "longest time from this input's " arrival \
			     " to the last " arrival, \
		    .unit = ES_UNIT_NS }, \
	    { "undecided", ES_INTEGER, \
		    .about = "number of operations in which the error bound " \
			     "of the clocks leaves open if this input " came \
			     " last" }, \
	{ \
		"bound_ns", ES_INTEGER, \
		    .about = "error bound of wait_ns_sum; NULL: not known", \
		    .unit = ES_UNIT_NS \
	}

/* Columns of a table of pairs of inputs, with the same words. */
#define ES__ARRIVAL_PAIR_COLUMNS(came, arrival) \
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" }, \
	    { "before", ES_INTEGER, \
		    .about = "input that " came " first of the two", \
		    .refers = "join_input" }, \
	    { "after", ES_INTEGER, .about = "input that " came " second", \
		    .refers = "join_input" }, \
	    { "operations", ES_INTEGER, \
		    .about = \
			"number of operations that " came " in this order" }, \
	    { "wait_ns_sum", ES_INTEGER, \
		    .about = "total time between the two " arrival "s", \
		    .unit = ES_UNIT_NS }, \
	{ \
		"undecided", ES_INTEGER, \
		    .about = "number of these operations whose order is " \
			     "within the error bound of the clocks" \
	}

/* Columns of a table that adds up the inputs from a process or a host, with the
   same words. */
#define ES__ARRIVAL_GROUP_COLUMNS(group, came, arrival) \
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" }, \
	    { group, ES_INTEGER, .about = group " that the inputs come from", \
		    .refers = group }, \
	    { "inputs", ES_INTEGER, .about = "number of inputs" }, \
	    { "operations", ES_INTEGER, \
		    .about = \
			"number of operations retained at all inputs of the " \
			"join" }, \
	    { "first", ES_INTEGER, \
		    .about = "number of operations in which one of the " \
			     "inputs " came " first" }, \
	    { "last", ES_INTEGER, \
		    .about = "number of operations in which one of the " \
			     "inputs " came " last" }, \
	    { "wait_ns_sum", ES_INTEGER, \
		    .about = "total time from each input's " arrival \
			     " to the last " arrival, \
		    .unit = ES_UNIT_NS }, \
	    { "wait_ns_max", ES_INTEGER, \
		    .about = "longest time from an input's " arrival \
			     " to the last " arrival, \
		    .unit = ES_UNIT_NS }, \
	    { "undecided", ES_INTEGER, \
		    .about = "sum of undecided over the inputs" }, \
	{ \
		"bound_ns", ES_INTEGER, \
		    .about = "error bound of wait_ns_sum; NULL: not known", \
		    .unit = ES_UNIT_NS \
	}

/*
 * es__arrival_rows - write the rows of two tables, for all joins
 *
 * one		table with ES__ARRIVAL_COLUMNS
 * pair		table with ES__ARRIVAL_PAIR_COLUMNS
 * by_stop	true: order of the stops; false: order of the starts
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the error of the sink
 */
paths_status es__arrival_rows(struct es_analysis *a, struct es_sink *sink,
    const struct es_table *one, const struct es_table *pair, bool by_stop)
    PATHS_CHECKED;

#endif
