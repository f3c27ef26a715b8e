/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/times.h - the file with the times at which frames travelled
 *
 * The file RUN/PROCESS.clock has a region for each connection: a record whose
 * check is PATHS__TIMES_MAGIC, then two records for each window of time, of an
 * operation and of an answer.  A record whose check is wrong ends the region.
 * All numbers are as in memory.
 */

#ifndef LIBPATHS_BASE_TIMES_H
#define LIBPATHS_BASE_TIMES_H

#include <stddef.h>
#include <stdint.h>

#define PATHS__TIMES_FILE ".clock"
#define PATHS__TIMES_MAGIC UINT64_C(0x314b434f4c434553)
#define PATHS__TIMES_REGION_BYTES ((size_t)32768)
/* Windows of a region, beside its head: an even number, because two become one
   when there is no more room. */
#define PATHS__TIMES_WINDOWS \
	(PATHS__TIMES_REGION_BYTES / \
		(2 * sizeof(struct paths__times_record)) - \
	    2)

/* A larger operation is many packets, whose last one may have queued behind
   others; its stamps by collectors tell as much. */
#define PATHS__TIMES_BYTES_MAX 4096u

/* A frame that has travelled.  An operation is sent by the process of the file,
   an answer by the other one. */
struct paths__times_record {
	uint64_t sent, received; /* ticks of sender and receiver */
	uint32_t process;	 /* the other process, of the map */
	uint32_t bytes;		 /* of the tuple of an operation */
	uint64_t check;
};

/* Returns the check of a record. */
static inline uint64_t
paths__times_check(const struct paths__times_record *r)
{
	uint64_t h = PATHS__TIMES_MAGIC;

	h = (h ^ r->sent) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ r->received ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ r->process ^ (uint64_t)r->bytes << 32 ^ h >> 32) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

#endif
