/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/waits_at.c - who waits for whom at a time
 *
 * The rows are computed by a virtual table, see scopes/store/waits_table.c.
 */

#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "waiter", ES_INTEGER, .about = "thread that is in the operation",
	    .refers = "thread" },
	{ "culprit", ES_INTEGER,
	    .about = "thread that it waits for; NULL: none, or not known",
	    .refers = "thread" },
	{ "pattern", ES_TEXT, .about = "reason of the wait, see above" },
	{ "op", ES_TEXT,
	    .about = "kind of operation (write, read, exchange, delete), or "
		     "MPI function" },
	{ "stage", ES_INTEGER,
	    .about = "stage that the operation has reached; NULL: an MPI call",
	    .refers = "stage" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: an operation on a "
		     "path, or not known",
	    .refers = "mpi_site" },
	{ "start_ns", ES_INTEGER, .about = "start of the wait",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "end of the wait; NULL: the operation has not returned",
	    .unit = ES_UNIT_NS },
	{ "since_ns", ES_INTEGER, .about = "start of the operation or call",
	    .unit = ES_UNIT_NS },
	{ "collector", ES_INTEGER,
	    .about = "collector that recorded the operation" },
	{ "seq", ES_INTEGER,
	    .about = "number of the operation on its path, or of the MPI "
		     "call" },
};

static const struct es_table tables[] = {
	{ .name = "waits_at",
	    .about =
		"operations at a time or in an interval, and for whom they wait",
	    ES_COLUMNS(columns),
	    .flags = ES_TABLE_EVENTS | ES_TABLE_BUILTIN,
	    .order = "start_ns, waiter" },
};

const struct es_view es__view_waits_at = {
	.name = "waits_at",
	.about = "operations at a time, and for whom they wait",
	.question = "Which threads wait at a time, for whom, and since when?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
