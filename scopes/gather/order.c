/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/order.c - merges tuples of batches in the order of time
 *
 * A heap has the next tuple of each stream: of a RUN, whose tuples are in the
 * order of their start, or of a MIX.  Times of several hosts are compared on
 * their wall clocks.  Tuples of the same time leave in any order.
 */

#include "scopes/gather/order_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/heap.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

static paths_status
order_nomem(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory to order tuples");
}

static bool
order_before(const void *context, const void *a, const void *b)
{
	const struct es__order_next *x = a, *y = b;

	(void)context;
	return x->ns != y->ns ? x->ns < y->ns : x->stream < y->stream;
}

static const struct paths__heap_kind order_kind = {
	sizeof(struct es__order_next), order_before
};

static uint64_t
order_time(const struct es__order_stream *s)
{
	uint64_t ticks;

	memcpy(&ticks, s->part.tuples, sizeof(ticks));
	return es__known_ns(s->space, ticks);
}

/* Keeps a record that has no tuples, or the number of those left out of it. */
static bool
order_keep(struct es__order *o, const struct es__record *whole,
    const struct es__record *head)
{
	if (!paths__array_grow(&o->others, o->other_count, &o->other_room,
		sizeof(*o->others)))
		return false;
	o->others[o->other_count++] = (struct es__order_other){
		.whole = whole,
		.head = *head,
	};
	return true;
}

/* Keeps the number of tuples that were left out of a source. */
static bool
order_keep_left(struct es__order *o, struct es__record head)
{
	if (head.left == 0)
		return true;
	head.bytes = sizeof(head);
	head.kind = ES__RECORD_RUN;
	head.count = 0;
	return order_keep(o, NULL, &head);
}

static bool
order_keep_all_left(struct es__order *o, const struct es__record *r)
{
	const struct es__batch_source *source;

	if (r->kind == ES__RECORD_RUN)
		return order_keep_left(o, *r);
	source = es__batch_sources(r);
	for (uint32_t n = 0; n < r->count; n++)
		if (!order_keep_left(o,
			(struct es__record){ .space = source[n].space,
			    .collector = source[n].collector,
			    .tuple_bytes = source[n].tuple_bytes,
			    .type = source[n].type,
			    .left = source[n].left }))
			return false;
	return true;
}

/* Returns the index of a stream that is not used; UINT32_MAX: no memory. */
static uint32_t
order_new_stream(struct es__order *o)
{
	uint32_t n = o->ended;

	if (n != 0) {
		o->ended = o->streams[n - 1].source;
		return n - 1;
	}
	return paths__array_grow(&o->streams, o->stream_count, &o->stream_room,
		   sizeof(*o->streams)) ?
	    (uint32_t)o->stream_count++ :
	    UINT32_MAX;
}

/* Makes the tuples of a record a stream. */
static bool
order_add_stream(struct es__order *o, uint32_t owner,
    const struct es__batch *at, const struct es__record *r)
{
	struct es__order_stream s = { .batch = *at,
		.record = r,
		.owner = owner };
	struct es__order_next spare, next;

	if (!es__batch_tuples(&s.batch, r, &s.part))
		return true;
	next.stream = order_new_stream(o);
	if (next.stream == UINT32_MAX ||
	    !paths__array_grow(&o->heap, o->heap_count, &o->heap_room,
		sizeof(*o->heap)))
		return false;
	s.space = es__known_space(&o->known, s.part.head.space);
	next.ns = order_time(&s);
	o->streams[next.stream] = s;
	o->heap[o->heap_count++] = next;
	o->active[owner]++;
	paths__heap_rise(&(struct paths__heap){ o->heap, o->heap_count, &spare,
			     NULL },
	    &order_kind, o->heap_count - 1);
	return true;
}

/* Forgets what was taken. */
static void
order_clear(struct es__order *o)
{
	if (o->heap_count == 0)
		o->stream_count = o->ended = 0;
	if (o->other_done == o->other_count)
		o->other_count = o->other_done = 0;
}

