/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/source.c - reads an event space into batches
 */

#include "scopes/gather/source_private.h"

#include "collectors/change.h"
#include "collectors/space_format.h"
#include "libpaths/base/array.h"
#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "scopes/run/alive_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A live process is heard of at least so often. */
#define SOURCE_BEAT_NS UINT64_C(1000000000)

/* Returns the number of collectors of a space, with those that were added. */
static uint32_t
source_collectors(const struct es_space *space)
{
	struct es_space_info info;

	es_space_info(space, &info);
	return info.collector_count;
}

/* Takes an open space in place of the one before.  Collectors keep their
   cursors; the first tuples of new ones are those after the last reset. */
static bool
source_take(struct es__source *s, struct es_space *space)
{
	uint32_t count = source_collectors(space);
	struct es__source_place *next = calloc(count + 1u, sizeof(*next));
	struct es_space_collector now;

	if (next == NULL)
		return false;
	for (uint32_t n = 0; n < count; n++) {
		if (n < s->collector_count)
			next[n] = s->next[n];
		else if (es_space_collector(space, n, &now) == PATHS_OK)
			next[n] =
			    (struct es__source_place){ now.reset, now.reset };
	}
	free(s->next);
	es_space_close(s->space);
	s->next = next;
	s->space = space;
	s->collector_count = count;
	/* The types are those of the space. */
	s->type_count = s->types_sent = 0;
	return true;
}

