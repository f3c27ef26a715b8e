/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2.c - writes a trace in the Open Trace Format 2
 *
 * A folder for Vampir, Scalasca's tools and otf2-print.  Hosts are nodes of the
 * system tree, processes are location groups, lines of tracks are locations,
 * and names of events are regions.  A matched message is an MpiSend at the
 * begin of the call that sends it, and an MpiRecv at the end of the call that
 * receives it; nonblocking ones have a request, from the call that makes it to
 * the one that completes it.  An open event ends with the trace.
 *
 * This is the only file that includes OTF2.  In a build without it, the format
 * has no function, and eventspace export names the missing library.
 *
 * Source: OTF2 3.0, <otf2/otf2.h>
 */

#include "scopes/export/arrow_private.h"
#include "scopes/export/export_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/meeting_private.h"
#include "scopes/export/members_private.h"
#include "scopes/export/names_private.h"
#include "scopes/export/walk_private.h"

#ifdef ES_OTF2

#include "scopes/export/file_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (UINT64_C(1) << 20)

struct location {
	char *name;
	uint32_t process;
	uint64_t events;
};

struct otf2 {
	struct es__export_sink sink; /* first member: callbacks cast from it */
	struct es__export *export;
	const char *to;
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *defs;
	OTF2_EvtWriter *writers[ES__EXPORT_LINES]; /* of the track's lines */
	uint32_t line_first, line_count;
	struct location *locations;
	size_t location_room;
	uint32_t location_count;
	uint32_t *first_of; /* of each process: its first location; NONE */
	struct es__export_members members;
	OTF2_AttributeList *attributes; /* of the next event */
	OTF2_StringRef strings;		/* number of strings defined */
	OTF2_GroupRef groups;
	int64_t last_ns;   /* latest time that was written */
	uint64_t unplaced; /* messages of unknown communicators */
};

/* ---- Failures. */

static OTF2_FlushType
otf2_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
    void *caller, bool final)
{
	(void)user;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {
	.otf2_pre_flush = otf2_flush,
};

static bool
is_full(OTF2_ErrorCode code)
{
	return code == OTF2_ERROR_ENOSPC || code == OTF2_ERROR_EFBIG ||
	    code == OTF2_ERROR_EDQUOT;
}

/* Keeps the first failure of a call of the library. */
static void
otf2_check(struct otf2 *o, OTF2_ErrorCode code)
{
	/* Codes below 0 are warnings. */
	if (code <= OTF2_SUCCESS || o->sink.st != PATHS_OK)
		return;
	o->sink.st = paths_log_fail(is_full(code) ? PATHS_EFULL : PATHS_EIO,
	    "%s: %s", o->to, OTF2_Error_GetDescription(code));
}

/* Called by the library instead of printing an error. */
static OTF2_ErrorCode
otf2_failed(void *user, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)args;
	otf2_check(user, code);
	return code;
}

/* ---- Events. */

static void
lines_close(struct otf2 *o)
{
	for (uint32_t n = 0; n < o->line_count; n++) {
		uint64_t *events = &o->locations[o->line_first + n].events;

		if (o->writers[n] == NULL)
			continue;
		otf2_check(o,
		    OTF2_EvtWriter_GetNumberOfEvents(o->writers[n], events));
		otf2_check(o,
		    OTF2_Archive_CloseEvtWriter(o->archive, o->writers[n]));
	}
	o->line_count = 0;
}

