/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/element_order.c - order of the operations on each element
 *
 * The order is that of the stop stamps of the collectors nearest to the
 * element.  Collectors behind the last proxy record in the process of the
 * element, so their stamps are from one clock.
 */

#include "scopes/views/view_private.h"

ES__SQL(element_order);

static const struct es_column columns[] = {
	{ "element", ES_INTEGER, .about = "id of the element",
	    .refers = "element" },
	{ "position", ES_INTEGER,
	    .about = "position of the operation in the order, from 0" },
	{ "thread", ES_INTEGER,
	    .about = "thread that issued the operation; NULL: the collector is "
		     "on no path, see table collector",
	    .refers = "thread" },
	{ "op", ES_TEXT,
	    .about = "kind of operation: write, read, exchange or delete" },
	{ "seq", ES_INTEGER, .about = "number of the operation on its path" },
	{ "start_ns", ES_INTEGER,
	    .about = "start of the operation at the nearest collector",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "element_order",
	    .about = "order of the operations on each element",
	    ES_COLUMNS(columns),
	    .flags = ES_TABLE_EVENTS,
	    .sql = es__sql_element_order },
};

const struct es_view es__view_element_order = {
	.name = "element_order",
	.about = "order of the operations on each element",
	.question = "In which order do the operations reach an element?",
	.topic = ES_TOPIC_OPERATIONS,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
