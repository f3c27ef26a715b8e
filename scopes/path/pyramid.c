/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/pyramid.c - makes the levels of detail of a timeline from its
 * buckets
 */

#include "scopes/path/pyramid_private.h"

#include "libpaths/log.h"

#include <endian.h>
#include <stdlib.h>

/* Mean number of operations in a bucket of level 0. */
#define EVENTS_A_BUCKET 4u

struct es__pyramid
es__pyramid_shape(int64_t span_ns, uint64_t events)
{
	struct es__pyramid p = { .bucket_ns = 1, .levels = 1 };
	uint64_t span = span_ns > 0 ? (uint64_t)span_ns : 1;
	uint64_t most = events / EVENTS_A_BUCKET;

	if (most < ES_TIMELINE_TOP)
		most = ES_TIMELINE_TOP;
	while (span / p.bucket_ns > most)
		p.bucket_ns *= 2;
	/* The time span_ns is part of the run, so round up. */
	p.buckets = span / p.bucket_ns + 1;
	for (uint64_t n = p.buckets; n > ES_TIMELINE_TOP; n = (n + 1) / 2)
		p.levels++;
	return p;
}

/* Returns how many buckets of a level are kept in memory: a chunk, or all that
   the level has. */
static size_t
level_room(const struct es__pyramid *pyramid, uint32_t level)
{
	uint64_t buckets = ((pyramid->buckets - 1) >> level) + 1;

	return buckets < ES_TIMELINE_CHUNK ? (size_t)buckets :
					     ES_TIMELINE_CHUNK;
}

paths_status
es__pyramid_open(struct es__pyramid_row *row, const struct es__pyramid *pyramid,
    uint32_t threads, struct es__pyramid_sums *sums)
{
	*row = (struct es__pyramid_row){ .pyramid = pyramid,
		.threads = threads > 0 ? threads : 1,
		.sums = sums };
	for (uint32_t l = ES__PYRAMID_SHARED; l < pyramid->levels; l++) {
		row->levels[l] = calloc(level_room(pyramid, l),
		    sizeof(struct es__pyramid_bucket));
		if (row->levels[l] == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a timeline");
	}
	return PATHS_OK;
}

void
es__pyramid_close(struct es__pyramid_row *row)
{
	for (uint32_t l = ES__PYRAMID_SHARED; l < ES__PYRAMID_LEVELS; l++)
		free(row->levels[l]);
}

static struct es_timeline_bucket
bucket_pack(const struct es__pyramid_bucket *bucket, double all_ns)
{
	double part = (double)bucket->covered_ns / all_ns;
	uint32_t starts =
	    bucket->starts < UINT16_MAX ? bucket->starts : UINT16_MAX;

	if (part > 1)
		part = 1;
	return (struct es_timeline_bucket){
		.covered = htole16((uint16_t)(part * UINT16_MAX + 0.5)),
		.starts = htole16((uint16_t)starts),
		.longest_ns = htole32(bucket->longest_ns),
	};
}

/* Hands out the next chunk of a level. */
static paths_status
row_send(struct es__pyramid_row *row, uint32_t level,
    const struct es__pyramid_bucket *buckets, uint32_t count,
    const struct es__pyramid_chunk_to *to)
{
	struct es_timeline_bucket packed[ES_TIMELINE_CHUNK];
	double all_ns = (double)row->pyramid->bucket_ns *
	    (double)(UINT64_C(1) << level) * row->threads;

	for (uint32_t n = 0; n < count; n++)
		packed[n] = bucket_pack(&buckets[n], all_ns);
	return to->take(to->context, level, row->chunks[level]++, packed,
	    count);
}

static struct es__pyramid_bucket
bucket_sum(const struct es__pyramid_bucket *a,
    const struct es__pyramid_bucket *b)
{
	struct es__pyramid_bucket sum = *a;

	es__pyramid_bucket_add(&sum, b);
	return sum;
}

/* Adds a bucket to a level that is not shared; adds the sum of two buckets to
   the next level, and so on. */
static paths_status
row_push(struct es__pyramid_row *row, uint32_t level,
    struct es__pyramid_bucket bucket, const struct es__pyramid_chunk_to *to)
{
	for (; level < row->pyramid->levels; level++) {
		struct es__pyramid_bucket *chunk = row->levels[level];
		uint32_t filled = ++row->filled[level];
		paths_status st = PATHS_OK;

		chunk[filled - 1] = bucket;
		if (filled % 2 == 0)
			bucket = bucket_sum(&chunk[filled - 2], &bucket);
		if (filled == ES_TIMELINE_CHUNK) {
			row->filled[level] = 0;
			st = row_send(row, level, chunk, filled, to);
		}
		if (st != PATHS_OK || filled % 2 == 1)
			return st;
	}
	return PATHS_OK;
}

/* Makes the buckets of the next level; returns their count.  The last bucket
   may have no right neighbour. */
static uint32_t
buckets_sum(const struct es__pyramid_bucket *buckets, uint32_t count,
    struct es__pyramid_bucket *sums)
{
	for (uint32_t n = 0; n < count / 2; n++)
		sums[n] = bucket_sum(&buckets[2 * n], &buckets[2 * n + 1]);
	if (count % 2 == 1)
		sums[count / 2] = buckets[count - 1];
	return (count + 1) / 2;
}

paths_status
es__pyramid_add(struct es__pyramid_row *row,
    const struct es__pyramid_bucket *buckets, uint32_t count,
    const struct es__pyramid_chunk_to *to)
{
	uint32_t level = 0;
	paths_status st = PATHS_OK;

	for (; level < ES__PYRAMID_SHARED && level < row->pyramid->levels;
	     level++) {
		for (uint32_t n = 0; st == PATHS_OK && n < count;
		     n += ES_TIMELINE_CHUNK)
			st = row_send(row, level, &buckets[n],
			    count - n < ES_TIMELINE_CHUNK ? count - n :
							    ES_TIMELINE_CHUNK,
			    to);
		count = buckets_sum(buckets, count, row->sums->buckets);
		buckets = row->sums->buckets;
	}
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = row_push(row, level, buckets[n], to);
	return st;
}

paths_status
es__pyramid_end(struct es__pyramid_row *row,
    const struct es__pyramid_chunk_to *to)
{
	paths_status st = PATHS_OK;

	for (uint32_t l = ES__PYRAMID_SHARED;
	     st == PATHS_OK && l < row->pyramid->levels; l++) {
		const struct es__pyramid_bucket *chunk = row->levels[l];
		uint32_t filled = row->filled[l];

		/* The last bucket may have no right neighbour. */
		if (filled % 2 == 1)
			st = row_push(row, l + 1, chunk[filled - 1], to);
		if (st == PATHS_OK && filled > 0)
			st = row_send(row, l, chunk, filled, to);
	}
	return st;
}
