/* SPDX-License-Identifier: MIT */
/*
 * scopes/timeline.h - the pyramid that timelines are drawn from
 *
 * A row is a thread, or all threads of a process, a host or the run.  Rows of
 * the same threads share a pyramid.  Level l of a pyramid has buckets of
 * bucket_ns * 2^l ns, from time 0 on; the last level has at most
 * ES_TIMELINE_TOP buckets.  A bucket has the share of its time that was
 * communication, the number of operations that started in it, and the duration
 * of the longest operation that touches it.  So one long wait is visible at any
 * zoom.
 *
 * The table timeline_group divides the share of communication among the groups
 * of operations (scopes/operation.h), the table timeline_wait has the part of
 * each group that was waiting.  A class in them is the name of a group.  A
 * chunk of a class has an uint16_t of each bucket, little-endian: a share as
 * es_timeline_bucket.covered.  Chunks that are 0 have no row.  Classes begin
 * with level 1, es_timeline_class_level: two buckets of level 0 are close
 * enough to have the same classes, and classes are then half as large.  Rows
 * whose threads have operations of one group only have none in timeline_group:
 * timeline_row.class names that group.
 *
 * The table timeline_colour divides the share of communication in other ways
 * (scopes/colour.h), from es_timeline_colour_level on.  A class in it is the
 * name of a colour and the number of a class, as "site-3".
 *
 * The table timeline_span has the waits themselves, in order of their start,
 * at most ES_TIMELINE_SPANS in a BLOB.  A wait is three numbers, each in groups
 * of 7 bits, the lowest first, with bit 7 set in all bytes but the last:
 *
 *	delta		its start minus the stop of the wait before it, or minus
 *			the start of the BLOB; d >= 0 is 2 d, d < 0 is -2 d - 1
 *	length		its length in ns times 16, plus its group
 *	reason		number of the thread that it was for, plus 1; 0: none or
 *			unknown; times 64, plus its pattern
 *
 * The table timeline_pattern has the names of patterns.  A pattern is at least
 * 1 and less than ES_TIMELINE_PATTERNS.
 *
 * Buckets are stored in BLOBs, called chunks, of ES_TIMELINE_CHUNK buckets; the
 * last chunk of a level may be shorter.  Chunk c begins with bucket c *
 * ES_TIMELINE_CHUNK.  Two chunks with their headers fit an SQLite page of 16
 * KiB; two chunks of 1024 buckets do not.
 */

#ifndef SCOPES_TIMELINE_H
#define SCOPES_TIMELINE_H

#include "libpaths/language.h"

#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

#define ES_TIMELINE_CHUNK 1020u
#define ES_TIMELINE_TOP 64u
#define ES_TIMELINE_SPANS 1020u

/* The longest encoding of a wait. */
#define ES_TIMELINE_SPAN_BYTES 26u
#define ES_TIMELINE_PATTERNS 64u

/* A bucket in a BLOB, little-endian. */
struct es_timeline_bucket {
	uint16_t covered;    /* share of the time, mean over the threads of the
				row; 65535: all */
	uint16_t starts;     /* 65535: that many or more */
	uint32_t longest_ns; /* 0: none; UINT32_MAX: that long or longer */
};

/*
 * es_timeline_class_level - the first level that has classes
 *
 * Returns	the level
 * Threads	any
 * Since	0.1
 */
static inline uint32_t
es_timeline_class_level(uint32_t levels)
{
	return levels > 1 ? 1 : 0;
}

/*
 * es_timeline_colour_level - the first level that has colours
 *
 * Returns	the level
 * Threads	any
 * Since	0.1
 */
static inline uint32_t
es_timeline_colour_level(uint32_t levels)
{
	return levels > 2 ? 2 : levels > 1 ? 1 : 0;
}

/* A wait of a thread. */
struct es_timeline_span {
	int64_t start_ns, stop_ns;
	uint32_t group; /* enum es_operation_group */
	uint32_t pattern;
	uint32_t culprit; /* thread; UINT32_MAX: none, or unknown */
};

/*
 * es_timeline_number_put - write a number in groups of 7 bits
 *
 * Returns	the byte after it
 * Threads	any
 * Since	0.1
 */
static inline uint8_t *
es_timeline_number_put(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

/*
 * es_timeline_number_get - read a number
 *
 * at	NULL: nothing is read
 *
 * Returns	the byte after it; NULL if `end` cuts it
 * Threads	any
 * Since	0.1
 */
static inline const uint8_t *
es_timeline_number_get(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; at != NULL && at < end && shift < 64;
	     shift += 7) {
		*number |= (uint64_t)(*at & 0x7f) << shift;
		if ((*at++ & 0x80) == 0)
			return at;
	}
	return NULL;
}

/*
 * es_timeline_span_put - write a wait
 *
 * from_ns	stop of the wait before it, or start of the BLOB
 *
 * Returns	the byte after it, at most ES_TIMELINE_SPAN_BYTES further on
 * Threads	any
 * Since	0.1
 */
static inline uint8_t *
es_timeline_span_put(uint8_t *at, int64_t from_ns,
    const struct es_timeline_span *span)
{
	uint64_t delta = (uint64_t)span->start_ns - (uint64_t)from_ns;

	delta = delta << 1 ^ (delta >> 63 != 0 ? UINT64_MAX : 0);
	at = es_timeline_number_put(at, delta);
	at = es_timeline_number_put(at,
	    (uint64_t)(span->stop_ns - span->start_ns) << 4 | span->group);
	return es_timeline_number_put(at,
	    (uint64_t)(span->culprit + 1) << 6 | span->pattern);
}

/*
 * es_timeline_span_get - read a wait
 *
 * from_ns	as it was written
 *
 * Returns	the byte after it; NULL if `end` cuts it
 * Threads	any
 * Since	0.1
 */
static inline const uint8_t *
es_timeline_span_get(const uint8_t *at, const uint8_t *end, int64_t from_ns,
    struct es_timeline_span *span)
{
	uint64_t delta, length, reason;

	at = es_timeline_number_get(at, end, &delta);
	at = es_timeline_number_get(at, end, &length);
	at = es_timeline_number_get(at, end, &reason);
	if (at == NULL)
		return NULL;
	delta = delta >> 1 ^ ((delta & 1) != 0 ? UINT64_MAX : 0);
	span->start_ns = (int64_t)((uint64_t)from_ns + delta);
	span->stop_ns = (int64_t)((uint64_t)span->start_ns + (length >> 4));
	span->group = (uint32_t)(length & 15);
	span->pattern = (uint32_t)(reason & 63);
	span->culprit = (uint32_t)(reason >> 6) - 1;
	return at;
}

static_assert(sizeof(struct es_timeline_bucket) == 8, "fixed by the format");

PATHS_END_DECLS

#endif
