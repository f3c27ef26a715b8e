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
 * Buckets are stored in BLOBs, called chunks, of ES_TIMELINE_CHUNK buckets; the
 * last chunk of a level may be shorter.  Chunk c begins with bucket c *
 * ES_TIMELINE_CHUNK.  Two chunks with their headers fit an SQLite page of 16
 * KiB; two chunks of 1024 buckets do not.
 */

#ifndef SCOPES_TIMELINE_H
#define SCOPES_TIMELINE_H

#include "libpaths/language.h"

#include <stdint.h>

PATHS_BEGIN_DECLS

#define ES_TIMELINE_CHUNK 1020u
#define ES_TIMELINE_TOP 64u

/* A bucket in a BLOB, little-endian. */
struct es_timeline_bucket {
	uint16_t covered;    /* share of the time, mean over the threads of the
				row; 65535: all */
	uint16_t starts;     /* 65535: that many or more */
	uint32_t longest_ns; /* 0: none; UINT32_MAX: that long or longer */
};

static_assert(sizeof(struct es_timeline_bucket) == 8, "fixed by the format");

PATHS_END_DECLS

#endif
