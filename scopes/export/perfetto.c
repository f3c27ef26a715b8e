/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/perfetto.c - writes a trace for ui.perfetto.dev
 *
 * The file is a sequence of packets in protobuf, which are encoded here.  Each
 * line of a track is a packet sequence: it defines each name once, and its
 * times are relative to the packet before, on a clock of its own from 0.
 * An operation is a begin and an end, or a begin alone if it never ended; a
 * request of a call that completes several is an instant.  The arrow of a
 * message goes from the begin of the event that sent it to the end of the event
 * that received it, which is always later.
 *
 * Whole numbers that are 0 are left out of the arguments.  Processes and
 * threads have the numbers of the map, from 1, because process ids of two hosts
 * can be the same.
 *
 * Source: the public definitions of Perfetto, protos/perfetto/trace; the field
 * numbers below are theirs
 */

#include "scopes/export/export_private.h"
#include "scopes/export/file_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/value_private.h"
#include "scopes/export/walk_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { /* Trace, TracePacket */
	TRACE_PACKET = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_DROPPED = 42,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_FIRST = 87
};

enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 };

enum { /* ClockSnapshot, Clock; TracePacketDefaults, TrackEventDefaults */
	SNAPSHOT_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_AT = 2,
	CLOCK_INCREMENTAL = 3,
	DEFAULTS_EVENT = 11,
	DEFAULTS_CLOCK = 58,
	BOOTTIME = 6,
	OWN_CLOCK = 64 /* first id for clocks of a sequence */
};

enum { /* TrackDescriptor, ProcessDescriptor, ThreadDescriptor */
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	PROCESS_LABELS = 8,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5
};

enum { /* InternedData and its entries */
	INTERNED_NAMES = 2,
	INTERNED_ARGS = 3,
	INTERNED_TEXTS = 29,
	ENTRY_IID = 1,
	ENTRY_TEXT = 2
};

enum { /* TrackEvent, DebugAnnotation */
	EVENT_ARGS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME = 10,
	EVENT_TRACK = 11,
	EVENT_FLOWS = 47,
	EVENT_FLOWS_END = 48,
	ARG_NAME = 1,
	ARG_UINT = 3,
	ARG_INT = 4,
	ARG_DOUBLE = 5,
	ARG_TEXT = 17
};

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3 };

enum { VARINT = 0, FIXED64 = 1, BYTES = 2 };

/* Longer texts are cut. */
#define TEXT_MAX 4096u

/* The strings that a sequence has defined. */
struct known_names {
	unsigned field;	 /* of InternedData */
	uint32_t *lines; /* for each string: 1 + last line that defined it */
	uint32_t count;
};

struct perfetto {
	struct es__export_sink sink; /* first member: callbacks cast from it */
	struct es__export *export;
	struct es__export_file file;
	int64_t *last_ns; /* of each line of the track */
	uint32_t line_first;
	struct known_names names, args, texts;
	uint64_t thread_uuid; /* of the track */
};

static uint8_t *
put_varint(uint8_t *p, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*p++ = (uint8_t)(number | 0x80);
	*p++ = (uint8_t)number;
	return p;
}

static uint8_t *
put_number(uint8_t *p, unsigned field, uint64_t number)
{
	return put_varint(put_varint(p, field << 3 | VARINT), number);
}

static uint8_t *
put_fixed(uint8_t *p, unsigned field, uint64_t number)
{
	p = put_varint(p, field << 3 | FIXED64);
	for (unsigned n = 0; n < 8; n++)
		*p++ = (uint8_t)(number >> 8 * n);
	return p;
}

static uint8_t *
put_bytes(uint8_t *p, unsigned field, const void *bytes, size_t count)
{
	p = put_varint(put_varint(p, field << 3 | BYTES), count);
	memcpy(p, bytes, count);
	return p + count;
}

static uint8_t *
put_text(uint8_t *p, unsigned field, const char *text)
{
	size_t bytes = strlen(text);

	return put_bytes(p, field, text, bytes < TEXT_MAX ? bytes : TEXT_MAX);
}

/* A message under construction. */
struct perfetto_message {
	uint8_t bytes[2 * TEXT_MAX + 512];
	uint8_t *end;
};

static uint8_t *
message_begin(struct perfetto_message *message)
{
	return message->end = message->bytes;
}

static uint8_t *
put_message(uint8_t *p, unsigned field, const struct perfetto_message *message)
{
	return put_bytes(p, field, message->bytes,
	    (size_t)(message->end - message->bytes));
}