/* Reads the head and the definitions of the file. */
static paths_status
source_read_definitions(struct es__source *s, int fd)
{
	struct es_space_head head;

	if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return paths_log_fail(PATHS_EIO, "%s: cut short", s->file);
	s->definitions_bytes = (size_t)head.definitions_bytes;
	s->definitions = malloc(s->definitions_bytes + 1);
	if (s->definitions == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", s->file);
	if (pread(fd, s->definitions, s->definitions_bytes, 0) !=
	    (ssize_t)s->definitions_bytes)
		return paths_log_fail(PATHS_EIO, "%s: cut short", s->file);
	return PATHS_OK;
}

/* Returns true for a copy that a gather tree writes: it does not read what it
   has written. */
static bool
source_is_gathered(const struct es_space *space)
{
	struct es_space_info info;

	es_space_info(space, &info);
	return info.copy != ES_COPY_NONE && info.copy != ES_COPY_TAKEN &&
	    !info.kept;
}

/* Opens the file of a source. */
static paths_status
source_open_file(struct es__source *s)
{
	int fd = open(s->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct es_space *space = NULL;
	struct es_space_info info;
	struct stat about;
	paths_status st;

	if (fd < 0)
		return paths_log_fail(PATHS_EIO, "%s: it cannot be opened",
		    s->file);
	st = es_space_open_fd(fd, s->file, &space);
	if (st == PATHS_OK && source_is_gathered(space)) {
		es_space_close(space);
		close(fd);
		return PATHS_OK;
	}
	if (st == PATHS_OK)
		st = source_read_definitions(s, fd);
	if (st == PATHS_OK)
		st = es_change_open(&s->change);
	if (st == PATHS_OK && !source_take(s, space))
		st = paths_log_fail(PATHS_ENOMEM, "%s: no memory", s->file);
	if (st == PATHS_OK) {
		es_space_info(space, &info);
		s->number = es__batch_space_number(&info);
		if (fstat(fd, &about) == 0)
			s->file_bytes = (uint64_t)about.st_size;
		st = es__times_open(&s->times, s->file);
	} else {
		es_space_close(space);
	}
	close(fd);
	return st;
}

paths_status
es__source_open(const char *dir, const char *name, struct es__source **source)
{
	struct es__source *s = calloc(1, sizeof(*s));
	paths_status st;

	if (s == NULL || asprintf(&s->file, "%s/%s", dir, name) < 0) {
		free(s);
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", name);
	}
	s->file_name = s->file + strlen(dir) + 1;
	s->state_live = UINT32_MAX;
	st = source_open_file(s);
	if (st == PATHS_ENOMEM) {
		es__source_close(s);
		return st;
	}
	if (st != PATHS_OK)
		s->note = strdup(paths_log_last());
	es__source_update(s);
	*source = s;
	return PATHS_OK;
}

void
es__source_close(struct es__source *s)
{
	if (s == NULL)
		return;
	es__times_close(&s->times);
	es_change_close(s->change);
	es_space_close(s->space);
	free(s->types);
	free(s->next);
	free(s->definitions);
	free(s->note);
	free(s->file);
	free(s);
}

/* Opens the space again if parts were added to its file. */
static void
source_update_parts(struct es__source *s)
{
	struct es_space *space;
	struct stat about;

	if (stat(s->file, &about) != 0 ||
	    (uint64_t)about.st_size == s->file_bytes ||
	    es_space_open(s->file, &space) != PATHS_OK)
		return;
	if (source_take(s, space))
		s->file_bytes = (uint64_t)about.st_size;
	else
		es_space_close(space);
}

void
es__source_update(struct es__source *s)
{
	struct es_space_info info;

	if (s->space == NULL || s->live != ES__BATCH_LIVE)
		return;
	es_space_info(s->space, &info);
	/* Found first: parts are added only before the end. */
	if (info.closed)
		s->live = ES__BATCH_CLOSED;
	else if (es__alive(&info) == ES__ALIVE_NO || info.copy == ES_COPY_TAKEN)
		s->live = ES__BATCH_KILLED;
	source_update_parts(s);
	es__times_update(&s->times);
	s->logs_late = s->changing;
	s->changing = es_change_begin(s->change, s->space) == PATHS_OK;
}

void
es__source_end(struct es__source *s)
{
	s->live = ES__BATCH_CLOSED;
}

/* --- definitions --------------------------------------------------------- */

static bool
source_put_space(const struct es__source *s, const struct es_space_info *info,
    struct es__batch_out *out)
{
	struct es__batch_space *to;
	struct es__record *r =
	    es__batch_put(out, ES__RECORD_SPACE, sizeof(*to));

	if (r == NULL)
		return false;
	r->space = s->number;
	to = (struct es__batch_space *)(r + 1);
	memset(to, 0, sizeof(*to));
	snprintf(to->process_name, sizeof(to->process_name), "%s",
	    info->process_name);
	snprintf(to->host_name, sizeof(to->host_name), "%s", info->host_name);
	snprintf(to->clock_domain, sizeof(to->clock_domain), "%s",
	    info->clock_domain);
	to->hz = info->hz;
	to->pid = info->pid;
	to->definitions_bytes = s->definitions_bytes;
	to->process = info->process;
	to->collector_count = s->collector_count;
	to->start = info->start;
	return true;
}

/* Sends the next piece of the definitions.  Returns true after the last. */
static bool
source_put_definitions(struct es__source *s, struct es__batch_out *out)
{
	while (s->definitions != NULL) {
		size_t left = s->definitions_bytes - s->definitions_sent;
		size_t room = out->room - out->used;
		struct es__record *r;

		if (room < sizeof(*r) + 8)
			return false;
		if (left > room - sizeof(*r))
			left = room - sizeof(*r);
		r = es__batch_put(out, ES__RECORD_DEFINITIONS, left);
		r->space = s->number;
		r->first = s->definitions_sent;
		r->count = (uint32_t)left;
		memcpy(r + 1, s->definitions + s->definitions_sent, left);
		s->definitions_sent += left;
		if (s->definitions_sent == s->definitions_bytes) {
			free(s->definitions);
			s->definitions = NULL;
		}
	}
	return true;
}

static void
source_fill_type(struct es__record *r, const struct es_tuple_type *type)
{
	struct es_space_type *to = (struct es_space_type *)(void *)(r + 1);
	struct es_space_field *field = (struct es_space_field *)(to + 1);

	memset(to, 0, sizeof(*to));
	snprintf(to->name, sizeof(to->name), "%s", type->name);
	snprintf(to->about, sizeof(to->about), "%s", type->about);
	to->bytes = type->bytes;
	to->field_count = type->field_count;
	for (uint32_t n = 0; n < type->field_count; n++, field++) {
		const struct es_tuple_field *from = &type->fields[n];

		memset(field, 0, sizeof(*field));
		snprintf(field->name, sizeof(field->name), "%s", from->name);
		snprintf(field->unit, sizeof(field->unit), "%s", from->unit);
		snprintf(field->about, sizeof(field->about), "%s", from->about);
		field->kind = from->kind;
		field->offset = from->offset;
		field->bytes = from->bytes;
	}
}

/* Finds the types of the collectors. */
static bool
source_find_types(struct es__source *s)
{
	struct es_space_collector now;
	size_t t;

	for (uint32_t n = 0; n < s->collector_count; n++) {
		if (es_space_collector(s->space, n, &now) != PATHS_OK)
			continue;
		for (t = 0; t < s->type_count && s->types[t] != now.type; t++)
			;
		if (t < s->type_count)
			continue;
		if (!paths__array_grow(&s->types, s->type_count, &s->type_room,
			sizeof(struct es_tuple_type *)))
			return false;
		s->types[s->type_count++] = now.type;
	}
	return true;
}

/* Sends the types.  Returns true after the last. */
static bool
source_put_types(struct es__source *s, struct es__batch_out *out)
{
	for (; s->types_sent < s->type_count; s->types_sent++) {
		const struct es_tuple_type *type = s->types[s->types_sent];
		struct es__record *r = es__batch_put(out, ES__RECORD_TYPE,
		    sizeof(struct es_space_type) +
			type->field_count * sizeof(struct es_space_field));

		if (r == NULL)
			return false;
		r->space = s->number;
		r->type = (uint16_t)s->types_sent;
		source_fill_type(r, type);
	}
	return true;
}

/* Returns true if the process is to be heard of again. */
static bool
source_is_silent(const struct es__source *s, uint64_t now)
{
	return s->state_live == ES__BATCH_LIVE &&
	    paths_clock_ticks_to_ns(now - s->state_ticks) > SOURCE_BEAT_NS;
}

/* Sends a state of the process if it has changed. */
static bool
source_put_state(struct es__source *s, enum es__batch_live live,
    struct es__batch_out *out)
{
	uint64_t now = paths_clock_ticks();
	struct es_space_info info;
	struct es__batch_state *to;
	struct es__record *r;

	es_space_info(s->space, &info);
	if (s->state_live == live && s->state_latest == info.latest.ticks &&
	    !source_is_silent(s, now))
		return true;
	r = es__batch_put(out, ES__RECORD_STATE, sizeof(*to));
	if (r == NULL)
		return false;
	r->space = s->number;
	to = (struct es__batch_state *)(r + 1);
	*to = (struct es__batch_state){ .latest = info.latest,
		.live = live,
		.exit_status = info.exit_status };
	s->state_live = live;
	s->state_latest = info.latest.ticks;
	s->state_ticks = now;
	return true;
}

static bool
source_put_note(struct es__source *s, struct es__batch_out *out)
{
	size_t bytes = strlen(s->note) + 1;
	struct es__record *r = es__batch_put(out, ES__RECORD_NOTE, bytes);

	if (r == NULL)
		return false;
	memcpy(r + 1, s->note, bytes);
	free(s->note);
	s->note = NULL;
	return true;
}

/* Sends all that precedes tuples.  Returns true when it was sent. */
static bool
source_put_before(struct es__source *s, struct es__batch_out *out)
{
	struct es_space_info info;

	es_space_info(s->space, &info);
	if (!s->announced)
		s->announced = source_put_space(s, &info, out);
	return s->announced && source_put_types(s, out) &&
	    source_put_definitions(s, out) &&
	    (s->live != ES__BATCH_LIVE ||
		source_put_state(s, ES__BATCH_LIVE, out));
}

/* Sends what has changed besides tuples; logs only if wanted, because they
   explain what was sent before them.  Returns true when it was sent. */
static bool
source_put_changes(struct es__source *s, bool logs, struct es__batch_out *out)
{
	while (s->changing) {
		struct es__record *r =
		    (struct es__record *)(void *)(out->base + out->used);
		size_t room = out->room - out->used;
		struct es_change_piece piece;

		if (room < sizeof(*r) + 8)
			return false;
		piece = (struct es_change_piece){ .to = r + 1,
			.room = (room - sizeof(*r)) & ~(size_t)7 };
		if (!es_change_next(s->change, logs, &piece)) {
			s->changing = !logs;
			return true;
		}
		if (piece.bytes == 0)
			return false;
		r = es__batch_put(out, ES__RECORD_BYTES, piece.bytes);
		r->space = s->number;
		r->first = piece.offset;
		r->count = (uint32_t)piece.bytes;
	}
	return true;
}

/* --- tuples -------------------------------------------------------------- */

static struct es__record *
source_put_number(const struct es__source *s, uint32_t n,
    enum es__record_kind kind, uint64_t number, struct es__batch_out *out)
{
	struct es__record *r = es__batch_put(out, kind, 0);

	/* There is room: see source_pull. */
	r->space = s->number;
	r->collector = n;
	r->first = number;
	return r;
}

static uint16_t
source_type(const struct es__source *s, const struct es_tuple_type *type)
{
	size_t t = 0;

	while (s->types[t] != type)
		t++;
	return (uint16_t)t;
}

/* Reads the tuples of a collector that run wants into the batch, behind the
   number of those that were discarded. */
static paths_status
source_read(struct es__source *s, uint32_t n,
    const struct es_space_collector *now, struct es__batch_out *out,
    struct es_space_run *run)
{
	struct es__record *r =
	    (struct es__record *)(void *)(out->base + out->used);
	uint64_t lost = run->first;
	paths_status st = es_space_read(s->space, n, run, r + 1);

	if (st != PATHS_OK)
		return st;
	/* An operation that has not returned is sent when it has, or when its
	   process is gone. */
	if (run->inside && s->live == ES__BATCH_LIVE)
		run->count--;
	lost = run->first - lost;
	if (lost > 0) {
		memmove(r + 2, r + 1, run->count * now->type->bytes);
		source_put_number(s, n, ES__RECORD_LOST, lost, out);
	}
	if (run->count == 0)
		return PATHS_OK;
	r = es__batch_put(out, ES__RECORD_RUN, run->count * now->type->bytes);
	r->space = s->number;
	r->type = source_type(s, now->type);
	r->first = run->first;
	r->collector = n;
	r->count = (uint32_t)run->count;
	r->tuple_bytes = now->type->bytes;
	return PATHS_OK;
}

/* Returns the number of tuples of a collector that can be sent. */
static uint64_t
source_left(const struct es__source *s, const struct es_space_collector *now,
    uint64_t next)
{
	uint64_t left = now->count > next ? now->count - next : 0;

	return left == 1 && now->inside && s->live == ES__BATCH_LIVE ? 0 : left;
}

/* Appends what a collector has recorded.  more: set to true if some is left. */
static paths_status
source_pull(struct es__source *s, uint32_t n, struct es__batch_out *out,
    struct es__source_sum *sum, bool *more)
{
	/* Heads of the tuples, of a LOST and of a RESET; and padding. */
	const size_t heads = 3 * sizeof(struct es__record) + 8;
	struct es__source_place *next = &s->next[n];
	struct es_space_collector now;
	struct es_space_run run;
	uint64_t most, left;
	paths_status st = es_space_collector(s->space, n, &now);

	if (st != PATHS_OK)
		return st;
	left = source_left(s, &now, next->tuple);
	if (left == 0 && now.reset == next->reset)
		return PATHS_OK;
	if (out->room - out->used < heads + now.type->bytes) {
		*more = true;
		return PATHS_OK;
	}
	if (now.reset != next->reset) {
		source_put_number(s, n, ES__RECORD_RESET, 0, out);
		next->reset = now.reset;
		if (next->tuple < now.reset)
			next->tuple = now.reset;
		left = source_left(s, &now, next->tuple);
	}
	most = (out->room - out->used - heads) / now.type->bytes;
	*more = most < left;
	if (left == 0)
		return PATHS_OK;
	run = (struct es_space_run){ .first = next->tuple,
		.count = most < left ? most : left };
	st = source_read(s, n, &now, out, &run);
	if (st != PATHS_OK)
		return st;
	sum->lost += run.first - next->tuple;
	sum->tuples += run.count;
	next->tuple = run.first + run.count;
	return PATHS_OK;
}

paths_status
es__source_fill(struct es__source *s, struct es__batch_out *out,
    struct es__source_sum *sum, bool *more)
{
	paths_status st = PATHS_OK;

	if (s->note != NULL && !source_put_note(s, out))
		*more = true;
	if (s->space == NULL || *more)
		return PATHS_OK;
	if (s->types_sent == 0 && !source_find_types(s))
		return paths_log_fail(PATHS_ENOMEM, "no memory for types");
	if (!source_put_before(s, out) ||
	    !source_put_changes(s, s->logs_late, out)) {
		*more = true;
		return PATHS_OK;
	}
	for (uint32_t n = 0; st == PATHS_OK && !*more && n < s->collector_count;
	     n++) {
		st = source_pull(s, s->turn, out, sum, more);
		if (++s->turn >= s->collector_count)
			s->turn = 0;
	}
	if (st == PATHS_OK && !*more)
		*more = !source_put_changes(s, true, out) ||
		    !es__times_put(&s->times, s->number, out) ||
		    (s->live != ES__BATCH_LIVE &&
			!source_put_state(s, s->live, out));
	return st;
}
