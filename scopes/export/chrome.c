/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/chrome.c - writes JSON for chrome://tracing and others
 *
 * An operation is an event X, or B without an E if it never ended; a point is
 * an event i; an arrow is a pair of events s and f.  Times are in us with three
 * decimals, which is exact.  Processes and threads have numbers from 1.
 *
 * Source: Trace Event Format, Google, 2016
 */

#include "scopes/export/export_private.h"
#include "scopes/export/file_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/value_private.h"
#include "scopes/export/walk_private.h"
#include "scopes/show/json.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chrome {
	struct es__export_sink sink; /* first member: callbacks cast from it */
	struct es__export *export;
	struct es__export_file file;
	struct es__export_texts names; /* of events, as JSON */
	uint32_t pid;		       /* of the current track */
	bool first;		       /* the next event has no comma */
};

/* Longer texts are cut; longer values of fields are null. */
#define TEXT_MAX 4096

static void
chrome_text(struct chrome *chrome, const char *text)
{
	char *p = es__export_file_room(&chrome->file, ES_JSON_BYTES(TEXT_MAX));
	char cut[TEXT_MAX + 1];

	snprintf(cut, sizeof(cut), "%s", text);
	chrome->file.used += (size_t)(es_json_put(p, cut) - p);
}

static char *
put_word(char *p, const char *word, size_t bytes)
{
	memcpy(p, word, bytes);
	return p + bytes;
}

#define PUT(p, word) ((p) = put_word(p, word, sizeof(word) - 1))

/* Writes ns as us. */
static char *
put_us(char *p, int64_t ns)
{
	uint64_t much = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(much % 1000);

	if (ns < 0)
		*p++ = '-';
	p = es__export_digits(p, much / 1000);
	*p++ = '.';
	*p++ = (char)('0' + rest / 100);
	*p++ = (char)('0' + rest / 10 % 10);
	*p++ = (char)('0' + rest % 10);
	return p;
}

/* Returns the name of an event in quotes, which is made at its first use. */
static const char *
chrome_name(struct chrome *chrome, uint32_t name)
{
	while (chrome->names.count <= name) {
		char text[ES_JSON_BYTES(1024) + 1], cut[1024];

		snprintf(cut, sizeof(cut), "%s",
		    es__export_name(chrome->export, chrome->names.count));
		*es_json_put(text, cut) = '\0';
		if (es__export_texts_add(&chrome->names, "%s", text) == NULL) {
			chrome->sink.st =
			    paths_log_fail(PATHS_ENOMEM, "no memory for names");
			return "\"?\"";
		}
	}
	return chrome->names.texts[name];
}

/* Writes the beginning of an event: its kind, place and time. */
static char *
put_head(struct chrome *chrome, char *p, char phase, uint32_t line,
    int64_t at_ns)
{
	if (!chrome->first)
		*p++ = ',';
	chrome->first = false;
	PUT(p, "\n{\"ph\":\"");
	*p++ = phase;
	PUT(p, "\",\"pid\":");
	p = es__export_digits(p, chrome->pid);
	PUT(p, ",\"tid\":");
	p = es__export_digits(p, (uint64_t)line + 1);
	PUT(p, ",\"ts\":");
	return put_us(p, at_ns);
}

static char *
put_value(char *p, const struct es__export_value *value)
{
	if (value->kind == ES__EXPORT_NONE ||
	    (value->kind == ES__EXPORT_TEXT &&
		strlen(value->as.text) > TEXT_MAX) ||
	    (value->kind == ES__EXPORT_REAL && !isfinite(value->as.r)))
		return PUT(p, "null");
	return value->kind == ES__EXPORT_TEXT ?
	    es_json_put(p, value->as.text) :
	    es__export_value_print(p, value);
}

/* Writes the stage and the fields of the tuple. */
static void
chrome_args(struct chrome *chrome, const struct es__export_event *event)
{
	const struct es__export *export = chrome->export;
	const struct es_collector *at =
	    es_run_collector(export->run, event->collector);
	char *p = es__export_file_room(&chrome->file, 1024);
	const char *from = p;

	PUT(p, ",\"args\":{\"collector\":");
	p = es_json_put(p, export->map->instances[at->stage].name);
	chrome->file.used += (size_t)(p - from);
	for (uint32_t n = 0; n < event->type->field_count; n++) {
		const struct es__export_field *field = &event->type->fields[n];
		struct es__export_value value;

		if (!field->arg)
			continue;
		value = es__export_value(export, event, field);
		if (value.kind == ES__EXPORT_NONE)
			continue;
		p = es__export_file_room(&chrome->file,
		    ES_JSON_BYTES(TEXT_MAX) + 256);
		from = p;
		*p++ = ',';
		p = es_json_put(p, field->field->name);
		*p++ = ':';
		p = put_value(p, &value);
		chrome->file.used += (size_t)(p - from);
	}
	es__export_file_text(&chrome->file, "}}");
}

