/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/csv.c - writes all operations as comma-separated values
 *
 * An operation or MPI call is a line, as it is a row of the table `event`; the
 * parts of calls are left out.  Collectors follow each other, with their tuples
 * in the order of recording.  The columns are the fields of all tuple types of
 * the run.  A value is empty if the tuple has no such field, if the value is
 * not known, or if it is a stamp that the operation never reached, as stop can
 * be.
 *
 * Source: RFC 4180, with a line feed at the end of a line
 */

#include "scopes/show/csv.h"
#include "scopes/export/export_private.h"
#include "scopes/export/file_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/lane_private.h"
#include "scopes/export/value_private.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csv {
	struct es__export *export;
	struct es__export_file file;
	const char **columns; /* names of fields without a fixed column */
	uint32_t column_count;
	/* Field, or NULL, for each type and column. */
	const struct es__export_field **fields;
};

static const char fixed[] = "collector,process,thread,stage,start_ns,stop_ns,"
			    "duration_ns,op";

/* Returns true for start, stop and op, which have fixed columns. */
static bool
is_fixed(const struct es__export_type *type,
    const struct es__export_field *field)
{
	return field->field->offset == 0 || field->field == type->stop ||
	    field->means == ES__EXPORT_OP;
}

static uint32_t
column_find(const struct csv *csv, const char *name)
{
	uint32_t n = 0;

	while (n < csv->column_count && strcmp(csv->columns[n], name) != 0)
		n++;
	return n;
}

