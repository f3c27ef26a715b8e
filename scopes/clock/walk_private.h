/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/walk_private.h - steps through the operations that several
 * collectors have in common
 *
 * These are the operations that succeeded and that each collector of a set
 * retains, in the order of their sequence numbers.
 */

#ifndef SCOPES_CLOCK_WALK_PRIVATE_H
#define SCOPES_CLOCK_WALK_PRIVATE_H

#include "scopes/clock/analysis_private.h"

struct es__lane {
	const struct es_collector *collector;
	const struct es_timebase *base;
	uint32_t domain;		   /* the clock of the collector */
	const struct es_tuple_path *tuple; /* of the current operation */
	uint64_t at;			   /* index of the tuple */
	uint64_t seq; /* of the tuple, by es_collector_seq */
};

struct es__walk {
	struct es__lane *lanes;
	uint32_t count;
	uint64_t seq;  /* of the current operation */
	uint64_t next; /* sequence number at which to search further */
	uint64_t end;  /* sequence number after the last one wanted */
};

/* Sequence numbers that several collectors may have in common: [begin, end). */
struct es__range {
	uint64_t begin;
	uint64_t end;
};

static inline const struct es_tuple_path *
es__path_tuple(const struct es_collector *collector, uint64_t n)
{
	const struct es_tuple_path *older = (const void *)collector->older;
	const struct es_tuple_path *newer = (const void *)collector->newer;

	return n < collector->older_count ?
	    older + n :
	    newer + (n - collector->older_count);
}

/*
 * es__walk_open - prepare to step through a range
 *
 * collectors	of operations on paths
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__walk_close, also on failure
 */
paths_status es__walk_open(struct es__walk *walk,
    const struct es_analysis *analysis, const uint32_t *collectors,
    uint32_t count, struct es__range range) PATHS_CHECKED;
void es__walk_close(struct es__walk *walk);

/*
 * es__walk_next - go to the next operation
 *
 * Returns	true: each lane has its tuple; false: there are no more
 */
bool es__walk_next(struct es__walk *walk);

/*
 * es__walk_range - the sequence numbers that collectors may have in common
 *
 * Returns	the range; empty when a collector has no operation
 */
struct es__range es__walk_range(const struct es_analysis *analysis,
    const uint32_t *collectors, uint32_t count);

/* Number of operations in a block; ranges are processed block by block. */
#define ES__BLOCK_OPERATIONS (1u << 18)

static inline uint64_t
es__range_blocks(struct es__range range)
{
	return (range.end - range.begin + ES__BLOCK_OPERATIONS - 1) /
	    ES__BLOCK_OPERATIONS;
}

static inline struct es__range
es__range_block(struct es__range range, uint64_t block)
{
	uint64_t begin = range.begin + block * ES__BLOCK_OPERATIONS;
	uint64_t end = begin + ES__BLOCK_OPERATIONS;

	return (struct es__range){ begin, end < range.end ? end : range.end };
}

#endif
