/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/interval.c - operations of each thread, with start and end
 *
 * The operations are those that the first collector of each path recorded; the
 * thread computes between them.  For MPI, the operations are the calls, without
 * the tuples of the requests that a call completes.
 */

#include "scopes/views/view_private.h"

ES__SQL(interval);

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "seq", ES_INTEGER,
	    .about =
		"number of the operation on its path, or of the MPI call" },
	{ "start_ns", ES_INTEGER, .about = "start of the operation",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "end of the operation; NULL: it has not returned",
	    .unit = ES_UNIT_NS },
	{ "op", ES_TEXT,
	    .about =
		"kind of operation (write, read, exchange, delete), or MPI "
		"function" },
	{ "element", ES_INTEGER, .about = "element that the path leads to",
	    .refers = "element" },
	{ "step", ES_INTEGER,
	    .about = "step of the program, as the program set it" },
	{ "bytes", ES_INTEGER,
	    .about = "size of the tuple, or of the MPI message",
	    .unit = ES_UNIT_BYTES },
};

static const struct es_table tables[] = {
	{ .name = "interval",
	    .about = "operations of each thread, with start and end",
	    ES_COLUMNS(columns),
	    .flags = ES_TABLE_EVENTS,
	    .sql = es__sql_interval },
};

const struct es_view es__view_interval = {
	.name = "interval",
	.about = "operations of each thread, with start and end",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