/* Writes a packet with the fields in head and a message. */
static void
packet_write(struct perfetto *to, const uint8_t *head, size_t head_bytes,
    unsigned field, const struct perfetto_message *message)
{
	size_t bytes = (size_t)(message->end - message->bytes);
	uint8_t *p = (uint8_t *)es__export_file_room(&to->file,
	    sizeof(struct perfetto_message) + 64);
	uint8_t *from = p;
	size_t body =
	    head_bytes + bytes + (bytes < 0x80 ? 1 : 2) + (field < 16 ? 1 : 2);

	p = put_varint(p, TRACE_PACKET << 3 | BYTES);
	p = put_varint(p, body);
	memcpy(p, head, head_bytes);
	p = put_message(p + head_bytes, field, message);
	to->file.used += (size_t)(p - from);
}

/* Writes a packet of a line without a time. */
static void
packet_plain(struct perfetto *to, uint32_t line, unsigned field,
    const struct perfetto_message *message)
{
	uint8_t head[32];
	uint8_t *p = put_number(head, PACKET_SEQUENCE, line + 2);

	p = put_number(p, PACKET_FLAGS, FLAG_NEEDED);
	packet_write(to, head, (size_t)(p - head), field, message);
}

/* Writes a packet of a line with a time. */
static void
packet_at(struct perfetto *to, uint32_t line, int64_t at_ns,
    const struct perfetto_message *message)
{
	int64_t *last = &to->last_ns[line - to->line_first];
	uint8_t head[32];
	uint8_t *p =
	    put_number(head, PACKET_TIMESTAMP, (uint64_t)(at_ns - *last));

	*last = at_ns;
	p = put_number(p, PACKET_SEQUENCE, line + 2);
	p = put_number(p, PACKET_FLAGS, FLAG_NEEDED);
	packet_write(to, head, (size_t)(p - head), PACKET_TRACK_EVENT, message);
}

/* Returns the number of a string, after defining it in its sequence if it is
   new there. */
static uint32_t
intern(struct perfetto *to, struct known_names *known, uint32_t line,
    uint32_t number, const char *text)
{
	struct perfetto_message entry, message;

	if (number >= known->count) {
		uint32_t count = number < 64 ? 64 : 2 * number;
		uint32_t *more =
		    reallocarray(known->lines, count, sizeof(*more));

		if (more == NULL) {
			to->sink.st =
			    paths_log_fail(PATHS_ENOMEM, "no memory for names");
			return 0;
		}
		memset(more + known->count, 0,
		    (count - known->count) * sizeof(*more));
		known->lines = more;
		known->count = count;
	}
	if (known->lines[number] == line + 1)
		return number + 1;
	known->lines[number] = line + 1;
	entry.end = put_number(message_begin(&entry), ENTRY_IID, number + 1);
	entry.end = put_text(entry.end, ENTRY_TEXT, text);
	message.end =
	    put_message(message_begin(&message), known->field, &entry);
	packet_plain(to, line, PACKET_INTERNED, &message);
	return number + 1;
}

/* Uuids count hosts, then processes, then lines. */
static uint64_t
uuid_host(const struct perfetto *to, uint32_t host)
{
	(void)to;
	return 1 + (uint64_t)host;
}

static uint64_t
uuid_process(const struct perfetto *to, uint32_t process)
{
	return 1 + (uint64_t)to->export->map->host_count + process;
}

static uint64_t
uuid_line(const struct perfetto *to, uint32_t line)
{
	return uuid_process(to, to->export->map->process_count) + line;
}

/* Writes the hosts and the processes on the first sequence. */
static void
hosts_write(struct perfetto *to)
{
	const struct paths_map *map = to->export->map;
	struct perfetto_message track, process;
	uint8_t head[16];
	size_t bytes = (size_t)(put_number(head, PACKET_SEQUENCE, 1) - head);

	for (uint32_t n = 0; n < map->host_count; n++) {
		track.end = put_number(message_begin(&track), TRACK_UUID,
		    uuid_host(to, n));
		track.end = put_text(track.end, TRACK_NAME, map->hosts[n].name);
		packet_write(to, head, bytes, PACKET_TRACK, &track);
	}
	for (uint32_t n = 0; n < map->process_count; n++) {
		const struct paths_map_process *of = &map->processes[n];

		process.end =
		    put_number(message_begin(&process), PROCESS_PID, n + 1);
		process.end = put_text(process.end, PROCESS_NAME, of->name);
		process.end = put_text(process.end, PROCESS_LABELS,
		    map->hosts[of->host].name);
		track.end = put_number(message_begin(&track), TRACK_UUID,
		    uuid_process(to, n));
		track.end = put_message(track.end, TRACK_PROCESS, &process);
		track.end = put_number(track.end, TRACK_PARENT,
		    uuid_host(to, of->host));
		packet_write(to, head, bytes, PACKET_TRACK, &track);
	}
}

