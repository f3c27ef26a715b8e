/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2.c - writes a trace in the Open Trace Format 2
 *
 * A folder for Vampir, Scalasca's tools and otf2-print.  Events are the Enter
 * and Leave of a region.  An open event ends with the trace.  In a build
 * without OTF2, the format has no function, and eventspace export names the
 * missing library.
 *
 * Source: OTF2 3.0, <otf2/otf2.h>
 */

#include "scopes/export/format_private.h"
#include "scopes/export/names_private.h"
#include "scopes/export/otf2_archive_private.h"
#include "scopes/export/otf2_call_private.h"
#include "scopes/export/otf2_defs_private.h"
#include "scopes/export/otf2_window_private.h"

#ifdef ES_OTF2

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
lines_close(struct es__otf2 *o)
{
	for (uint32_t n = 0; n < o->line_count; n++) {
		uint64_t *events = &o->locations[o->line_first + n].events;

		if (o->writers[n] == NULL)
			continue;
		es__otf2_check(o,
		    OTF2_EvtWriter_GetNumberOfEvents(o->writers[n], events));
		es__otf2_check(o,
		    OTF2_Archive_CloseEvtWriter(o->archive, o->writers[n]));
	}
	o->line_count = 0;
}

static paths_status
location_add(struct es__otf2 *o, uint32_t process, const char *name)
{
	struct es__otf2_location *to;

	if (!paths__array_grow(&o->locations, o->location_count,
		&o->location_room, sizeof(*o->locations)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for locations");
	to = &o->locations[o->location_count];
	*to = (struct es__otf2_location){ .name = strdup(name),
		.process = process };
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
	struct es__otf2 *o = (struct es__otf2 *)self;
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
	o->waited_ns[number] = 0;
	if (o->writers[number] == NULL && self->st == PATHS_OK)
		self->st = paths_log_fail(PATHS_EIO, "otf2: no event writer");
}

/* Writes how long the line of an event has waited, without or with the wait of
   the event.  Events that did not wait have no record. */
static void
waiting_write(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns, bool after)
{
	uint64_t wait_ns = es__export_wait_ns(o->export, &o->waits, event);
	uint64_t *waited_ns = &o->waited_ns[event->line - o->line_first];
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value;

	if (wait_ns == 0)
		return;
	if (after)
		*waited_ns += wait_ns;
	value.unsigned_int = *waited_ns;
	es__otf2_check(o,
	    OTF2_EvtWriter_Metric(es__otf2_writer(o, event), NULL,
		es__otf2_time(o, ns), ES__OTF2_WAITING, 1, &type, &value));
}

static void
otf2_begin(struct es__export_sink *self, const struct es__export_event *event)
{
	struct es__otf2 *o = (struct es__otf2 *)self;
	OTF2_EvtWriter *writer = es__otf2_writer(o, event);
	uint32_t source = es__export_names_source(o->export, event);

	if (writer == NULL)
		return;
	waiting_write(o, event, event->start_ns, false);
	/* Writing an event empties the list. */
	if (source > 0)
		es__otf2_check(o,
		    OTF2_AttributeList_AddSourceCodeLocationRef(o->attributes,
			0, o->export->sources[source].number));
	es__otf2_check(o,
	    OTF2_EvtWriter_Enter(writer, source > 0 ? o->attributes : NULL,
		es__otf2_time(o, event->start_ns), event->name));
	es__otf2_call_begin(o, event, event->start_ns);
	es__otf2_window_begin(o, event, event->start_ns);
}

static void
otf2_end(struct es__export_sink *self, const struct es__export_event *event)
{
	struct es__otf2 *o = (struct es__otf2 *)self;
	int64_t at = event->stop_ns;
	OTF2_EvtWriter *writer = es__otf2_writer(o, event);

	if (writer == NULL)
		return;
	if (at == INT64_MAX)
		at = o->export->last_ns > o->last_ns ? o->export->last_ns :
						       o->last_ns;
	es__otf2_call_end(o, event, at);
	es__otf2_window_end(o, event, at);
	waiting_write(o, event, at, true);
	es__otf2_check(o,
	    OTF2_EvtWriter_Leave(writer, NULL, es__otf2_time(o, at),
		event->name));
}

/* Writes the requests of a part of a call, and other points as regions without
   duration. */
static void
otf2_point(struct es__export_sink *self, const struct es__export_event *event,
    int64_t at_ns)
{
	struct es__otf2 *o = (struct es__otf2 *)self;
	OTF2_EvtWriter *writer = es__otf2_writer(o, event);

	if (writer == NULL)
		return;
	es__otf2_call_begin(o, event, at_ns);
	es__otf2_call_end(o, event, at_ns);
	es__otf2_window_end(o, event, at_ns);
	if (event->part)
		return;
	es__otf2_check(o,
	    OTF2_EvtWriter_Enter(writer, NULL, es__otf2_time(o, at_ns),
		event->name));
	es__otf2_check(o,
	    OTF2_EvtWriter_Leave(writer, NULL, es__otf2_time(o, at_ns),
		event->name));
}

/* Adds a location, and a file, for each process without events, because a rank
   needs a location. */
static paths_status
locations_complete(struct es__otf2 *o)
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

/* Writes warnings as properties of the archive. */
static void
properties_write(struct es__otf2 *o)
{
	const struct es_diagnostic *d;

	for (size_t n = 0; (d = es_run_diagnostic(o->export->run, n)) != NULL;
	     n++) {
		char name[64], *text;

		if (d->severity == ES_NOTE ||
		    asprintf(&text, "%s: %s", d->subject, d->text) < 0)
			continue;
		snprintf(name, sizeof(name), "EVENTSPACE::WARNING::%zu", n);
		es__otf2_check(o,
		    OTF2_Archive_SetProperty(o->archive, name, text, true));
		free(text);
	}
}

static paths_status
archive_write(struct es__otf2 *o)
{
	paths_status st = es__export_members_open(o->export, &o->members);

	if (st == PATHS_OK)
		st = es__export_access_open(o->export, &o->members,
		    &o->accesses);
	if (st == PATHS_OK)
		st = es__export_wait_open(o->export, &o->waits);
	if (st == PATHS_OK)
		st = es__export_walk(o->export, &o->sink);
	lines_close(o);
	if (st == PATHS_OK)
		st = locations_complete(o);
	es__otf2_check(o, OTF2_Archive_CloseEvtFiles(o->archive));
	es__export_tell(o->export, "otf2");
	if (o->unplaced > 0)
		es_run_diagnose(o->export->run, ES_WARNING, "otf2",
		    "%" PRIu64 " messages are left out: not all members of"
		    " their communicators are known",
		    o->unplaced);
	if (o->accesses.unplaced > 0)
		es_run_diagnose(o->export->run, ES_WARNING, "otf2",
		    "%" PRIu64 " calls on windows are left out: not all members"
		    " of their communicators are known",
		    o->accesses.unplaced);
	properties_write(o);
	if (st == PATHS_OK && o->sink.st == PATHS_OK)
		st = es__otf2_defs_write(o);
	return st;
}

static paths_status
otf2_write(struct es__export *export, const char *to)
{
	uint32_t processes = export->map->process_count;
	struct es__otf2 o = { .export = export,
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
	st = es__otf2_open(&o);
	if (st == PATHS_OK)
		st = archive_write(&o);
	es__otf2_close(&o);
	for (uint32_t n = 0; n < o.location_count; n++)
		free(o.locations[n].name);
	es__export_wait_close(&o.waits);
	es__export_access_close(&o.accesses);
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
