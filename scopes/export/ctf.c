/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ctf.c - writes a trace in the Common Trace Format
 *
 * The folder has a description, `metadata`, which is made from the tables of
 * the tuple types, and a file for each collector that has tuples.  The file is
 * one packet with the tuples, after two empty packets if the oldest tuples were
 * discarded.  Tuples are copied; stamps become ns of the run, and numbers of a
 * process become those of the run.  So every tuple type can be exported.
 *
 * The first field, start, is the time of the event.  The field stop is a
 * number, 0 if the operation never ended.
 *
 * Source: The Common Trace Format 1.8.3, diamon.org
 */

#include "scopes/export/export_private.h"
#include "scopes/export/file_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/lane_private.h"
#include "scopes/export/value_private.h"

#include "libpaths/log.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC UINT32_C(0xC1FC1FC1)

/* The begin of a packet, which `packet_text` describes. */
struct packet {
	uint32_t magic;
	uint32_t stream_id;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t content_size; /* bits */
	uint64_t packet_size;  /* bits */
	uint64_t events_discarded;
	uint32_t collector;
	uint32_t process;
	uint32_t thread;
} __attribute__((packed));

static const char packet_text[] =
    "  packet.context := struct {\n"
    "    ts_t timestamp_begin; ts_t timestamp_end;\n"
    "    u64 content_size; u64 packet_size; u64 events_discarded;\n"
    "    collector_t collector; process_t process; thread_t thread;\n"
    "  };\n"
    "  event.header := struct { ts_t timestamp; };\n"
    "};\n";

static const char head_text[] =
    "/* CTF 1.8 */\n\n"
    "typealias integer { size = 8; align = 8; signed = true; } := i8;\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 16; align = 8; signed = true; } := i16;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := i32;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
    "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; }"
    " := f32;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; }"
    " := f64;\n\n"
    "trace {\n"
    "  major = 1; minor = 8;\n"
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    "  byte_order = le;\n"
#else
    "  byte_order = be;\n"
#endif
    "  packet.header := struct { u32 magic; u32 stream_id; };\n"
    "};\n\n";

static const char *const kinds[] = { [PATHS_TYPE_I8] = "i8",
	[PATHS_TYPE_U8] = "u8",
	[PATHS_TYPE_I16] = "i16",
	[PATHS_TYPE_U16] = "u16",
	[PATHS_TYPE_I32] = "i32",
	[PATHS_TYPE_U32] = "u32",
	[PATHS_TYPE_I64] = "i64",
	[PATHS_TYPE_U64] = "u64",
	[PATHS_TYPE_F32] = "f32",
	[PATHS_TYPE_F64] = "f64" };

/* ---- The description. */

static void
put_string(struct es__export_file *file, const char *text)
{
	es__export_file_text(file, "\"");
	for (; *text != '\0'; text++) {
		char c[2] = { *text, '\0' };

		if (*text == '"' || *text == '\\')
			es__export_file_text(file, "\\");
		es__export_file_text(file,
		    (unsigned char)*text < ' ' ? " " : c);
	}
	es__export_file_text(file, "\"");
}

/* The names of numbers.  A reader shows a number without a name as it is. */
struct labels {
	const struct es__export *export;
	const struct es__export_type *type;
	const char *(*get)(const struct labels *labels, uint32_t n);
	uint32_t count; /* numbers are below it */
};

static const char *
label_collector(const struct labels *labels, uint32_t n)
{
	return labels->export->map
	    ->instances[es_run_collector(labels->export->run, n)->stage]
	    .name;
}

static const char *
label_process(const struct labels *labels, uint32_t n)
{
	return labels->export->map->processes[n].name;
}

static const char *
label_thread(const struct labels *labels, uint32_t n)
{
	return labels->export->map->threads[n].name;
}

static const char *
label_element(const struct labels *labels, uint32_t n)
{
	return labels->export->map->elements[n].name;
}

static const char *
label_op(const struct labels *labels, uint32_t n)
{
	return es__export_value_op(labels->type, n);
}

static const char *
label_comm(const struct labels *labels, uint32_t n)
{
	return n == 0 ? "MPI_COMM_NULL" : labels->export->comms.texts[n];
}

static const char *
label_site(const struct labels *labels, uint32_t n)
{
	return n == 0 ? NULL : labels->export->sites.texts[n];
}