static paths_status
location_add(struct otf2 *o, uint32_t process, const char *name)
{
	struct location *to;

	if (!paths__array_grow(&o->locations, o->location_count,
		&o->location_room, sizeof(*o->locations)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for locations");
	to = &o->locations[o->location_count];
	*to = (struct location){ .name = strdup(name), .process = process };
	if (to->name == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for locations");
	if (o->first_of[process] == PATHS_NONE)
		o->first_of[process] = o->location_count;
	o->location_count++;
	return PATHS_OK;
}

static void
otf2_line(struct es__export_sink *self, const struct es__export_track *track,
    uint32_t number, uint32_t line)
{
	struct otf2 *o = (struct otf2 *)self;
	char name[300];
	paths_status st;

	if (number == 0) {
		lines_close(o);
		o->line_first = line;
	}
	snprintf(name, sizeof(name), number == 0 ? "%s" : "%s (%" PRIu32 ")",
	    track->name, number + 1);
	st = location_add(o, track->process, name);
	if (st != PATHS_OK) {
		self->st = st;
		return;
	}
	o->writers[number] = OTF2_Archive_GetEvtWriter(o->archive, line);
	o->line_count = number + 1;
	if (o->writers[number] == NULL && self->st == PATHS_OK)
		self->st = paths_log_fail(PATHS_EIO, "otf2: no event writer");
}

static OTF2_EvtWriter *
writer_of(const struct otf2 *o, const struct es__export_event *event)
{
	return o->sink.st == PATHS_OK ?
	    o->writers[event->line - o->line_first] :
	    NULL;
}

static OTF2_TimeStamp
time_of(struct otf2 *o, int64_t ns)
{
	o->last_ns = ns > o->last_ns ? ns : o->last_ns;
	return (OTF2_TimeStamp)(ns + o->export->shift_ns);
}

static uint64_t
bytes_of(const struct es__export_event *event)
{
	return ((const struct es_tuple_mpi *)event->tuple)->bytes;
}

/* Returns the number of a request: messages and collectives have their own. */
static uint64_t
request_of(uint64_t message, bool receive)
{
	return message * 2 + receive;
}

/* Returns true if a call that begins a send also ends it. */
static bool
sends_at_once(const struct es__export_event *event)
{
	const struct es_mpi_function *f =
	    es_mpi_function(((const struct es_tuple_mpi *)event->tuple)->op);

	return f != NULL &&
	    (f->role == ES_MPI_ROLE_SEND || f->role == ES_MPI_ROLE_SENDRECV);
}

static void
message_send(struct otf2 *o, const struct es__export_event *event, int64_t ns)
{
	const struct es_mpi_message *message =
	    es__export_arrow_message(o->export, event->out);
	const struct es_mpi_trace_input *input =
	    es_mpi_trace_input(o->export->trace);
	uint32_t to = es__export_members_place(&o->members, message->comm,
	    input->rings[message->recv.ring].rank);
	OTF2_CommRef comm;

	if (to == PATHS_NONE) {
		o->unplaced++;
		return;
	}
	comm = o->members.comms[message->comm].number;
	if (sends_at_once(event))
		otf2_check(o,
		    OTF2_EvtWriter_MpiSend(writer_of(o, event), NULL,
			time_of(o, ns), to, comm, (uint32_t)message->tag,
			bytes_of(event)));
	else
		otf2_check(o,
		    OTF2_EvtWriter_MpiIsend(writer_of(o, event), NULL,
			time_of(o, ns), to, comm, (uint32_t)message->tag,
			bytes_of(event), request_of(event->out, false)));
}

static void
message_recv(struct otf2 *o, const struct es__export_event *event, int64_t ns)
{
	const struct es_mpi_message *message =
	    es__export_arrow_message(o->export, event->in);
	uint32_t from = es__export_members_place(&o->members, message->comm,
	    message->source);
	OTF2_CommRef comm;

	if (from == PATHS_NONE)
		return;
	comm = o->members.comms[message->comm].number;
	if (es__export_arrow_is_posted(o->export, message))
		otf2_check(o,
		    OTF2_EvtWriter_MpiIrecv(writer_of(o, event), NULL,
			time_of(o, ns), from, comm, (uint32_t)message->tag,
			bytes_of(event), request_of(event->in, true)));
	else
		otf2_check(o,
		    OTF2_EvtWriter_MpiRecv(writer_of(o, event), NULL,
			time_of(o, ns), from, comm, (uint32_t)message->tag,
			bytes_of(event)));
}

/* Writes that a receive is posted, or that a send ends that an earlier call
   began. */
static void
message_mark(struct otf2 *o, const struct es__export_event *event,
    uint32_t number, bool receive, int64_t ns)
{
	const struct es_mpi_message *message;
	uint32_t peer;

	if (number == 0)
		return;
	message = es__export_arrow_message(o->export, number);
	peer = receive ? message->source :
			 es_mpi_trace_input(o->export->trace)
			     ->rings[message->recv.ring]
			     .rank;
	if (es__export_members_place(&o->members, message->comm, peer) ==
	    PATHS_NONE)
		return;
	otf2_check(o,
	    (receive ? OTF2_EvtWriter_MpiIrecvRequest :
		       OTF2_EvtWriter_MpiIsendComplete)(writer_of(o, event),
		NULL, time_of(o, ns), request_of(number, receive)));
}

/* ---- Collectives. */

_Static_assert(OTF2_COLLECTIVE_OP_BARRIER == 0 &&
	OTF2_COLLECTIVE_OP_REDUCE_SCATTER == 13 &&
	OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK == 16 &&
	OTF2_COLLECTIVE_ROOT_NONE == PATHS_NONE,
    "the numbers of struct es__export_meeting");

/* Returns the request of a part of a collective. */
static uint64_t
meeting_request(uint32_t number)
{
	return UINT64_C(1) << 40 | number;
}

static void
meeting_begin(struct otf2 *o, const struct es__export_event *event, int64_t ns)
{
	OTF2_EvtWriter *writer = writer_of(o, event);
	uint32_t number = event->marks.begun;
	struct es__export_meeting m;

	if (number == 0 ||
	    !es__export_meeting_find(o->export, &o->members, number, &m))
		return;
	if (m.later)
		otf2_check(o,
		    OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, NULL,
			time_of(o, ns), meeting_request(number)));
	/* A call that did not return has no end. */
	else if (event->marks.done == number)
		otf2_check(o,
		    OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL,
			time_of(o, ns)));
}

static void
meeting_end(struct otf2 *o, const struct es__export_event *event, int64_t ns)
{
	OTF2_EvtWriter *writer = writer_of(o, event);
	uint32_t number = event->marks.done;
	struct es__export_meeting m;
	OTF2_CommRef comm;

	if (number == 0 ||
	    !es__export_meeting_find(o->export, &o->members, number, &m))
		return;
	comm = o->members.comms[m.comm].number;
	otf2_check(o,
	    m.later ?
		OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL,
		    time_of(o, ns), (OTF2_CollectiveOp)m.op, comm, m.root,
		    m.sent, m.received, meeting_request(number)) :
		OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time_of(o, ns),
		    (OTF2_CollectiveOp)m.op, comm, m.root, m.sent, m.received));
}

