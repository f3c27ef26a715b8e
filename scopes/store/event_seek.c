/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_seek.c - finds the tuples of a collector in a range
 *
 * Searches only in what ascends, so that a condition on start_ns or seq selects
 * the same rows with a search as without.  The checks of a space when it is
 * opened leave in tuples that are a little out of order.
 */

#include "scopes/store/event_seek_private.h"

#include <string.h>

/* Bits of es__event_run.order, for each key. */
#define SEEK_KNOWN 1u
#define SEEK_ASCENDS 2u

/* Limit of times since the start of a run, about 36 years. */
#define SEEK_FAR_NS ((int64_t)1 << 60)

static uint64_t
seek_ticks(const struct es_collector *c, uint64_t n)
{
	uint64_t ticks;

	memcpy(&ticks, es_collector_tuple(c, n), sizeof(ticks));
	return ticks;
}

static bool
seek_starts_ascend(const struct es_collector *c)
{
	for (uint64_t n = 1; n < c->count; n++)
		if (seek_ticks(c, n) < seek_ticks(c, n - 1))
			return false;
	return true;
}

static bool
seek_seqs_ascend(const struct es_collector *c)
{
	const struct es_tuple_field *field =
	    es_tuple_field_find(c->type, "seq");
	uint64_t last = 0;

	if (field == NULL || field->kind != PATHS_TYPE_U32)
		return false;
	for (uint64_t n = 0; n < c->count; n++) {
		const char *at = es_collector_tuple(c, n);
		uint32_t low;
		uint64_t seq;

		memcpy(&low, at + field->offset, sizeof(low));
		seq = es_collector_seq(c, low);
		if (seq < last)
			return false;
		last = seq;
	}
	return true;
}

bool
es__event_ascends(struct es__event_run *run, uint32_t collector, int key)
{
	const struct es_collector *c = es_run_collector(run->run, collector);
	uint8_t *order = &run->order[collector];
	unsigned shift = 2 * (unsigned)key;

	if (c->type == NULL)
		return true;
	if ((*order >> shift & SEEK_KNOWN) == 0) {
		bool ascends = key == EVENT_SEQ ? seek_seqs_ascend(c) :
						  seek_starts_ascend(c);

		*order = (uint8_t)(*order |
		    (SEEK_KNOWN | (ascends ? SEEK_ASCENDS : 0)) << shift);
	}
	return (*order >> shift & SEEK_ASCENDS) != 0;
}

/* Returns true if the conversion of a stamp to ns does not wrap. */
static bool
seek_converts(const struct es_timebase *base, uint64_t ticks)
{
	__extension__ typedef __int128 wide;
	struct es_time_piece piece = { 0, 0, 0 };
	wide since, ns;

	(void)es_timebase_piece(base, es_timebase_find(base, ticks), &piece);
	since = (wide)ticks - piece.from;
	ns = piece.ns;
	if (since != (int64_t)(ticks - piece.from))
		return false;
	ns += (since * piece.mult) >> 48;
	return ns >= -SEEK_FAR_NS && ns <= SEEK_FAR_NS;
}

/* Returns true if start_ns ascends in a collector whose starts ascend.  Extreme
   stamps or conversions, in damaged files, wrap around. */
static bool
seek_times_ascend(const struct es_collector *c, const struct es_timebase *base)
{
	return c->count == 0 ||
	    (seek_converts(base, seek_ticks(c, 0)) &&
		seek_converts(base, seek_ticks(c, c->count - 1)));
}

/* Returns the number of the first tuple whose key is at least the value. */
static uint64_t
seek_first(const struct es_collector *c, const struct es_timebase *base,
    int key, int64_t value)
{
	if (key == EVENT_SEQ)
		return value <= 0 ? 0 : es_collector_seek(c, (uint64_t)value);
	if (value < -SEEK_FAR_NS)
		return 0;
	return value > SEEK_FAR_NS ?
	    c->count :
	    es_collector_seek_start(c, es_time_ticks(base, value));
}

bool
es__event_narrow(struct es__event_run *run, uint32_t collector, int key,
    const struct es__event_range *range, struct es__event_window *window)
{
	const struct es_collector *c = es_run_collector(run->run, collector);
	const struct es_timebase *base = &run->bases[c->process];
	uint64_t n, end = c->count;

	if (range->lo == INT64_MIN && range->hi == INT64_MAX)
		return true;
	if (!es__event_ascends(run, collector, key) ||
	    (key == EVENT_START && !seek_times_ascend(c, base)))
		return false;
	n = seek_first(c, base, key, range->lo);
	if (range->hi < range->lo)
		end = 0;
	else if (range->hi != INT64_MAX)
		end = seek_first(c, base, key, range->hi + 1);
	window->n = n > window->n ? n : window->n;
	window->end = end < window->end ? end : window->end;
	return true;
}
