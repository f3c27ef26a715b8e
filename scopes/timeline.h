/* SPDX-License-Identifier: MIT */
/*
 * scopes/timeline.h - the pyramid that timelines are drawn from
 *
 * A row is a thread, or all threads of a process, a host or the run; rows that
 * stand for the same threads share a pyramid.  Time is cut into buckets, on
 * level l of bucket_ns * 2^l ns each, from 0 on; the last level has at most
 * ES_TIMELINE_TOP of them.  A bucket tells how much of it was communication,
 * how many operations started in it, and how long the longest one was that
 * touches it: so that one long wait is seen at any zoom.
 *
 * Buckets lie in BLOBs of ES_TIMELINE_CHUNK of them, the last one of a level
 * shorter; chunk c begins with bucket c * ES_TIMELINE_CHUNK.  Two of these and
 * what SQLite has to say about them fit a page of 16 KiB, which two of 1024 do
 * not.
 */

#ifndef SCOPES_TIMELINE_H
#define SCOPES_TIMELINE_H

#include <stdint.h>

#define ES_TIMELINE_CHUNK 1020u
#define ES_TIMELINE_TOP 64u

/* As it lies in a BLOB: little-endian. */
struct es_timeline_bucket {
	uint16_t covered;    /* of 65535: the mean over the row's threads */
	uint16_t starts;     /* 65535: that many or more */
	uint32_t longest_ns; /* 0: none; UINT32_MAX: that long or longer */
};

_Static_assert(sizeof(struct es_timeline_bucket) == 8, "fixed by the format");

#endif
