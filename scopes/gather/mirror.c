/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/mirror.c - copies the event spaces that batches carry into a
 * run directory
 *
 * A space whose definitions are complete gets a copy (collectors/copy.h), which
 * takes all other records of it.  Tuples are numbered anew, in the order in
 * which they come.  A space that is in the run already, because its process
 * writes there, is left out.
 *
 * Several trees may copy the same spaces.  Each has its copies in a directory
 * of its own; in the run directory, the copies of one of them have names, too.
 */

#include "scopes/gather/mirror_private.h"

#include "scopes/gather/times_private.h"

#include "collectors/copy.h"
#include "collectors/space_format.h"
#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Spaces, at most, and bytes of the definitions of one. */
#define MIRROR_SPACES 65536
#define MIRROR_DEFINITIONS_MAX ((size_t)512 * 1024 * 1024)

struct mirror_space {
	uint64_t number;
	char name[256];
	uint8_t *definitions; /* until they are complete; else NULL */
	size_t bytes, got, room;
	struct es_copy *copy; /* NULL: not yet, or left out */
	bool left_out;
	bool replaced;			/* the run has the space itself */
	bool ended;			/* the process has ended */
	struct paths_clock_pair latest; /* its clocks; ticks 0: unknown */
};

struct es__mirror {
	struct es__mirror_to directories;
	es__mirror_note *note;
	void *to;
	struct mirror_space *spaces;
	size_t count, room;
	struct mirror_space *last; /* that was found last */
};