/* Writes the clock and the track that all packets of a line refer to. */
static void
line_begin(struct perfetto *to, const struct es__export_track *track,
    uint32_t line)
{
	struct perfetto_message clock, snapshot, event, defaults;
	uint8_t head[32];
	uint8_t *p = put_number(head, PACKET_SEQUENCE, line + 2);

	event.end =
	    put_number(message_begin(&event), EVENT_TRACK, uuid_line(to, line));
	defaults.end =
	    put_message(message_begin(&defaults), DEFAULTS_EVENT, &event);
	defaults.end = put_number(defaults.end, DEFAULTS_CLOCK, OWN_CLOCK);
	p = put_number(p, PACKET_FLAGS, FLAG_CLEARED);
	p = put_number(p, track->discarded ? PACKET_DROPPED : PACKET_FIRST, 1);
	packet_write(to, head, (size_t)(p - head), PACKET_DEFAULTS, &defaults);

	clock.end = put_number(message_begin(&clock), CLOCK_ID, BOOTTIME);
	clock.end = put_number(clock.end, CLOCK_AT, 0);
	snapshot.end =
	    put_message(message_begin(&snapshot), SNAPSHOT_CLOCK, &clock);
	clock.end = put_number(message_begin(&clock), CLOCK_ID, OWN_CLOCK);
	clock.end = put_number(clock.end, CLOCK_AT, 0);
	clock.end = put_number(clock.end, CLOCK_INCREMENTAL, 1);
	snapshot.end = put_message(snapshot.end, SNAPSHOT_CLOCK, &clock);
	packet_plain(to, line, PACKET_CLOCK_SNAPSHOT, &snapshot);
	to->last_ns[line - to->line_first] = 0;
}

static void
perfetto_line(struct es__export_sink *self,
    const struct es__export_track *track, uint32_t number, uint32_t line)
{
	struct perfetto *to = (struct perfetto *)self;
	const struct paths_map *map = to->export->map;
	struct perfetto_message message, thread;
	char name[300];

	if (number == 0) {
		to->line_first = line;
		to->thread_uuid = uuid_process(to, track->process);
	}
	message.end = put_number(message_begin(&message), TRACK_UUID,
	    uuid_line(to, line));
	message.end = put_number(message.end, TRACK_PARENT, to->thread_uuid);
	if (number == 0 && track->thread != PATHS_NONE) {
		thread.end = put_number(message_begin(&thread), THREAD_PID,
		    track->process + 1);
		thread.end = put_number(thread.end, THREAD_TID,
		    map->process_count + track->thread + 1);
		thread.end = put_text(thread.end, THREAD_NAME, track->name);
		message.end = put_message(message.end, TRACK_THREAD, &thread);
		to->thread_uuid = uuid_line(to, line);
	} else {
		snprintf(name, sizeof(name),
		    number == 0 ? "%s" : "%s (%" PRIu32 ")", track->name,
		    number + 1);
		message.end = put_text(message.end, TRACK_NAME, name);
	}
	line_begin(to, track, line);
	packet_plain(to, line, PACKET_TRACK, &message);
}

/* Returns the number of an argument: its field among those of all types. */
static uint32_t
arg_number(const struct perfetto *to, const struct es__export_event *event,
    uint32_t n)
{
	return (uint32_t)(event->type - to->export->types) *
	    ES_TUPLE_FIELDS_MAX +
	    n;
}

/* Returns the number of a text.  Call sites come before communicators. */
static uint32_t
text_number(const struct perfetto *to, const struct es__export_event *event,
    const struct es__export_field *field)
{
	const struct es__export *export = to->export;
	int64_t id = es__export_value_number(export, event->process,
	    field->means, es__export_value_load(field->field, event->tuple));

	return (uint32_t)id +
	    (field->means == ES__EXPORT_COMM ? export->sites.count : 0);
}

