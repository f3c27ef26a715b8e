/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/seek.c - finds tuples of a collector by number and by time
 *
 * Interpolation search: sequence numbers are mostly dense and operations mostly
 * regular.  Both numbers and times ascend within a collector, because one
 * operation at a time passes it.
 */

#include "scopes/run.h"

#include <string.h>

/* First distance from the guessed tuple that is searched. */
#define SEEK_STEP 16u

/* Searches for the first tuple whose u64 or u32 at `offset` is >= want. */
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
	return s->bytes == sizeof(narrow) ?
	    es_collector_seq(s->collector, narrow) :
	    narrow;
}

/* Binary search in [low, high). */
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
es_collector_seek(const struct es_collector *collector, uint64_t seq)
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

/* Searches around n in growing distances: tuples near n are likely to be in
   memory, those half-way between both ends are not. */
static uint64_t
seek_around(const struct seek *s, uint64_t n)
{
	uint64_t low = 0, high = s->collector->count;
	uint64_t step = SEEK_STEP;

	if (seek_value(s, n) < s->want) {
		low = n + 1;
		while (
		    high - low > step && seek_value(s, low + step) < s->want) {
			low += step + 1;
			step *= 4;
		}
		high = high - low > step ? low + step : high;
	} else {
		high = n;
		while (high > step && seek_value(s, high - step) >= s->want) {
			high -= step;
			step *= 4;
		}
		low = high > step ? high - step + 1 : 0;
	}
	return seek_between(s, low, high);
}

uint64_t
es_collector_seek_start(const struct es_collector *collector, uint64_t ticks)
{
	struct seek s = { collector, 0, sizeof(uint64_t), ticks };
	uint64_t first, last;

	if (collector->count == 0)
		return 0;
	first = seek_value(&s, 0);
	last = seek_value(&s, collector->count - 1);
	if (ticks <= first)
		return 0;
	if (ticks > last)
		return collector->count;
	return seek_around(&s,
	    (uint64_t)((double)(ticks - first) / (double)(last - first) *
		(double)(collector->count - 1)));
}
