/* SPDX-License-Identifier: MIT */
/*
 * scopes/seek.c - find tuples of a collector by number and by time
 *
 * Both ascend within a collector: one operation at a time passes it.
 * Sequence numbers are mostly dense, so a tuple is looked for first where it
 * would be if they were.
 */

#include "scopes/run.h"

#include <string.h>

/* The first n in [low, high) whose u64 or u32 at `offset` is >= want. */
struct seek {
	const struct es_collector *collector;
	uint32_t offset;
	uint32_t bytes;
	uint64_t want;
};

static uint64_t
seek_value(const struct seek *s, uint64_t n)
{
	const uint8_t *at = es_collector_tuple(s->collector, n);
	uint64_t wide;
	uint32_t narrow;

	if (s->bytes == sizeof(wide)) {
		memcpy(&wide, at + s->offset, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, at + s->offset, sizeof(narrow));
	return narrow;
}

static uint64_t
seek_between(const struct seek *s, uint64_t low, uint64_t high)
{
	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (seek_value(s, mid) < s->want)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint64_t
es_collector_seek(const struct es_collector *collector, uint32_t seq)
{
	const struct es_tuple_field *field = collector->type ?
	    es_tuple_field_find(collector->type, "seq") :
	    NULL;
	struct seek s = { collector, field ? field->offset : 0,
		field ? field->bytes : 0, seq };
	uint64_t first, guess;

	if (field == NULL || collector->count == 0)
		return collector->count;
	first = seek_value(&s, 0);
	if (first >= seq)
		return 0;
	guess = seq - first;
	if (guess < collector->count && seek_value(&s, guess) >= seq) {
		if (seek_value(&s, guess - 1) < seq)
			return guess;
		return seek_between(&s, 0, guess);
	}
	return seek_between(&s, guess < collector->count ? guess : 0,
	    collector->count);
}

uint64_t
es_collector_seek_start(const struct es_collector *collector, uint64_t ticks)
{
	struct seek s = { collector, 0, sizeof(uint64_t), ticks };

	return seek_between(&s, 0, collector->count);
}