static paths_status
columns_find(struct csv *csv)
{
	const struct es__export *export = csv->export;
	size_t room = export->type_count * (size_t)ES_TUPLE_FIELDS_MAX + 1;

	csv->columns = calloc(room, sizeof(*csv->columns));
	csv->fields =
	    calloc(room * (export->type_count + 1), sizeof(*csv->fields));
	if (csv->columns == NULL || csv->fields == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for columns");
	for (uint32_t t = 0; t < export->type_count; t++) {
		const struct es__export_type *type = &export->types[t];

		for (uint32_t n = 0; n < type->field_count; n++) {
			const struct es__export_field *field = &type->fields[n];
			uint32_t c = column_find(csv, field->field->name);

			if (is_fixed(type, field))
				continue;
			csv->columns[c] = field->field->name;
			if (c == csv->column_count)
				csv->column_count++;
			csv->fields[t * room + c] = field;
		}
	}
	return PATHS_OK;
}

/* Longer texts are left out, so that a line has room. */
#define TEXT_MAX 4096

static char *
put_value(char *p, const struct es__export_value *value)
{
	if (value->kind != ES__EXPORT_TEXT)
		return es__export_value_print(p, value);
	return strlen(value->as.text) > TEXT_MAX ?
	    p :
	    es_csv_put(p, value->as.text);
}

static void
column_write(struct csv *csv, const char *name, bool stamp)
{
	char text[64];
	char *p = es__export_file_room(&csv->file, 2 * sizeof(text) + 4);

	snprintf(text, sizeof(text), "%s%s", name, stamp ? "_ns" : "");
	*p = ',';
	csv->file.used += (size_t)(es_csv_put(p + 1, text) - p);
}

static void
head_write(struct csv *csv)
{
	const struct es__export *export = csv->export;

	es__export_file_text(&csv->file, fixed);
	for (uint32_t c = 0; c < csv->column_count; c++) {
		bool stamp = false;

		for (uint32_t t = 0; t < export->type_count; t++) {
			const struct es_tuple_field *field =
			    es_tuple_field_find(export->types[t].type,
				csv->columns[c]);

			stamp = stamp ||
			    (field != NULL &&
				strcmp(field->unit, "ticks") == 0);
		}
		column_write(csv, csv->columns[c], stamp);
	}
	es__export_file_text(&csv->file, "\n");
}

/* Writes the beginning of all lines of a collector.  Returns its end. */
static char *
lead_fill(const struct csv *csv, uint32_t collector, char *p)
{
	const struct paths_map *map = csv->export->map;
	const struct es_collector *at =
	    es_run_collector(csv->export->run, collector);

	p = es__export_digits(p, collector);
	*p++ = ',';
	p = es_csv_put(p, map->processes[at->process].name);
	*p++ = ',';
	if (at->thread != PATHS_NONE)
		p = es_csv_put(p, map->threads[at->thread].name);
	*p++ = ',';
	p = es_csv_put(p, map->instances[at->stage].name);
	*p++ = ',';
	return p;
}

static char *
put_times(char *p, const struct es__export_event *event)
{
	p = es__export_signed_digits(p, event->start_ns);
	*p++ = ',';
	if (event->type->stop != NULL && !event->open)
		p = es__export_signed_digits(p, event->stop_ns);
	*p++ = ',';
	if (event->type->stop != NULL && !event->open)
		p = es__export_signed_digits(p,
		    event->stop_ns - event->start_ns);
	*p++ = ',';
	return p;
}

static char *
put_op(const struct csv *csv, char *p, const struct es__export_event *event)
{
	struct es__export_field field = { .field = event->type->op,
		.means = ES__EXPORT_OP };
	struct es__export_value value;

	if (field.field == NULL)
		return p;
	value = es__export_value(csv->export, event, &field);
	return put_value(p, &value);
}

static void
line_write(struct csv *csv, const struct es__export_event *event,
    const char *lead, size_t lead_bytes)
{
	size_t room = csv->export->type_count * (size_t)ES_TUPLE_FIELDS_MAX + 1;
	const struct es__export_field **fields =
	    csv->fields + room * (size_t)(event->type - csv->export->types);
	char *line = es__export_file_room(&csv->file, ES__EXPORT_ROOM);
	char *p = line;

	memcpy(p, lead, lead_bytes);
	p = put_times(p + lead_bytes, event);
	p = put_op(csv, p, event);
	for (uint32_t c = 0; c < csv->column_count; c++) {
		struct es__export_value value;

		*p++ = ',';
		if (fields[c] == NULL)
			continue;
		if (p > line + ES__EXPORT_ROOM - 2 * TEXT_MAX - 64) {
			csv->file.used += (size_t)(p - line);
			p = line =
			    es__export_file_room(&csv->file, ES__EXPORT_ROOM);
		}
		value = es__export_value(csv->export, event, fields[c]);
		p = put_value(p, &value);
	}
	*p++ = '\n';
	csv->file.used += (size_t)(p - line);
}

static paths_status
collector_write(struct csv *csv, uint32_t collector)
{
	struct es__export_lane lane;
	struct es__export_event event;
	char lead[2048];
	size_t lead_bytes = (size_t)(lead_fill(csv, collector, lead) - lead);
	uint64_t count = 0;
	paths_status st = PATHS_OK;

	es__export_lane_init(csv->export, collector, &lane);
	while (st == PATHS_OK &&
	    es__export_lane_next(csv->export, &lane, &event)) {
		if (!event.part)
			line_write(csv, &event, lead, lead_bytes);
		if (++count % ES__EXPORT_BEAT == 0)
			st = es__export_beat(csv->export, ES__EXPORT_BEAT);
		if (csv->file.st != PATHS_OK)
			st = csv->file.st;
	}
	return st == PATHS_OK ?
	    es__export_beat(csv->export, count % ES__EXPORT_BEAT) :
	    st;
}

static paths_status
csv_write(struct es__export *export, const char *to)
{
	struct csv csv = { .export = export };
	uint32_t count = es_run_collector_count(export->run);
	paths_status st = es__export_file_open(&csv.file, to), closed;

	if (st != PATHS_OK)
		return st;
	st = columns_find(&csv);
	if (st == PATHS_OK)
		head_write(&csv);
	for (uint32_t c = 0; st == PATHS_OK && c < count; c++)
		st = collector_write(&csv, c);
	closed = es__export_file_close(&csv.file);
	free(csv.columns);
	free(csv.fields);
	return st == PATHS_OK ? closed : st;
}

const struct es__export_format es__export_csv = {
	.name = "csv",
	.write = csv_write,
};