/* Writes the value of an argument; NULL: there is none, or it is left out. */
static uint8_t *
put_value(struct perfetto *to, uint8_t *p, const struct es__export_event *event,
    const struct es__export_field *field)
{
	struct es__export_value value =
	    es__export_value(to->export, event, field);
	uint64_t bits;

	switch (value.kind) {
	case ES__EXPORT_SIGNED:
		if (value.as.i == 0)
			return NULL;
		return value.as.i > 0 ?
		    put_number(p, ARG_UINT, (uint64_t)value.as.i) :
		    put_number(p, ARG_INT, (uint64_t)value.as.i);
	case ES__EXPORT_UNSIGNED:
		return value.as.u == 0 ? NULL :
					 put_number(p, ARG_UINT, value.as.u);
	case ES__EXPORT_REAL:
		memcpy(&bits, &value.as.r, sizeof(bits));
		return put_fixed(p, ARG_DOUBLE, bits);
	case ES__EXPORT_TEXT:
		return put_number(p, ARG_TEXT,
		    intern(to, &to->texts, event->line,
			text_number(to, event, field), value.as.text));
	default:
		return NULL;
	}
}

static uint8_t *
put_args(struct perfetto *to, uint8_t *p, const struct es__export_event *event)
{
	for (uint32_t n = 0; n < event->type->field_count; n++) {
		const struct es__export_field *field = &event->type->fields[n];
		uint8_t arg[64];
		uint8_t *end;

		if (!(to->export->all_args ? field->arg : field->usual))
			continue;
		end = put_number(arg, ARG_NAME,
		    intern(to, &to->args, event->line, arg_number(to, event, n),
			field->field->name));
		end = put_value(to, end, event, field);
		if (end != NULL)
			p = put_bytes(p, EVENT_ARGS, arg, (size_t)(end - arg));
	}
	return p;
}

static void
event_write(struct perfetto *to, const struct es__export_event *event,
    unsigned type, int64_t at_ns)
{
	uint32_t name = intern(to, &to->names, event->line, event->name,
	    es__export_name(to->export, event->name));
	struct perfetto_message message;
	uint8_t *p = put_number(message_begin(&message), EVENT_TYPE, type);

	p = put_number(p, EVENT_NAME, name);
	p = put_args(to, p, event);
	if (event->out != 0)
		p = put_fixed(p, EVENT_FLOWS, event->out);
	if (event->in != 0 && type == TYPE_INSTANT)
		p = put_fixed(p, EVENT_FLOWS_END, event->in);
	message.end = p;
	packet_at(to, event->line, at_ns + to->export->shift_ns, &message);
	if (to->file.st != PATHS_OK)
		to->sink.st = to->file.st;
}

static void
perfetto_begin(struct es__export_sink *self,
    const struct es__export_event *event)
{
	event_write((struct perfetto *)self, event, TYPE_BEGIN,
	    event->start_ns);
}

static void
perfetto_end(struct es__export_sink *self, const struct es__export_event *event)
{
	struct perfetto *to = (struct perfetto *)self;
	struct perfetto_message message;

	/* Viewers show an event without an end as open. */
	if (event->stop_ns == INT64_MAX)
		return;
	message.end = put_number(message_begin(&message), EVENT_TYPE, TYPE_END);
	if (event->in != 0)
		message.end =
		    put_fixed(message.end, EVENT_FLOWS_END, event->in);
	packet_at(to, event->line, event->stop_ns + to->export->shift_ns,
	    &message);
}

static void
perfetto_point(struct es__export_sink *self,
    const struct es__export_event *event, int64_t at_ns)
{
	event_write((struct perfetto *)self, event, TYPE_INSTANT, at_ns);
}

static paths_status
perfetto_write(struct es__export *export, const char *to)
{
	int64_t last_ns[ES__EXPORT_LINES] = { 0 };
	struct perfetto perfetto = { .export = export,
		.last_ns = last_ns,
		.names.field = INTERNED_NAMES,
		.args.field = INTERNED_ARGS,
		.texts.field = INTERNED_TEXTS,
		.sink = { .line = perfetto_line,
		    .begin = perfetto_begin,
		    .end = perfetto_end,
		    .point = perfetto_point } };
	paths_status st = es__export_file_open(&perfetto.file, to), closed;

	if (st != PATHS_OK)
		return st;
	hosts_write(&perfetto);
	st = es__export_walk(export, &perfetto.sink);
	closed = es__export_file_close(&perfetto.file);
	free(perfetto.names.lines);
	free(perfetto.args.lines);
	free(perfetto.texts.lines);
	return st == PATHS_OK ? closed : st;
}

const struct es__export_format es__export_perfetto = {
	.name = "perfetto",
	.shifts = true,
	.write = perfetto_write,
};
