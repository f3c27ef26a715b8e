/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/batch.c - reads and writes batches of tuples
 */

#include "scopes/gather/batch_private.h"

#include "collectors/space_format.h"
#include "libpaths/log.h"

#include <string.h>

static_assert(sizeof(struct es__record) == 40, "no padding");
static_assert(sizeof(struct es__batch_source) == 40, "no padding");

void
es__batch_init(struct es__batch *b, const void *tuple, size_t bytes)
{
	*b = (struct es__batch){ .at = tuple,
		.end = (const uint8_t *)tuple + bytes };
}

/* Returns the bytes of a record behind its head. */
static size_t
batch_rest(const struct es__record *r)
{
	return r->bytes - sizeof(*r);
}

/* Returns true for a possible size of a tuple: it has a start. */
static bool
batch_is_tuple(uint32_t bytes)
{
	return bytes >= sizeof(uint64_t) && bytes <= ES_TUPLE_BYTES_MAX;
}

/* Returns true when the pieces of a MIX fill the room before its table. */
static bool
batch_mix_is_whole(const struct es__record *r)
{
	size_t table = (size_t)r->count * sizeof(struct es__batch_source);
	const struct es__batch_source *sources;
	const uint8_t *at = es__batch_payload(r), *end;

	if (table > batch_rest(r))
		return false;
	sources = es__batch_sources(r);
	end = (const uint8_t *)sources;
	while (end - at >= (ptrdiff_t)sizeof(struct es__batch_piece)) {
		struct es__batch_piece piece;
		size_t bytes;

		memcpy(&piece, at, sizeof(piece));
		at += sizeof(piece);
		if (piece.count == 0)
			continue; /* padding */
		if (piece.source >= r->count ||
		    !batch_is_tuple(sources[piece.source].tuple_bytes))
			return false;
		bytes = (size_t)piece.count * sources[piece.source].tuple_bytes;
		if (bytes > (size_t)(end - at))
			return false;
		at += bytes;
	}
	return true; /* up to 3 bytes of padding are left */
}

/* Returns true when a type has its fields inside its record and its tuples. */
static bool
batch_type_is_whole(const struct es__record *r)
{
	const struct es_space_type *type = es__batch_payload(r);
	const struct es_space_field *field =
	    (const struct es_space_field *)(type + 1);

	if (batch_rest(r) < sizeof(*type) ||
	    type->field_count > ES_TUPLE_FIELDS_MAX ||
	    batch_rest(r) < sizeof(*type) + type->field_count * sizeof(*field))
		return false;
	for (uint32_t n = 0; n < type->field_count; n++) {
		if (memchr(field[n].name, 0, sizeof(field[n].name)) == NULL ||
		    field[n].bytes == 0 || field[n].bytes > sizeof(uint64_t) ||
		    field[n].offset > type->bytes ||
		    field[n].bytes > type->bytes - field[n].offset)
			return false;
	}
	return true;
}

static bool
batch_space_is_whole(const struct es__record *r)
{
	const struct es__batch_space *s = es__batch_payload(r);

	return batch_rest(r) >= sizeof(*s) &&
	    memchr(s->process_name, 0, sizeof(s->process_name)) != NULL &&
	    memchr(s->host_name, 0, sizeof(s->host_name)) != NULL &&
	    memchr(s->clock_domain, 0, sizeof(s->clock_domain)) != NULL;
}

/* Returns true when all that the head of a record promises is in it. */
static bool
batch_is_whole(const struct es__record *r)
{
	switch (r->kind) {
	case ES__RECORD_SPACE:
		return batch_space_is_whole(r);
	case ES__RECORD_TYPE:
		return batch_type_is_whole(r);
	case ES__RECORD_STATE:
		return batch_rest(r) >= sizeof(struct es__batch_state);
	case ES__RECORD_DEFINITIONS:
	case ES__RECORD_BYTES:
	case ES__RECORD_TIMES:
		return r->count <= batch_rest(r);
	case ES__RECORD_RUN:
		return (batch_is_tuple(r->tuple_bytes) || r->count == 0) &&
		    (uint64_t)r->count * r->tuple_bytes <= batch_rest(r);
	case ES__RECORD_MIX:
		return batch_mix_is_whole(r);
	case ES__RECORD_NOTE:
		return memchr(r + 1, 0, batch_rest(r)) != NULL;
	default:
		return r->kind >= ES__RECORD_SPACE &&
		    r->kind <= ES__RECORD_MORE;
	}
}

