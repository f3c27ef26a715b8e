/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/interval.c - operations of each thread, with start and end
 *
 * The operations are those that the first collector of each path recorded; the
 * thread computes between them.  For MPI, the operations are the calls, without
 * the tuples of the requests that a call completes.
 */

#include "scopes/views/run/event_columns_private.h"
#include "scopes/views/view_private.h"

ES__SQL(interval);

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	ES__EVENT_SEQ,
	ES__EVENT_START,
	ES__EVENT_STOP,
	ES__EVENT_OP,
	ES__EVENT_ELEMENT,
	ES__EVENT_STEP,
	ES__EVENT_BYTES,
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
	.question = "When did each operation begin and end?",
	.topic = ES_TOPIC_OPERATIONS,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