/* Writes "enum : u32 { ... }", or "u32" if there are no names. */
static void
put_labels(struct es__export_file *file, const char *kind,
    const struct labels *labels)
{
	bool any = false;

	for (uint32_t n = 0; n < labels->count; n++) {
		const char *text = labels->get(labels, n);

		if (text == NULL)
			continue;
		if (any)
			es__export_file_text(file, ", ");
		else
			es__export_file_print(file, "enum : %s { ", kind);
		any = true;
		put_string(file, text);
		es__export_file_print(file, " = %" PRIu32, n);
	}
	es__export_file_text(file, any ? " }" : kind);
}

static void
put_alias(struct es__export_file *file, const char *name,
    const struct labels *labels)
{
	es__export_file_text(file, "typealias ");
	put_labels(file, "u32", labels);
	es__export_file_print(file, " := %s;\n", name);
}

/* Writes the type of a field, with the names of its numbers. */
static void
put_kind(struct es__export_file *file, const struct es__export *export,
    const struct es__export_type *type, const struct es__export_field *field)
{
	struct labels labels = { .export = export, .type = type };
	const char *kind = kinds[field->field->kind];

	switch (field->means) {
	case ES__EXPORT_STAMP:
		/* Clocks that are not known well give negative times. */
		es__export_file_text(file, "i64");
		return;
	case ES__EXPORT_OP:
		labels.get = label_op;
		labels.count = UINT32_C(1024);
		break;
	case ES__EXPORT_ELEMENT:
		labels.get = label_element;
		labels.count = export->map->element_count;
		break;
	case ES__EXPORT_COMM:
		labels.get = label_comm;
		labels.count = export->comms.count < UINT16_MAX ?
		    export->comms.count :
		    UINT16_MAX;
		break;
	case ES__EXPORT_SITE:
		labels.get = label_site;
		labels.count = export->sites.count;
		break;
	default:
		break;
	}
	put_labels(file, kind, &labels);
}

static int
field_order(const void *left, const void *right)
{
	const struct es__export_field *a = left, *b = right;

	return (a->field->offset > b->field->offset) -
	    (a->field->offset < b->field->offset);
}

/* Writes a field for the bytes of a tuple that belong to no field. */
static void
put_gap(struct es__export_file *file, uint32_t from, uint32_t to)
{
	if (to > from)
		es__export_file_print(file,
		    "    u8 _gap%" PRIu32 "[%" PRIu32 "];\n", from, to - from);
}

/* Writes the name of a field as an identifier of CTF. */
static void
put_name(struct es__export_file *file, const char *name)
{
	char word[64];
	size_t n = 0;

	for (; name[n] != '\0' && n < sizeof(word) - 1; n++)
		word[n] = isalnum((unsigned char)name[n]) ? name[n] : '_';
	word[n] = '\0';
	es__export_file_print(file, " _%s;\n", word);
}

/* Writes the description of a type.  CTF cannot express a field that overlaps
   another one, so it is left out.  The underscore before a name, which readers
   drop, distinguishes it from the keywords of the language. */
static void
put_type(struct es__export_file *file, const struct es__export *export,
    uint32_t index)
{
	const struct es__export_type *type = &export->types[index];
	struct es__export_field fields[ES_TUPLE_FIELDS_MAX];
	uint32_t at = sizeof(uint64_t);

	memcpy(fields, type->fields, sizeof(fields));
	qsort(fields, type->field_count, sizeof(fields[0]), field_order);
	es__export_file_print(file, "\nstream {\n  id = %" PRIu32 ";\n%s",
	    index, packet_text);
	es__export_file_print(file,
	    "\nevent {\n  name = \"%s\"; id = 0; stream_id = %" PRIu32
	    ";\n  fields := struct {\n",
	    type->type->name, index);
	for (uint32_t n = 0; n < type->field_count; n++) {
		const struct es_tuple_field *field = fields[n].field;

		if (field->offset < at)
			continue;
		put_gap(file, at, field->offset);
		es__export_file_text(file, "    ");
		put_kind(file, export, type, &fields[n]);
		put_name(file, field->name);
		at = field->offset + field->bytes;
	}
	put_gap(file, at, type->type->bytes);
	es__export_file_text(file, "  };\n};\n");
}