/* Returns true if arrows are messages.  OTF2 has no record of other arrows. */
static bool
has_messages(const struct otf2 *o, const struct es__export_event *event)
{
	return o->export->trace != NULL && event->type->calls &&
	    o->sink.st == PATHS_OK;
}

/* Writes what begins with a call or its part. */
static void
requests_begin(struct otf2 *o, const struct es__export_event *event, int64_t ns)
{
	if (!has_messages(o, event))
		return;
	meeting_begin(o, event, ns);
	if (event->out != 0)
		message_send(o, event, ns);
	message_mark(o, event, event->marks.posted, true, ns);
}

/* Writes what ends with a call or its part. */
static void
requests_end(struct otf2 *o, const struct es__export_event *event, int64_t ns)
{
	if (!has_messages(o, event))
		return;
	if (event->in != 0)
		message_recv(o, event, ns);
	message_mark(o, event, event->marks.ended, false, ns);
	meeting_end(o, event, ns);
}

static void
otf2_begin(struct es__export_sink *self, const struct es__export_event *event)
{
	struct otf2 *o = (struct otf2 *)self;
	OTF2_EvtWriter *writer = writer_of(o, event);
	uint32_t source = es__export_names_source(o->export, event);

	if (writer == NULL)
		return;
	/* Writing an event empties the list. */
	if (source > 0)
		otf2_check(o,
		    OTF2_AttributeList_AddSourceCodeLocationRef(o->attributes,
			0, o->export->sources[source].number));
	otf2_check(o,
	    OTF2_EvtWriter_Enter(writer, source > 0 ? o->attributes : NULL,
		time_of(o, event->start_ns), event->name));
	requests_begin(o, event, event->start_ns);
}

static void
otf2_end(struct es__export_sink *self, const struct es__export_event *event)
{
	struct otf2 *o = (struct otf2 *)self;
	int64_t at = event->stop_ns;
	OTF2_EvtWriter *writer = writer_of(o, event);

	if (writer == NULL)
		return;
	if (at == INT64_MAX)
		at = o->export->last_ns > o->last_ns ? o->export->last_ns :
						       o->last_ns;
	requests_end(o, event, at);
	otf2_check(o,
	    OTF2_EvtWriter_Leave(writer, NULL, time_of(o, at), event->name));
}

/* Writes the requests of a part of a call, and other points as regions without
   duration. */
static void
otf2_point(struct es__export_sink *self, const struct es__export_event *event,
    int64_t at_ns)
{
	struct otf2 *o = (struct otf2 *)self;
	OTF2_EvtWriter *writer = writer_of(o, event);

	if (writer == NULL)
		return;
	requests_begin(o, event, at_ns);
	requests_end(o, event, at_ns);
	if (event->part)
		return;
	otf2_check(o,
	    OTF2_EvtWriter_Enter(writer, NULL, time_of(o, at_ns), event->name));
	otf2_check(o,
	    OTF2_EvtWriter_Leave(writer, NULL, time_of(o, at_ns), event->name));
}