static bool
order_add_record(struct es__order *o, uint32_t owner, const struct es__batch *b,
    const struct es__record *r, bool *more)
{
	if (r->kind == ES__RECORD_MORE)
		*more = true;
	else if (r->kind != ES__RECORD_RUN && r->kind != ES__RECORD_MIX)
		return order_keep(o, r, r);
	else
		return order_keep_all_left(o, r) &&
		    order_add_stream(o, owner, b, r);
	return true;
}

paths_status
es__order_add(struct es__order *o, uint32_t owner, const void *tuple,
    size_t bytes, bool *more)
{
	const struct es__record *r;
	struct es__batch b;
	paths_status st = PATHS_OK;
	size_t room = o->active_room;

	order_clear(o);
	if (!paths__array_reserve(&o->active, owner + 1u, &o->active_room,
		sizeof(*o->active)))
		return order_nomem();
	memset(o->active + room, 0,
	    (o->active_room - room) * sizeof(*o->active));
	es__batch_init(&b, tuple, bytes);
	while (st == PATHS_OK && (r = es__batch_next(&b, &st)) != NULL) {
		st = es__known_learn(&o->known, r);
		if (st == PATHS_OK && !order_add_record(o, owner, &b, r, more))
			st = order_nomem();
	}
	/* The array of spaces may have moved.  A stream that has ended keeps
	   its last part. */
	for (size_t n = 0; n < o->stream_count; n++)
		o->streams[n].space =
		    es__known_space(&o->known, o->streams[n].part.head.space);
	return st;
}

bool
es__order_is_empty(const struct es__order *o)
{
	return o->heap_count == 0 && o->other_done == o->other_count;
}

bool
es__order_has(const struct es__order *o, uint32_t owner)
{
	return o->other_done != o->other_count ||
	    (owner < o->active_room && o->active[owner] > 0);
}

/* Appends the records without tuples.  Returns true when all were appended. */
static bool
order_take_others(struct es__order *o, struct es__batch_out *out)
{
	for (; o->other_done < o->other_count; o->other_done++) {
		const struct es__order_other *other = &o->others[o->other_done];

		if (!es__batch_copy(out,
			other->whole != NULL ? other->whole : &other->head))
			return false;
	}
	return true;
}

/* A MIX while it is written. */
struct order_mix {
	struct es__record *record;
	uint8_t *at, *end; /* of the pieces; of the room */
	struct es__batch_piece piece;
	uint8_t *piece_at; /* NULL: no piece is open */
};

/* Returns the number of the source of a stream in the MIX; a new one if needed.
   Returns UINT32_MAX without memory. */
static uint32_t
order_source(struct es__order *o, struct es__order_stream *s)
{
	const struct es__record *head = &s->part.head;
	size_t n;

	if (s->mix == o->mix)
		return s->source;
	for (n = 0; n < o->source_count; n++)
		if (o->sources[n].space == head->space &&
		    o->sources[n].collector == head->collector &&
		    o->sources[n].tuple_bytes == head->tuple_bytes &&
		    o->sources[n].type == head->type)
			break;
	if (n == o->source_count) {
		if (!paths__array_grow(&o->sources, n, &o->source_room,
			sizeof(*o->sources)))
			return UINT32_MAX;
		o->sources[o->source_count++] = (struct es__batch_source){
			.space = head->space,
			.collector = head->collector,
			.tuple_bytes = head->tuple_bytes,
			.type = head->type,
		};
	}
	s->mix = o->mix;
	s->source = (uint32_t)n;
	return s->source;
}

/* Returns true if a MIX has room for a tuple, its piece, and the padding and
   the table behind. */
static bool
order_fits(const struct es__order *o, const struct order_mix *mix,
    uint32_t tuple_bytes)
{
	size_t need = sizeof(mix->piece) + tuple_bytes + 7 +
	    (o->source_count + 1) * sizeof(*o->sources);

	return (size_t)(mix->end - mix->at) >= need &&
	    o->source_count < UINT16_MAX;
}