/* Writes the run and its warnings. */
static void
put_env(struct es__export_file *file, const struct es__export *export)
{
	static const char *const
	    severities[] = { [ES_WARNING] = "warning", [ES_ERROR] = "error" };
	const struct es_diagnostic *d;

	es__export_file_text(file,
	    "env {\n  tracer_name = \"eventspace\";\n  run = ");
	put_string(file, es_run_dir(export->run));
	for (size_t n = 0; (d = es_run_diagnostic(export->run, n)) != NULL;
	     n++) {
		char *text;

		if (d->severity == ES_NOTE)
			continue;
		if (asprintf(&text, "%s: %s", d->subject, d->text) < 0)
			continue;
		es__export_file_print(file,
		    ";\n  %s_%zu = ", severities[d->severity], n);
		put_string(file, text);
		free(text);
	}
	es__export_file_text(file, ";\n};\n\n");
}

static void
put_aliases(struct es__export_file *file, const struct es__export *export)
{
	put_alias(file, "collector_t",
	    &(struct labels){ .export = export,
		.get = label_collector,
		.count = es_run_collector_count(export->run) });
	put_alias(file, "process_t",
	    &(struct labels){ .export = export,
		.get = label_process,
		.count = export->map->process_count });
	put_alias(file, "thread_t",
	    &(struct labels){ .export = export,
		.get = label_thread,
		.count = export->map->thread_count });
}

