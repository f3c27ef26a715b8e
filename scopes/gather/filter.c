/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/filter.c - keeps the tuples of a batch that meet a condition
 *
 * The field is looked up in the table of the tuple type that travels with the
 * batches, so a filter works for every type.  Tuples of a type without the
 * field are left out.  The number of tuples left out stays in the batch.
 *
 * Arguments	field	name of a field; or `duration`, the time from start to
 *			stop in ns, of operations that have returned
 *		test	==, !=, <, <=, >, >=, or & (has one of these bits)
 *		value	a number, or for duration a time such as 2ms
 * Counters	0	tuples kept
 *		1	tuples left out
 * Errors	PATHS_EDAMAGED	a read returned no batch
 */

#include "scopes/gather/filter_private.h"

#include "scopes/gather/gather_private.h"
#include "scopes/gather/known_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum filter_test {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LT,
	FILTER_LE,
	FILTER_GT,
	FILTER_GE,
	FILTER_BITS
};

enum { FILTER_FIELD, FILTER_TEST, FILTER_VALUE };

/* Numbers in `use` of a type: 1 + index of a field. */
enum { USE_FIELD, USE_STOP };

#define USE_NONE UINT32_MAX

struct filter {
	const char *field; /* of the map */
	enum filter_test test;
	double value;
	uint64_t bits; /* value as an integer, for FILTER_BITS */
	bool duration, varies;
	struct es__known known;
	_Atomic uint64_t kept, left;
};

static paths_status
filter_value(struct filter *f, const char *text)
{
	const char *end = text;
	uint64_t ns;

	if (f->duration &&
	    paths_unit_parse(PATHS_UNIT_TIME, text, 0, INT64_MAX, &ns) ==
		PATHS_OK) {
		f->value = (double)ns;
		return PATHS_OK;
	}
	f->value = strtod(text, (char **)(uintptr_t)&end);
	if (f->test == FILTER_BITS)
		f->bits = strtoull(text, (char **)(uintptr_t)&end, 0);
	if (end != text && *end == '\0' && !f->duration)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL, "expected %s, not %s",
	    f->duration ? "a time" : "a number", text);
}

static paths_status
filter_read(struct filter *f, const struct paths_map_value *values)
{
	f->field = values[FILTER_FIELD].text;
	f->duration = strcmp(f->field, "duration") == 0;
	f->test = (enum filter_test)values[FILTER_TEST].number;
	return filter_value(f, values[FILTER_VALUE].text);
}

/* Lets the check of a map find wrong values. */
static paths_status
filter_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	struct filter f = { .value = 0 };

	(void)inputs;
	(void)above;
	(void)below;
	return filter_read(&f, item->values);
}

static paths_status
filter_open(void *self, const struct paths_stage_env *env)
{
	struct filter *f = self;

	f->varies = env->above.varies;
	return filter_read(f, env->item->values);
}

/* Returns 1 + the index of a field of a type, or USE_NONE. */
static uint32_t
filter_find(const struct es_space_type *type, const char *name)
{
	const struct es_space_field *field =
	    (const struct es_space_field *)(const void *)(type + 1);

	for (uint32_t n = 0; n < type->field_count; n++)
		if (strcmp(field[n].name, name) == 0)
			return n + 1;
	return USE_NONE;
}

/* Returns the number in a field of a tuple. */
static double
filter_number(const struct es_space_field *field, const uint8_t *tuple)
{
	union {
		int8_t i8;
		uint8_t u8;
		int16_t i16;
		uint16_t u16;
		int32_t i32;
		uint32_t u32;
		int64_t i64;
		uint64_t u64;
		float f32;
		double f64;
	} v = { .u64 = 0 };

	memcpy(&v, tuple + field->offset, field->bytes);
	switch (field->kind) {
	case PATHS_TYPE_I8:
		return v.i8;
	case PATHS_TYPE_U8:
		return v.u8;
	case PATHS_TYPE_I16:
		return v.i16;
	case PATHS_TYPE_U16:
		return v.u16;
	case PATHS_TYPE_I32:
		return v.i32;
	case PATHS_TYPE_U32:
		return v.u32;
	case PATHS_TYPE_I64:
		return (double)v.i64;
	case PATHS_TYPE_F32:
		return (double)v.f32;
	case PATHS_TYPE_F64:
		return v.f64;
	default:
		return (double)v.u64;
	}
}

/* A condition for the tuples of one type. */
struct filter_on {
	const struct filter *filter;
	const struct es_space_field *field; /* NULL: no tuple meets it */
	const struct es_space_field *stop;  /* of a duration; else NULL */
	double ns_per_tick;
};