/* ---- Definitions. */

static OTF2_StringRef
string_define(struct otf2 *o, const char *text)
{
	otf2_check(o,
	    OTF2_GlobalDefWriter_WriteString(o->defs, o->strings, text));
	return o->strings++;
}

static OTF2_RegionRole
role_of(const char *name)
{
	static const OTF2_RegionRole roles[] = {
		[ES_MPI_ROLE_SEND] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_RECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_SENDRECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_ISEND] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_IRECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_ISENDRECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_SEND_INIT] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_RECV_INIT] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_START] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_WAIT] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_WAIT_MANY] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_TEST] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_PROBE] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_IPROBE] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_BARRIER] = OTF2_REGION_ROLE_BARRIER,
		[ES_MPI_ROLE_N_TO_N] = OTF2_REGION_ROLE_COLL_ALL2ALL,
		[ES_MPI_ROLE_ONE_TO_N] = OTF2_REGION_ROLE_COLL_ONE2ALL,
		[ES_MPI_ROLE_N_TO_ONE] = OTF2_REGION_ROLE_COLL_ALL2ONE,
		[ES_MPI_ROLE_SCAN] = OTF2_REGION_ROLE_COLL_OTHER,
		[ES_MPI_ROLE_NEIGHBOR] = OTF2_REGION_ROLE_COLL_OTHER,
		[ES_MPI_ROLE_PUT] = OTF2_REGION_ROLE_RMA,
		[ES_MPI_ROLE_GET] = OTF2_REGION_ROLE_RMA,
		[ES_MPI_ROLE_WINDOW] = OTF2_REGION_ROLE_RMA,
		[ES_MPI_ROLE_FILE] = OTF2_REGION_ROLE_FILE_IO,
		[ES_MPI_ROLE_FINALIZE] = OTF2_REGION_ROLE_UNKNOWN,
	};
	const struct es_mpi_function *function =
	    es_mpi_function(es_mpi_function_find(name));
	OTF2_RegionRole role =
	    function == NULL ? OTF2_REGION_ROLE_UNKNOWN : roles[function->role];

	return role == OTF2_REGION_ROLE_UNKNOWN ? OTF2_REGION_ROLE_FUNCTION :
						  role;
}

static void
regions_define(struct otf2 *o)
{
	for (uint32_t n = 0; n < o->export->names.count; n++) {
		const char *name = es__export_name(o->export, n);
		bool mpi = o->export->mpi != NULL &&
		    es_mpi_function_find(name) != UINT32_MAX;
		OTF2_StringRef ref = string_define(o, name);

		otf2_check(o,
		    OTF2_GlobalDefWriter_WriteRegion(o->defs, n, ref, ref, 0,
			mpi ? role_of(name) : OTF2_REGION_ROLE_DATA_TRANSFER,
			mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
			OTF2_REGION_FLAG_NONE, 0, 0, 0));
	}
}

/* Defines the places in the source that events refer to: those of call sites,
   numbered without gaps. */
static void
sources_define(struct otf2 *o)
{
	const struct es__export_texts *files = &o->export->files;

	if (o->export->mpi == NULL)
		return;
	otf2_check(o,
	    OTF2_GlobalDefWriter_WriteAttribute(o->defs, 0,
		string_define(o, "call site"),
		string_define(o, "place in the source that calls MPI"),
		OTF2_TYPE_SOURCE_CODE_LOCATION));
	for (uint32_t n = 1; n < files->count; n++)
		if (*files->texts[n] != '\0')
			otf2_check(o,
			    OTF2_GlobalDefWriter_WriteSourceCodeLocation(
				o->defs, o->export->sources[n].number,
				string_define(o, files->texts[n]),
				o->export->sources[n].line));
}

