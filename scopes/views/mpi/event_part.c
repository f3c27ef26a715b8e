/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/event_part.c - the requests of MPI calls that completed or
 * started several
 *
 * The rows are tuples, which a virtual table reads: see scopes/store/event.c.
 */

#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "collector", ES_INTEGER, .about = "collector that recorded the call",
	    .refers = "collector" },
	{ "seq", ES_INTEGER, .about = "number of the MPI call, as in event" },
	{ "start_ns", ES_INTEGER, .about = "start of the call",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "end of the call; NULL: it has not returned",
	    .unit = ES_UNIT_NS },
	{ "duration_ns", ES_INTEGER,
	    .about = "duration of the call; NULL: it has not returned",
	    .unit = ES_UNIT_NS },
	{ "op", ES_TEXT,
	    .about = "MPI function that made a request which the call "
		     "started; (completed): the call completed the request" },
	{ "bytes", ES_INTEGER, .about = "size of the message of the request",
	    .unit = ES_UNIT_BYTES },
	{ "comm", ES_INTEGER, .about = "communicator of the request",
	    .refers = "mpi_comm" },
	{ "peer", ES_INTEGER,
	    .about =
		"id of the peer's rank; NULL: none; -2: MPI_PROC_NULL; -3: the "
		"request was cancelled",
	    .refers = "mpi_rank" },
	{ "tag", ES_INTEGER, .about = "tag of the message" },
	{ "site", ES_INTEGER, .about = "call site; 0: not recorded",
	    .refers = "mpi_site" },
	{ "match", ES_INTEGER,
	    .about = "number of the request in its process; 0: the receive of "
		     "a Sendrecv" },
};

static const struct es_table tables[] = {
	{ .name = "event_part",
	    .about = "requests of MPI calls that completed or started several, "
		     "as a virtual table",
	    ES_COLUMNS(columns),
	    .flags = ES_TABLE_EVENTS | ES_TABLE_BUILTIN },
};

const struct es_view es__view_event_part = {
	.name = "event_part",
	.about = "requests of MPI calls that completed or started several",
	.question = "Which requests did a call complete or start?",
	.topic = ES_TOPIC_OPERATIONS,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.flags = ES_VIEW_IDS,
	.needs = ES_NEED_MPI | ES_NEED_TRACE,
};