/* Finds the fields of the tuples of a record. */
static struct filter_on
filter_on(const struct filter *f, const struct es__record *head)
{
	struct filter_on on = { .filter = f, .ns_per_tick = 1 };
	struct es__known_type *t =
	    es__known_type(&f->known, head->space, head->type);
	const struct es_space_field *fields;

	if (t == NULL || t->type->bytes != head->tuple_bytes)
		return on;
	fields = (const struct es_space_field *)(const void *)(t->type + 1);
	if (t->use[USE_FIELD] == 0) {
		t->use[USE_FIELD] =
		    filter_find(t->type, f->duration ? "start" : f->field);
		t->use[USE_STOP] = filter_find(t->type, "stop");
	}
	if (t->use[USE_FIELD] == USE_NONE ||
	    (f->duration && t->use[USE_STOP] == USE_NONE))
		return on;
	on.field = &fields[t->use[USE_FIELD] - 1];
	if (f->duration) {
		on.stop = &fields[t->use[USE_STOP] - 1];
		/* A peer may call any field so. */
		if (on.field->bytes != sizeof(uint64_t) ||
		    on.stop->bytes != sizeof(uint64_t))
			on.field = NULL;
		on.ns_per_tick =
		    es__known_space(&f->known, head->space)->ns_per_tick;
	}
	return on;
}

static bool
filter_compare(const struct filter *f, double number)
{
	switch (f->test) {
	case FILTER_EQ:
		return !(number < f->value) && !(number > f->value);
	case FILTER_NE:
		return number < f->value || number > f->value;
	case FILTER_LT:
		return number < f->value;
	case FILTER_LE:
		return number <= f->value;
	case FILTER_GT:
		return number > f->value;
	default:
		return number >= f->value;
	}
}

/* Returns true when an integer in a field has one of the bits. */
static bool
filter_has_bits(const struct filter_on *on, const uint8_t *tuple)
{
	const uint8_t *from = tuple + on->field->offset;
	uint64_t bits;
	uint32_t u32;
	uint16_t u16;

	switch (on->field->bytes) {
	case sizeof(bits):
		memcpy(&bits, from, sizeof(bits));
		return (bits & on->filter->bits) != 0;
	case sizeof(u32):
		memcpy(&u32, from, sizeof(u32));
		return (u32 & on->filter->bits) != 0;
	case sizeof(u16):
		memcpy(&u16, from, sizeof(u16));
		return (u16 & on->filter->bits) != 0;
	default:
		return (*from & on->filter->bits) != 0;
	}
}

static bool
filter_keeps(const struct filter_on *on, const uint8_t *tuple)
{
	uint64_t start, stop;

	if (on->field == NULL)
		return false;
	if (on->filter->test == FILTER_BITS)
		return filter_has_bits(on, tuple);
	if (on->stop == NULL)
		return filter_compare(on->filter,
		    filter_number(on->field, tuple));
	memcpy(&start, tuple + on->field->offset, sizeof(start));
	memcpy(&stop, tuple + on->stop->offset, sizeof(stop));
	return stop != 0 &&
	    filter_compare(on->filter,
		(double)(int64_t)(stop - start) * on->ns_per_tick);
}

/* Moves the tuples that are kept to `to`, which is not behind them.  Returns
   their number. */
static uint32_t
filter_tuples(const struct filter_on *on, const struct es__batch_part *part,
    uint8_t *to)
{
	const uint8_t *from = part->tuples;
	uint32_t bytes = part->head.tuple_bytes, kept = 0;

	for (uint32_t n = 0; n < part->head.count; n++, from += bytes) {
		if (!filter_keeps(on, from))
			continue;
		if (to != from)
			memmove(to, from, bytes);
		to += bytes;
		kept++;
	}
	return kept;
}

/* Counts tuples.  One operation at a time passes. */
static void
filter_count(struct filter *f, uint32_t kept, uint32_t left)
{
	/* Relaxed: totals. */
	atomic_fetch_add_explicit(&f->kept, kept, memory_order_relaxed);
	atomic_fetch_add_explicit(&f->left, left, memory_order_relaxed);
}

/* Filters a RUN, which moves to the end of the batch that is written over. */
static void
filter_run(struct filter *f, struct es__batch *b, const struct es__record *r,
    struct es__batch_out *out)
{
	struct es__record head = *r, *to;
	struct filter_on on = filter_on(f, r);
	struct es__batch_part part;
	uint32_t kept = 0;

	to = (struct es__record *)(void *)(out->base + out->used);
	if (es__batch_tuples(b, r, &part))
		kept = filter_tuples(&on, &part, (uint8_t *)(to + 1));
	filter_count(f, kept, head.count - kept);
	to =
	    es__batch_put(out, ES__RECORD_RUN, (size_t)kept * head.tuple_bytes);
	head.bytes = to->bytes;
	head.left += head.count - kept;
	head.count = kept;
	*to = head;
}

/* Filters the pieces of a MIX.  sources: a copy of its table, whose `left` is
   increased.  Returns the end of the pieces that are kept. */
