/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/interval.c - when each thread communicated
 *
 * The communication-computation view at full depth: the operations that the
 * first collector of each path recorded.  What lies between is computation.
 * Of MPI processes these are the calls; requests that were completed are none.
 */

#include "scopes/view_private.h"

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, "id" },
	{ "seq", ES_INTEGER, "number on its path" },
	{ "start_ns", ES_INTEGER, "when it began" },
	{ "stop_ns", ES_INTEGER, "when it came back; NULL: it did not" },
	{ "op", ES_TEXT, "write, read, exchange, delete, an MPI function" },
	{ "element", ES_INTEGER, "that the path leads to" },
	{ "step", ES_INTEGER, "as the program said" },
	{ "bytes", ES_INTEGER, "of the tuple" },
};

static const struct es_table tables[] = {
	{
	    .name = "interval",
	    .about = "when each thread communicated",
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
	.about = "when each thread communicated",
	.tables = tables,
	.table_count = ES__COUNT(tables),
};