/* Defines a node for the run, below it one for each host, and the processes. */
static void
tree_define(struct otf2 *o)
{
	const struct paths_map *map = o->export->map;

	otf2_check(o,
	    OTF2_GlobalDefWriter_WriteSystemTreeNode(o->defs, 0,
		string_define(o, es_run_dir(o->export->run)),
		string_define(o, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t n = 0; n < map->host_count; n++)
		otf2_check(o,
		    OTF2_GlobalDefWriter_WriteSystemTreeNode(o->defs, n + 1,
			string_define(o, map->hosts[n].name),
			string_define(o, "node"), 0));
	for (uint32_t n = 0; n < map->process_count; n++)
		otf2_check(o,
		    OTF2_GlobalDefWriter_WriteLocationGroup(o->defs, n,
			string_define(o, map->processes[n].name),
			OTF2_LOCATION_GROUP_TYPE_PROCESS,
			map->processes[n].host + 1,
			OTF2_UNDEFINED_LOCATION_GROUP));
	for (uint32_t n = 0; n < o->location_count; n++)
		otf2_check(o,
		    OTF2_GlobalDefWriter_WriteLocation(o->defs, n,
			string_define(o, o->locations[n].name),
			OTF2_LOCATION_TYPE_CPU_THREAD, o->locations[n].events,
			o->locations[n].process));
}

static OTF2_GroupRef
group_define(struct otf2 *o, OTF2_GroupType type, const uint64_t *members,
    uint32_t count)
{
	otf2_check(o,
	    OTF2_GlobalDefWriter_WriteGroup(o->defs, o->groups, 0, type,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members));
	return o->groups++;
}

static void
comm_define(struct otf2 *o, uint32_t n, uint64_t *members)
{
	const struct es_mpi_trace_comm *comm =
	    &es_mpi_trace_input(o->export->trace)->comms[n];
	OTF2_StringRef name = string_define(o, o->export->comms.texts[n]);
	OTF2_CommRef ref = o->members.comms[n].number;
	OTF2_GroupRef group, other;

	for (uint32_t m = 0; m < comm->count; m++)
		members[m] = comm->members[m];
	group = group_define(o,
	    n == ES_MPI_RUN_SELF ? OTF2_GROUP_TYPE_COMM_SELF :
				   OTF2_GROUP_TYPE_COMM_GROUP,
	    members, comm->first);
	if (comm->first == comm->count) {
		otf2_check(o,
		    OTF2_GlobalDefWriter_WriteComm(o->defs, ref, name, group,
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
		return;
	}
	other = group_define(o, OTF2_GROUP_TYPE_COMM_GROUP,
	    members + comm->first, comm->count - comm->first);
	otf2_check(o,
	    OTF2_GlobalDefWriter_WriteInterComm(o->defs, ref, name, group,
		other, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

/* Defines the communicators.  Their groups refer to ranks by the index in the
   first group, which has the locations of all ranks. */
static paths_status
comms_define(struct otf2 *o)
{
	uint32_t ranks;
	uint64_t *members;

	if (o->export->trace == NULL)
		return PATHS_OK;
	ranks = es_mpi_trace_input(o->export->trace)->rank_count;
	members = calloc(es_mpi_rank_count(o->export->mpi) + (size_t)1,
	    sizeof(*members));
	if (members == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for communicators");
	for (uint32_t rank = 0; rank < ranks; rank++)
		members[rank] = o->first_of[rank];
	(void)group_define(o, OTF2_GROUP_TYPE_COMM_LOCATIONS, members, ranks);
	for (uint32_t n = 0; n < o->members.count; n++)
		if (o->members.comms[n].known)
			comm_define(o, n, members);
	free(members);
	return PATHS_OK;
}

/* Adds a location, and a file, for each process without events, because a rank
   needs a location. */
static paths_status
locations_complete(struct otf2 *o)
{
	const struct paths_map *map = o->export->map;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < map->process_count; n++) {
		if (o->first_of[n] != PATHS_NONE)
			continue;
		st = location_add(o, n, map->processes[n].name);
		o->line_first = o->location_count - 1;
		o->line_count = 1;
		o->writers[0] =
		    OTF2_Archive_GetEvtWriter(o->archive, o->line_first);
		if (st == PATHS_OK)
			lines_close(o);
	}
	return st;
}

static paths_status
defs_write(struct otf2 *o)
{
	paths_status st;

	otf2_check(o, OTF2_Archive_OpenDefFiles(o->archive));
	for (uint32_t n = 0; n < o->location_count; n++) {
		OTF2_DefWriter *writer =
		    OTF2_Archive_GetDefWriter(o->archive, n);

		otf2_check(o, OTF2_Archive_CloseDefWriter(o->archive, writer));
	}
	otf2_check(o, OTF2_Archive_CloseDefFiles(o->archive));
	o->defs = OTF2_Archive_GetGlobalDefWriter(o->archive);
	if (o->defs == NULL)
		return paths_log_fail(PATHS_EIO, "otf2: no definition writer");
	otf2_check(o,
	    OTF2_GlobalDefWriter_WriteClockProperties(o->defs, 1000000000, 0,
		(uint64_t)(o->last_ns + o->export->shift_ns) + 1,
		OTF2_UNDEFINED_TIMESTAMP));
	(void)string_define(o, "");
	regions_define(o);
	sources_define(o);
	tree_define(o);
	st = comms_define(o);
	otf2_check(o, OTF2_Archive_CloseGlobalDefWriter(o->archive, o->defs));
	return st;
}

/* Writes warnings as properties of the archive. */
static void
properties_write(struct otf2 *o)
{
	const struct es_diagnostic *d;

	for (size_t n = 0; (d = es_run_diagnostic(o->export->run, n)) != NULL;
	     n++) {
		char name[64], *text;

		if (d->severity == ES_NOTE ||
		    asprintf(&text, "%s: %s", d->subject, d->text) < 0)
			continue;
		snprintf(name, sizeof(name), "EVENTSPACE::WARNING::%zu", n);
		otf2_check(o,
		    OTF2_Archive_SetProperty(o->archive, name, text, true));
		free(text);
	}
}

static paths_status
archive_open(struct otf2 *o, const char *to)
{
	o->archive =
	    OTF2_Archive_Open(to, "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES,
		CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (o->archive == NULL)
		return o->sink.st != PATHS_OK ?
		    o->sink.st :
		    paths_log_fail(PATHS_EIO, "otf2: no archive");
	otf2_check(o,
	    OTF2_Archive_SetFlushCallbacks(o->archive, &flush_callbacks, NULL));
	otf2_check(o, OTF2_Archive_SetSerialCollectiveCallbacks(o->archive));
	otf2_check(o, OTF2_Archive_SetCreator(o->archive, "eventspace"));
	otf2_check(o, OTF2_Archive_OpenEvtFiles(o->archive));
	return o->sink.st;
}

static paths_status
archive_write(struct otf2 *o)
{
	paths_status st = es__export_members_open(o->export, &o->members);

	if (st == PATHS_OK)
		st = es__export_walk(o->export, &o->sink);
	lines_close(o);
	if (st == PATHS_OK)
		st = locations_complete(o);
	otf2_check(o, OTF2_Archive_CloseEvtFiles(o->archive));
	es__export_tell(o->export, "otf2");
	if (o->unplaced > 0)
		es_run_diagnose(o->export->run, ES_WARNING, "otf2",
		    "%" PRIu64 " messages are left out: not all members of"
		    " their communicators are known",
		    o->unplaced);
	properties_write(o);
	if (st == PATHS_OK && o->sink.st == PATHS_OK)
		st = defs_write(o);
	return st;
}

static paths_status
otf2_write(struct es__export *export, const char *to)
{
	uint32_t processes = export->map->process_count;
	struct otf2 o = { .export = export,
		.to = to,
		.sink = { .line = otf2_line,
		    .begin = otf2_begin,
		    .end = otf2_end,
		    .point = otf2_point } };
	paths_status st;

	o.first_of = malloc((processes + (size_t)1) * sizeof(uint32_t));
	o.attributes = OTF2_AttributeList_New();
	if (o.first_of == NULL || o.attributes == NULL) {
		OTF2_AttributeList_Delete(o.attributes);
		free(o.first_of);
		return paths_log_fail(PATHS_ENOMEM, "no memory for locations");
	}
	for (uint32_t n = 0; n < processes; n++)
		o.first_of[n] = PATHS_NONE;
	(void)OTF2_Error_RegisterCallback(otf2_failed, &o);
	st = archive_open(&o, to);
	if (st == PATHS_OK)
		st = archive_write(&o);
	if (o.archive != NULL)
		otf2_check(&o, OTF2_Archive_Close(o.archive));
	(void)OTF2_Error_RegisterCallback(NULL, NULL);
	for (uint32_t n = 0; n < o.location_count; n++)
		free(o.locations[n].name);
	es__export_members_close(&o.members);
	OTF2_AttributeList_Delete(o.attributes);
	free(o.locations);
	free(o.first_of);
	return st == PATHS_OK ? o.sink.st : st;
}

#endif

const struct es__export_format es__export_otf2 = {
	.name = "otf2",
	.folder = true,
	.shifts = true,
	.requests = true,
#ifdef ES_OTF2
	.write = otf2_write,
#endif
};