/* Writes one end of an arrow. */
static void
chrome_arrow(struct chrome *chrome, const struct es__export_event *event,
    bool out, int64_t at_ns)
{
	char *p = es__export_file_room(&chrome->file, 512);
	const char *from = p;

	p = put_head(chrome, p, out ? 's' : 'f', event->line, at_ns);
	PUT(p, ",\"cat\":\"arrow\",\"name\":\"arrow\",\"bp\":\"e\",\"id\":");
	p = es__export_digits(p, out ? event->out : event->in);
	*p++ = '}';
	chrome->file.used += (size_t)(p - from);
}

static void
chrome_event(struct chrome *chrome, const struct es__export_event *event,
    char phase, int64_t at_ns)
{
	const char *name = chrome_name(chrome, event->name);
	char *p = es__export_file_room(&chrome->file, 8192);
	const char *from = p;

	p = put_head(chrome, p, phase, event->line, at_ns);
	if (phase == 'X') {
		PUT(p, ",\"dur\":");
		p = put_us(p, event->stop_ns - event->start_ns);
	}
	if (phase == 'i')
		PUT(p, ",\"s\":\"t\"");
	PUT(p, ",\"name\":");
	p = put_word(p, name, strlen(name));
	chrome->file.used += (size_t)(p - from);
	chrome_args(chrome, event);
}

static void
chrome_begin(struct es__export_sink *self, const struct es__export_event *event)
{
	struct chrome *chrome = (struct chrome *)self;
	bool ends = event->stop_ns != INT64_MAX;

	chrome_event(chrome, event, ends ? 'X' : 'B', event->start_ns);
	if (event->out != 0)
		chrome_arrow(chrome, event, true, event->start_ns);
	if (event->in != 0 && ends)
		chrome_arrow(chrome, event, false, event->stop_ns);
	if (chrome->file.st != PATHS_OK)
		self->st = chrome->file.st;
}

static void
chrome_end(struct es__export_sink *self, const struct es__export_event *event)
{
	(void)self;
	(void)event;
}

static void
chrome_point(struct es__export_sink *self, const struct es__export_event *event,
    int64_t at_ns)
{
	struct chrome *chrome = (struct chrome *)self;

	chrome_event(chrome, event, 'i', at_ns);
	if (event->out != 0)
		chrome_arrow(chrome, event, true, at_ns);
	if (event->in != 0)
		chrome_arrow(chrome, event, false, at_ns);
}

/* Writes an event M, the name of a process or a thread. */
static void
chrome_call(struct chrome *chrome, const char *what, uint32_t tid,
    const char *name)
{
	es__export_file_print(&chrome->file,
	    "%s\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
	    ",\"name\":\"%s\",\"args\":{\"name\":",
	    chrome->first ? "" : ",", chrome->pid, tid, what);
	chrome->first = false;
	chrome_text(chrome, name);
	es__export_file_text(&chrome->file, "}}");
}

static void
chrome_line(struct es__export_sink *self, const struct es__export_track *track,
    uint32_t number, uint32_t line)
{
	struct chrome *chrome = (struct chrome *)self;
	char name[512];

	chrome->pid = track->process + 1;
	snprintf(name, sizeof(name), number == 0 ? "%s" : "%s (%" PRIu32 ")",
	    track->name, number + 1);
	chrome_call(chrome, "thread_name", line + 1, name);
}

static void
chrome_processes(struct chrome *chrome)
{
	const struct paths_map *map = chrome->export->map;

	for (uint32_t p = 0; p < map->process_count; p++) {
		chrome->pid = p + 1;
		chrome_call(chrome, "process_name", 0, map->processes[p].name);
		chrome_call(chrome, "process_labels", 0,
		    map->hosts[map->processes[p].host].name);
	}
}

/* Writes the run and its warnings as other data of the trace. */
static void
chrome_other(struct chrome *chrome)
{
	static const char *const
	    severities[] = { [ES_WARNING] = "warning", [ES_ERROR] = "error" };
	const struct es_diagnostic *d;

	es__export_file_text(&chrome->file, "],\n\"otherData\":{\"run\":");
	chrome_text(chrome, es_run_dir(chrome->export->run));
	for (size_t n = 0;
	     (d = es_run_diagnostic(chrome->export->run, n)) != NULL; n++) {
		char *text;

		if (d->severity == ES_NOTE)
			continue;
		if (asprintf(&text, "%s: %s", d->subject, d->text) < 0)
			return;
		es__export_file_print(&chrome->file,
		    ",\n\"%s %zu\":", severities[d->severity], n);
		chrome_text(chrome, text);
		free(text);
	}
	es__export_file_text(&chrome->file, "}}\n");
}

static paths_status
chrome_write(struct es__export *export, const char *to)
{
	struct chrome chrome = { .export = export,
		.first = true,
		.sink = { .line = chrome_line,
		    .begin = chrome_begin,
		    .end = chrome_end,
		    .point = chrome_point } };
	paths_status st = es__export_file_open(&chrome.file, to), closed;

	if (st != PATHS_OK)
		return st;
	es__export_file_text(&chrome.file,
	    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	chrome_processes(&chrome);
	st = es__export_walk(export, &chrome.sink);
	es__export_tell(export, "chrome");
	chrome_other(&chrome);
	closed = es__export_file_close(&chrome.file);
	es__export_texts_free(&chrome.names);
	return st == PATHS_OK ? closed : st;
}

const struct es__export_format es__export_chrome = {
	.name = "chrome",
	.write = chrome_write,
};
