/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/interval.c - when each thread communicated
 *
 * The communication-computation view at full depth: the operations that the
 * first collector of each path recorded.  What lies between is computation.
 * Of MPI processes these are the calls; requests that were completed are none.
 */

#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, "id of the thread" },
	{ "seq", ES_INTEGER,
	    "number of the operation on its path, or of the MPI call" },
	{ "start_ns", ES_INTEGER, "start of the operation, in ns" },
	{ "stop_ns", ES_INTEGER,
	    "end of the operation, in ns; NULL: it has not returned" },
	{ "op", ES_TEXT,
	    "kind of operation (write, read, exchange, delete), or MPI "
	    "function" },
	{ "element", ES_INTEGER, "element that the path leads to" },
	{ "step", ES_INTEGER, "step of the program, as the program set it" },
	{ "bytes", ES_INTEGER,
	    "size of the tuple, or of the MPI message, in bytes" },
};

static const struct es_table tables[] = {
	{
	    .name = "interval",
	    .about = "operations of each thread, with start and end",
	    .columns = columns,
	    .column_count = ES__COUNT(columns),
	    .sql = "CREATE VIEW interval AS "
		   "SELECT c.thread AS thread, e.seq AS seq, "
		   "e.start_ns AS start_ns, e.stop_ns AS stop_ns, "
		   "e.op AS op, e.element AS element, e.step AS step, "
		   "e.bytes AS bytes "
		   "FROM collector c JOIN event e ON e.collector = c.collector "
		   "WHERE c.head = 1 AND e.call = 1",
	},
};

const struct es_view es__view_interval = {
	.name = "interval",
	.about = "operations of each thread, with start and end",
	.tables = tables,
	.table_count = ES__COUNT(tables),
};