static paths_status
metadata_write(const struct es__export *export, const char *folder)
{
	struct es__export_file file;
	char *name;
	paths_status st;

	if (asprintf(&name, "%s/metadata", folder) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	st = es__export_file_open(&file, name);
	if (st == PATHS_OK) {
		es__export_file_text(&file, head_text);
		put_env(&file, export);
		es__export_file_print(&file,
		    "clock { name = run; freq = 1000000000; offset = %" PRId64
		    "; };\n"
		    "typealias integer { size = 64; align = 8; signed = false;"
		    " map = clock.run.value; } := ts_t;\n",
		    -export->shift_ns);
		put_aliases(&file, export);
		for (uint32_t n = 0; n < export->type_count; n++)
			put_type(&file, export, n);
		st = es__export_file_close(&file);
	}
	free(name);
	return st;
}

/* ---- The events. */

/* Returns the value of a field whose value changes in the export. */
static int64_t
field_number(const struct es__export *export,
    const struct es__export_event *event, const struct es__export_field *field)
{
	struct es__export_value value;
	int64_t number;

	if (field->means == ES__EXPORT_STAMP) {
		value = es__export_value(export, event, field);
		return value.kind == ES__EXPORT_NONE ? 0 : value.as.i;
	}
	number = es__export_value_number(export, event->process, field->means,
	    es__export_value_load(field->field, event->tuple));
	if (field->means == ES__EXPORT_PEER)
		return number;
	if (field->means == ES__EXPORT_COMM && number > UINT16_MAX)
		return UINT16_MAX;
	return number < 0 ? 0 : number;
}

static void
field_patch(char *tuple, const struct es_tuple_field *field, int64_t number)
{
	const char *bytes = (const char *)&number;

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	bytes += sizeof(number) - field->bytes;
#endif
	memcpy(tuple + field->offset, bytes, field->bytes);
}

static bool
is_patched(const struct es__export_field *field)
{
	return field->field->offset > 0 && field->means != ES__EXPORT_NUMBER &&
	    field->means != ES__EXPORT_OP &&
	    field->means != ES__EXPORT_ELEMENT &&
	    field->means != ES__EXPORT_SEQ;
}

static void
tuple_write(struct es__export_file *file, const struct es__export *export,
    const struct es__export_event *event)
{
	size_t bytes = event->type->type->bytes;
	char *to = es__export_file_room(file, bytes);
	uint64_t start = (uint64_t)(event->start_ns + export->shift_ns);

	memcpy(to, event->tuple, bytes);
	memcpy(to, &start, sizeof(start));
	for (uint32_t n = 0; n < event->type->field_count; n++) {
		const struct es__export_field *field = &event->type->fields[n];

		if (is_patched(field))
			field_patch(to, field->field,
			    field_number(export, event, field));
	}
	file->used += bytes;
}

/* Returns the time of the latest tuple, which is the last one unless stamps go
   back. */
static int64_t
packet_end(const struct es_collector *at, const struct es_timebase *base)
{
	int64_t last = INT64_MIN;

	for (uint64_t n = 0; n < at->count; n++) {
		uint64_t ticks;
		int64_t ns;

		memcpy(&ticks, es_collector_tuple(at, n), sizeof(ticks));
		ns = es_time_ns(base, ticks);
		last = ns > last ? ns : last;
	}
	return last;
}

/* Writes the begin of a packet, with the bytes of its tuples and the times of
   the first and the last. */
static void
packet_put(struct es__export_file *file, const struct packet *like,
    size_t bytes, int64_t begin, int64_t end)
{
	struct packet packet = *like;

	packet.timestamp_begin = (uint64_t)begin;
	packet.timestamp_end = (uint64_t)end;
	packet.content_size = packet.packet_size = 8 * (sizeof(packet) + bytes);
	es__export_file_put(file, &packet, sizeof(packet));
}

/* Begins the packet of a collector.  The count of discarded events grows from
   one packet to the next, and readers take the difference as discarded between
   the ends of these two.  So one empty packet marks the start of the run, and
   another the first retained tuple. */
static void
packet_begin(struct es__export_file *file, const struct es__export *export,
    uint32_t collector)
{
	const struct es_collector *at =
	    es_run_collector(export->run, collector);
	const struct es_timebase *base =
	    es_analysis_timebase(export->analysis, at->process);
	struct packet packet = { .magic = MAGIC,
		.stream_id = export->type_of[collector],
		.collector = collector,
		.process = at->process,
		.thread = at->thread };
	uint64_t ticks;
	int64_t first;

	memcpy(&ticks, es_collector_tuple(at, 0), sizeof(ticks));
	first = es_time_ns(base, ticks) + export->shift_ns;
	if (at->discarded > 0) {
		packet_put(file, &packet, 0, 0, 0);
		packet.events_discarded = at->discarded;
		packet_put(file, &packet, 0, first, first);
	}
	packet_put(file, &packet, at->count * at->type->bytes, first,
	    packet_end(at, base) + export->shift_ns);
}

static paths_status
tuples_write(struct es__export_file *file, struct es__export *export,
    uint32_t collector)
{
	struct es__export_lane lane;
	struct es__export_event event;
	uint64_t count = 0;
	paths_status st = PATHS_OK;

	es__export_lane_init(export, collector, &lane);
	while (st == PATHS_OK && es__export_lane_next(export, &lane, &event)) {
		tuple_write(file, export, &event);
		if (++count % ES__EXPORT_BEAT == 0)
			st = es__export_beat(export, ES__EXPORT_BEAT);
		if (file->st != PATHS_OK)
			st = file->st;
	}
	return st == PATHS_OK ?
	    es__export_beat(export, count % ES__EXPORT_BEAT) :
	    st;
}

static paths_status
stream_write(struct es__export *export, const char *folder, uint32_t collector)
{
	struct es__export_file file;
	char *name;
	paths_status st, closed;

	if (asprintf(&name, "%s/collector_%06" PRIu32, folder, collector) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	st = es__export_file_open(&file, name);
	if (st == PATHS_OK) {
		packet_begin(&file, export, collector);
		st = tuples_write(&file, export, collector);
		closed = es__export_file_close(&file);
		st = st == PATHS_OK ? closed : st;
	}
	free(name);
	return st;
}

static paths_status
ctf_write(struct es__export *export, const char *to)
{
	uint32_t count = es_run_collector_count(export->run);
	paths_status st = PATHS_OK;

	for (uint32_t c = 0; st == PATHS_OK && c < count; c++)
		if (export->type_of[c] != PATHS_NONE &&
		    es_run_collector(export->run, c)->count > 0)
			st = stream_write(export, to, c);
	es__export_tell(export, "ctf");
	if (export->comms.count > UINT16_MAX)
		es_run_diagnose(export->run, ES_WARNING, "ctf",
		    "communicators from %" PRIu32 " on have this number, the"
		    " greatest that a tuple can hold",
		    (uint32_t)UINT16_MAX);
	return st == PATHS_OK ? metadata_write(export, to) : st;
}

const struct es__export_format es__export_ctf = {
	.name = "ctf",
	.folder = true,
	.write = ctf_write,
};