const struct es__record *
es__batch_next(struct es__batch *b, paths_status *st)
{
	const struct es__record *r =
	    (const struct es__record *)(const void *)b->at;
	size_t left = (size_t)(b->end - b->at);

	b->piece = NULL;
	b->sources = NULL;
	if (left < sizeof(r->bytes) || r->bytes == 0)
		return NULL;
	if (left < sizeof(*r) || r->bytes < sizeof(*r) || r->bytes > left ||
	    r->bytes % 8 != 0 || !batch_is_whole(r)) {
		*st = paths_log_fail(PATHS_EDAMAGED,
		    "byte %zu of a batch is no record",
		    left > 0 ? (size_t)r->bytes : 0);
		return NULL;
	}
	b->at += r->bytes;
	return r;
}

const struct es__batch_source *
es__batch_sources(const struct es__record *record)
{
	const uint8_t *end = (const uint8_t *)record + record->bytes;

	return (const struct es__batch_source *)(const void *)(end -
	    (size_t)record->count * sizeof(struct es__batch_source));
}

/* Reads the next piece of a MIX. */
static bool
batch_piece(struct es__batch *b, struct es__batch_part *part)
{
	struct es__batch_piece piece = { .count = 0 };
	const struct es__batch_source *source;

	while (piece.count == 0) {
		if (b->piece_end - b->piece < (ptrdiff_t)sizeof(piece))
			return false;
		memcpy(&piece, b->piece, sizeof(piece));
		b->piece += sizeof(piece);
	}
	source = &b->sources[piece.source];
	part->head.type = source->type;
	part->head.space = source->space;
	part->head.collector = source->collector;
	part->head.tuple_bytes = source->tuple_bytes;
	part->head.count = piece.count;
	part->tuples = b->piece;
	b->piece += (size_t)piece.count * source->tuple_bytes;
	return true;
}

bool
es__batch_tuples(struct es__batch *b, const struct es__record *record,
    struct es__batch_part *part)
{
	/* After the first call, what was read may have been written over. */
	if (b->piece != NULL)
		return b->sources != NULL && batch_piece(b, part);
	b->piece = es__batch_payload(record);
	if (record->kind == ES__RECORD_RUN) {
		part->head = *record;
		part->head.left = 0;
		part->tuples = b->piece;
		return record->count > 0;
	}
	if (record->kind != ES__RECORD_MIX)
		return false;
	b->sources = es__batch_sources(record);
	b->piece_end = (const uint8_t *)b->sources;
	part->head = (struct es__record){ .kind = ES__RECORD_RUN };
	return batch_piece(b, part);
}

struct es__record *
es__batch_put(struct es__batch_out *out, enum es__record_kind kind,
    size_t payload)
{
	size_t bytes = es__batch_round(sizeof(struct es__record) + payload);
	struct es__record *r;

	if (bytes > out->room - out->used)
		return NULL;
	r = (struct es__record *)(void *)(out->base + out->used);
	memset((uint8_t *)(r + 1) + payload, 0, bytes - sizeof(*r) - payload);
	*r = (struct es__record){ .bytes = (uint32_t)bytes,
		.kind = (uint16_t)kind };
	out->used += bytes;
	return r;
}

bool
es__batch_copy(struct es__batch_out *out, const struct es__record *record)
{
	if (record->bytes > out->room - out->used)
		return false;
	memcpy(out->base + out->used, record, record->bytes);
	out->used += record->bytes;
	return true;
}

/* Continues an FNV-1a hash. */
static uint64_t
batch_hash(uint64_t hash, const void *from, size_t bytes)
{
	const uint8_t *at = from;

	for (size_t n = 0; n < bytes; n++)
		hash = (hash ^ at[n]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t
es__batch_space_number(const struct es_space_info *info)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = batch_hash(hash, info->host_name, strlen(info->host_name));
	hash = batch_hash(hash, "/", 1);
	hash = batch_hash(hash, info->process_name, strlen(info->process_name));
	hash = batch_hash(hash, &info->pid, sizeof(info->pid));
	return batch_hash(hash, &info->start, sizeof(info->start));
}
