/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/element_order.c - in which order an element was used
 *
 * By the collectors nearest to each element, in the order in which they saw
 * operations end: those are stamped in the element's own process, where
 * collectors stand behind the last proxy.
 */

#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "element", ES_INTEGER, "id of the element" },
	{ "position", ES_INTEGER,
	    "position of the operation in the order, from 0" },
	{ "thread", ES_INTEGER,
	    "thread that issued the operation; NULL: it came through a join or "
	    "a buffer" },
	{ "op", ES_TEXT, "kind of operation: write, read, exchange or delete" },
	{ "seq", ES_INTEGER, "number of the operation on its path" },
	{ "start_ns", ES_INTEGER,
	    "start of the operation at the nearest collector, in ns" },
};

static const struct es_table tables[] = {
	{
	    .name = "element_order",
	    .about = "order of the operations on each element",
	    .columns = columns,
	    .column_count = ES__COUNT(columns),
	    .sql = "CREATE VIEW element_order AS "
		   "SELECT c.element AS element, "
		   "row_number() OVER (PARTITION BY c.element "
		   "ORDER BY e.stop_ns, e.collector) - 1 AS position, "
		   "c.thread AS thread, e.op AS op, e.seq AS seq, "
		   "e.start_ns AS start_ns "
		   "FROM collector c JOIN event e ON e.collector = c.collector "
		   "WHERE c.element IS NOT NULL AND e.status = 0 "
		   "AND e.stop_ns IS NOT NULL",
	},
};

const struct es_view es__view_element_order = {
	.name = "element_order",
	.about = "order of the operations on each element",
	.tables = tables,
	.table_count = ES__COUNT(tables),
};