static void
order_close_piece(struct order_mix *mix)
{
	if (mix->piece_at != NULL)
		memcpy(mix->piece_at, &mix->piece, sizeof(mix->piece));
	mix->piece_at = NULL;
}

/* Appends the next tuple of a stream. */
static void
order_put(struct order_mix *mix, const struct es__order_stream *s,
    uint32_t source)
{
	if (mix->piece_at == NULL || mix->piece.source != source ||
	    mix->piece.count == UINT16_MAX) {
		order_close_piece(mix);
		mix->piece_at = mix->at;
		mix->at += sizeof(mix->piece);
		mix->piece = (struct es__batch_piece){
			.source = (uint16_t)source,
		};
	}
	memcpy(mix->at, s->part.tuples, s->part.head.tuple_bytes);
	mix->at += s->part.head.tuple_bytes;
	mix->piece.count++;
}

/* Moves the stream that is first in the heap past a tuple.  Returns false when
   it has ended. */
static bool
order_advance(struct es__order *o, struct es__order_stream *s)
{
	struct es__order_next spare;
	struct paths__heap heap = { o->heap, o->heap_count, &spare, NULL };
	bool more = true;

	s->part.tuples += s->part.head.tuple_bytes;
	if (--s->part.head.count == 0) {
		more = es__batch_tuples(&s->batch, s->record, &s->part);
		s->mix = 0;
		if (more)
			s->space =
			    es__known_space(&o->known, s->part.head.space);
	}
	if (more) {
		o->heap[0].ns = order_time(s);
	} else {
		s->source = o->ended;
		o->ended = o->heap[0].stream + 1;
		o->heap[0] = o->heap[heap.count = --o->heap_count];
	}
	if (heap.count > 0)
		paths__heap_sink(&heap, &order_kind, 0);
	return more;
}

/* Completes a MIX: padding, the table and the head. */
static void
order_close(struct es__order *o, struct order_mix *mix,
    struct es__batch_out *out)
{
	uint8_t *start = (uint8_t *)(mix->record + 1);
	size_t pieces = (size_t)(mix->at - start);
	size_t table = o->source_count * sizeof(*o->sources);
	size_t bytes;

	order_close_piece(mix);
	if (pieces == 0)
		return;
	memset(mix->at, 0, es__batch_round(pieces) - pieces);
	memcpy(start + es__batch_round(pieces), o->sources, table);
	bytes = sizeof(*mix->record) + es__batch_round(pieces) + table;
	*mix->record = (struct es__record){ .bytes = (uint32_t)bytes,
		.kind = ES__RECORD_MIX,
		.count = (uint32_t)o->source_count };
	out->used += bytes;
}

paths_status
es__order_take(struct es__order *o, struct es__batch_out *out,
    const bool *wanted)
{
	struct order_mix mix = { .record = (void *)(out->base + out->used) };

	if (!order_take_others(o, out))
		return PATHS_OK;
	mix.record = (struct es__record *)(void *)(out->base + out->used);
	mix.at = (uint8_t *)(mix.record + 1);
	mix.end = out->base + out->room;
	if (out->room - out->used < sizeof(*mix.record))
		return PATHS_OK;
	o->mix++;
	o->source_count = 0;
	while (o->heap_count > 0) {
		struct es__order_stream *s = &o->streams[o->heap[0].stream];
		uint32_t source, owner = s->owner;

		if (!order_fits(o, &mix, s->part.head.tuple_bytes))
			break;
		source = order_source(o, s);
		if (source == UINT32_MAX)
			return order_nomem();
		order_put(&mix, s, source);
		if (!order_advance(o, s) && --o->active[owner] == 0 &&
		    wanted[owner])
			break;
	}
	order_close(o, &mix, out);
	return PATHS_OK;
}

void
es__order_fini(struct es__order *o)
{
	es__known_fini(&o->known);
	free(o->streams);
	free(o->heap);
	free(o->others);
	free(o->sources);
	free(o->active);
	*o = (struct es__order){ .streams = NULL };
}