paths_status
es__mirror_open(const struct es__mirror_to *directories, es__mirror_note *note,
    void *to, struct es__mirror **mirror)
{
	struct es__mirror *m = calloc(1, sizeof(*m));

	if (m == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for copies");
	m->directories = *directories;
	m->note = note;
	m->to = to;
	*mirror = m;
	return PATHS_OK;
}

/* Ends the copy of a space; its records are passed over from now on. */
static void
mirror_leave_out(struct mirror_space *s)
{
	es_copy_close(s->copy);
	free(s->definitions);
	s->copy = NULL;
	s->definitions = NULL;
	s->left_out = true;
}

void
es__mirror_close(struct es__mirror *m)
{
	if (m == NULL)
		return;
	for (size_t n = 0; n < m->count; n++)
		mirror_leave_out(&m->spaces[n]);
	free(m->spaces);
	free(m);
}

size_t
es__mirror_count(const struct es__mirror *m)
{
	size_t count = 0;

	for (size_t n = 0; n < m->count; n++)
		count += m->spaces[n].copy != NULL;
	return count;
}

void
es__mirror_seal(struct es__mirror *m)
{
	for (size_t n = 0; n < m->count; n++)
		if (m->spaces[n].copy != NULL)
			es_copy_seal(m->spaces[n].copy);
}

void
es__mirror_end(struct es__mirror *m)
{
	for (size_t n = 0; n < m->count; n++) {
		struct mirror_space *s = &m->spaces[n];

		if (s->copy == NULL || s->ended || s->latest.ticks == 0)
			continue;
		es_copy_seal(s->copy);
		es_copy_state(s->copy, ES_COPY_KILLED, &s->latest, -1);
		s->ended = true;
	}
}

void
es__mirror_publish(struct es__mirror *m)
{
	for (size_t n = 0; n < m->count; n++) {
		struct mirror_space *s = &m->spaces[n];

		/* A name that cannot be made now may be made later. */
		if (s->copy != NULL && !s->replaced &&
		    m->directories.run != NULL)
			s->replaced =
			    es_copy_publish(s->copy, m->directories.run,
				true) == PATHS_EBUSY;
	}
}

/* Leaves out a space for the reason of the last error. */
static void
mirror_fail(struct es__mirror *m, struct mirror_space *s)
{
	char text[PATHS_LOG_BYTES + 300];

	snprintf(text, sizeof(text), "%s: not copied: %s", s->name,
	    paths_log_last());
	m->note(m->to, text);
	mirror_leave_out(s);
}

/* --- spaces -------------------------------------------------------------- */

static struct mirror_space *
mirror_find(struct es__mirror *m, uint64_t number)
{
	/* Consecutive records are mostly of the same space. */
	if (m->last != NULL && m->last->number == number)
		return m->last;
	for (size_t n = 0; n < m->count; n++) {
		if (m->spaces[n].number != number)
			continue;
		m->last = &m->spaces[n];
		return m->last;
	}
	return NULL;
}

/* Returns the entry of a space, a new one if there is none; NULL: no memory. */
static struct mirror_space *
mirror_add(struct es__mirror *m, uint64_t number)
{
	struct mirror_space *s = mirror_find(m, number);

	if (s != NULL)
		return s;
	if (m->count == MIRROR_SPACES ||
	    !paths__array_grow(&m->spaces, m->count, &m->room,
		sizeof(*m->spaces)))
		return NULL;
	s = &m->spaces[m->count++];
	*s = (struct mirror_space){ .number = number };
	m->last = s;
	return s;
}

/* Begins a space.  One that was known is copied anew: its source sends all of
   it again. */
static paths_status
mirror_begin(struct es__mirror *m, const struct es__record *r)
{
	const struct es__batch_space *space = es__batch_payload(r);
	struct mirror_space *s = mirror_add(m, r->space);

	if (s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a space");
	mirror_leave_out(s);
	*s = (struct mirror_space){ .number = r->space };
	snprintf(s->name, sizeof(s->name), "%s", space->process_name);
	s->bytes = space->definitions_bytes;
	if (m->directories.only != NULL &&
	    strcmp(m->directories.only, s->name) != 0) {
		(void)paths_log_fail(PATHS_EDAMAGED, "of another process");
		mirror_fail(m, s);
	}
	for (size_t n = 0; n < m->count && !s->left_out; n++) {
		const struct mirror_space *other = &m->spaces[n];

		if (other == s || other->left_out ||
		    strcmp(other->name, s->name) != 0)
			continue;
		(void)paths_log_fail(PATHS_EDAMAGED,
		    "two processes have this name");
		mirror_fail(m, s);
	}
	return PATHS_OK;
}

/* Returns true if the definitions are of the process that was announced: the
   copy has its name. */
static bool
mirror_is_named(const struct mirror_space *s)
{
	struct es_space_head head;

	if (s->got < sizeof(head))
		return false;
	memcpy(&head, s->definitions, sizeof(head));
	return strncmp(head.process_name, s->name, sizeof(head.process_name)) ==
	    0;
}

/* Creates the copy of a space whose definitions are complete. */
static void
mirror_create(struct es__mirror *m, struct mirror_space *s)
{
	paths_status st = mirror_is_named(s) ?
	    es_copy_open(m->directories.copies, m->directories.only != NULL,
		s->definitions, s->got, &s->copy) :
	    paths_log_fail(PATHS_EDAMAGED, "its definitions have another name");

	free(s->definitions);
	s->definitions = NULL;
	if (st == PATHS_OK && m->directories.only == NULL)
		es__times_clear(m->directories.copies, s->name);
	if (st == PATHS_OK && m->directories.run != NULL)
		st = es_copy_publish(s->copy, m->directories.run, false);
	if (st == PATHS_EBUSY)
		mirror_leave_out(s);
	else if (st != PATHS_OK)
		mirror_fail(m, s);
}

static paths_status
mirror_define(struct es__mirror *m, struct mirror_space *s,
    const struct es__record *r)
{
	if (s->copy != NULL || r->first != s->got || r->count == 0 ||
	    s->bytes < s->got || r->count > s->bytes - s->got ||
	    s->bytes > MIRROR_DEFINITIONS_MAX) {
		(void)paths_log_fail(PATHS_EDAMAGED,
		    "its definitions are damaged");
		mirror_fail(m, s);
		return PATHS_OK;
	}
	if (!paths__array_reserve(&s->definitions, s->got + r->count, &s->room,
		1))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for definitions");
	memcpy(s->definitions + s->got, es__batch_payload(r), r->count);
	s->got += r->count;
	if (s->got == s->bytes)
		mirror_create(m, s);
	return PATHS_OK;
}

/* --- what is in a copy --------------------------------------------------- */

static paths_status
mirror_state(struct mirror_space *s, const struct es__record *r)
{
	static const enum es_space_copy copies[] = {
		[ES__BATCH_LIVE] = ES_COPY_LIVE,
		[ES__BATCH_KILLED] = ES_COPY_KILLED,
		[ES__BATCH_CLOSED] = ES_COPY_CLOSED,
	};
	const struct es__batch_state *state = es__batch_payload(r);

	if (state->live > ES__BATCH_CLOSED)
		return paths_log_fail(PATHS_EDAMAGED, "an unknown state");
	s->ended = state->live != ES__BATCH_LIVE;
	s->latest = state->latest;
	if (s->ended)
		es_copy_seal(s->copy);
	es_copy_state(s->copy, copies[state->live], &state->latest,
	    state->exit_status);
	return PATHS_OK;
}

/* Passes a record to the copy of its space. */
static paths_status
mirror_record(const struct es__mirror_to *to, struct mirror_space *s,
    const struct es__record *r)
{
	switch (r->kind) {
	case ES__RECORD_STATE:
		return mirror_state(s, r);
	case ES__RECORD_BYTES:
		return es_copy_bytes(s->copy, r->first, es__batch_payload(r),
		    r->count);
	case ES__RECORD_TIMES:
		/* The one process whose space is kept has a file of its own. */
		if (to->only != NULL || es__times_write(to->copies, s->name, r))
			return PATHS_OK;
		return paths_log_fail(PATHS_EDAMAGED, "its times are damaged");
	case ES__RECORD_LOST:
		return es_copy_skip(s->copy, r->collector, r->first);
	case ES__RECORD_RESET:
		return es_copy_reset(s->copy, r->collector);
	case ES__RECORD_COUNT:
		es_copy_leave_out(s->copy, r->first + r->left);
		return PATHS_OK;
	default:
		return PATHS_OK;
	}
}

/* Appends the tuples of a RUN or a MIX. */
static void
mirror_tuples(struct es__mirror *m, struct es__batch *b,
    const struct es__record *r)
{
	struct es__batch_part part;

	while (es__batch_tuples(b, r, &part)) {
		struct mirror_space *s = mirror_find(m, part.head.space);

		if (s != NULL && s->copy != NULL &&
		    es_copy_tuples(s->copy, part.head.collector, part.tuples,
			part.head.count, part.head.tuple_bytes) != PATHS_OK)
			mirror_fail(m, s);
	}
}

/* Counts the tuples that filters left out of a RUN or a MIX. */
static void
mirror_left(struct es__mirror *m, const struct es__record *r)
{
	const struct es__batch_source one = { .space = r->space,
		.left = r->left };
	const struct es__batch_source *sources =
	    r->kind == ES__RECORD_MIX ? es__batch_sources(r) : &one;
	uint32_t count = r->kind == ES__RECORD_MIX ? r->count : 1;

	for (uint32_t n = 0; n < count; n++) {
		struct mirror_space *s;

		if (sources[n].left == 0)
			continue;
		s = mirror_find(m, sources[n].space);
		if (s != NULL && s->copy != NULL)
			es_copy_leave_out(s->copy, sources[n].left);
	}
}

/* Takes a record that belongs to one space. */
static paths_status
mirror_of_space(struct es__mirror *m, const struct es__record *r)
{
	struct mirror_space *s = mirror_find(m, r->space);

	if (s == NULL || s->left_out)
		return PATHS_OK;
	if (r->kind == ES__RECORD_DEFINITIONS)
		return mirror_define(m, s, r);
	if (s->copy != NULL && mirror_record(&m->directories, s, r) != PATHS_OK)
		mirror_fail(m, s);
	return PATHS_OK;
}

paths_status
es__mirror_batch(struct es__mirror *m, const void *tuple, size_t bytes,
    bool *more)
{
	const struct es__record *r;
	struct es__batch b;
	paths_status st = PATHS_OK;

	es__batch_init(&b, tuple, bytes);
	while (st == PATHS_OK && (r = es__batch_next(&b, &st)) != NULL) {
		switch (r->kind) {
		case ES__RECORD_SPACE:
			st = mirror_begin(m, r);
			break;
		case ES__RECORD_RUN:
		case ES__RECORD_MIX:
			mirror_left(m, r);
			mirror_tuples(m, &b, r);
			break;
		case ES__RECORD_NOTE:
			m->note(m->to, es__batch_payload(r));
			break;
		case ES__RECORD_MORE:
			*more = true;
			break;
		default:
			st = mirror_of_space(m, r);
		}
	}
	return st;
}