static uint8_t *
filter_pieces(struct filter *f, struct es__batch *b, const struct es__record *r,
    struct es__batch_source *sources, uint8_t *to)
{
	struct es__batch_part part;

	while (es__batch_tuples(b, r, &part)) {
		struct filter_on on = filter_on(f, &part.head);
		struct es__batch_piece piece;
		uint32_t kept;

		memcpy(&piece, part.tuples - sizeof(piece), sizeof(piece));
		kept = filter_tuples(&on, &part, to + sizeof(piece));
		filter_count(f, kept, piece.count - kept);
		sources[piece.source].left += piece.count - kept;
		piece.count = (uint16_t)kept;
		if (kept == 0)
			continue;
		memcpy(to, &piece, sizeof(piece));
		to += sizeof(piece) + kept * part.head.tuple_bytes;
	}
	return to;
}

static paths_status
filter_mix(struct filter *f, struct es__batch *b, const struct es__record *r,
    struct es__batch_out *out)
{
	struct es__record *to =
	    (struct es__record *)(void *)(out->base + out->used);
	size_t table = (size_t)r->count * sizeof(struct es__batch_source);
	struct es__batch_source *sources = malloc(table + 1);
	struct es__record head = *r;
	uint8_t *end;
	size_t pieces;

	if (sources == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory to filter");
	memcpy(sources, es__batch_sources(r), table);
	end = filter_pieces(f, b, r, sources, (uint8_t *)(to + 1));
	pieces = (size_t)(end - (uint8_t *)(to + 1));
	memset(end, 0, es__batch_round(pieces) - pieces);
	head.bytes = (uint32_t)(sizeof(head) + es__batch_round(pieces) + table);
	*to = head;
	memcpy((uint8_t *)(to + 1) + es__batch_round(pieces), sources, table);
	out->used += head.bytes;
	free(sources);
	return PATHS_OK;
}

/* Filters a batch in place.  What is written is never longer than what was
   read, and is read first. */
static paths_status
filter_batch(struct filter *f, struct es__batch *b, struct es__batch_out *out)
{
	const struct es__record *r;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && (r = es__batch_next(b, &st)) != NULL) {
		uint32_t bytes = r->bytes;

		st = es__known_learn(&f->known, r);
		if (st != PATHS_OK)
			break;
		if (r->kind == ES__RECORD_RUN) {
			filter_run(f, b, r, out);
		} else if (r->kind == ES__RECORD_MIX) {
			st = filter_mix(f, b, r, out);
		} else {
			memmove(out->base + out->used, r, bytes);
			out->used += bytes;
		}
	}
	return st;
}

static enum paths_pass
filter_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)slot;
	return es__gather_pass(op);
}

static void
filter_up(void *self, struct paths_op *op, uint64_t *slot)
{
	struct filter *f = self;
	struct es__batch_out out = { .base = op->tuple, .room = op->bytes };
	struct es__batch b;
	paths_status st;

	(void)slot;
	if (op->status != PATHS_OK)
		return;
	es__batch_init(&b, op->tuple, op->bytes);
	st = filter_batch(f, &b, &out);
	if (st == PATHS_OK)
		es__gather_end(op, out.used, f->varies);
	else
		(void)paths_op_fail(op, st, "%s", paths_log_last());
}

static void
filter_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct filter *f = self;

	emit(to, 0, atomic_load_explicit(&f->kept, memory_order_relaxed));
	emit(to, 1, atomic_load_explicit(&f->left, memory_order_relaxed));
}

static void
filter_close(void *self)
{
	struct filter *f = self;

	es__known_fini(&f->known);
}

static const struct paths_option filter_options[] = {
	[FILTER_FIELD] = {
		.name = "field",
		.kind = PATHS_OPTION_WORD,
		.flags = PATHS_OPTION_REQUIRED,
		.about = "field of the tuples, or duration",
	},
	[FILTER_TEST] = {
		.name = "test",
		.kind = PATHS_OPTION_CHOICE,
		.flags = PATHS_OPTION_REQUIRED,
		.choices = "==|!=|<|<=|>|>=|&",
		.about = "comparison with the value",
	},
	[FILTER_VALUE] = {
		.name = "value",
		.kind = PATHS_OPTION_WORD,
		.flags = PATHS_OPTION_REQUIRED,
		.about = "number, or for duration a time",
	},
	{ .name = NULL },
};

const struct paths_stage_ops es__stage_filter = {
	.abi = PATHS_STAGE_ABI,
	.name = "filter",
	.about = "keep the tuples of batches that meet a condition",
	.example = "filter op == 1",
	.size = sizeof(struct filter),
	.options = filter_options,
	.types = filter_types,
	.open = filter_open,
	.down = filter_down,
	.up = filter_up,
	.stat = filter_stat,
	.close = filter_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ),
};
