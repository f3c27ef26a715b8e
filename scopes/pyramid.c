/* SPDX-License-Identifier: MIT */
/*
 * scopes/pyramid.c - from buckets to the levels above them
 */

#include "scopes/pyramid_private.h"

#include "libpaths/log.h"

#include <endian.h>
#include <stdlib.h>

/* Operations in a bucket of level 0, about. */
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
	/* The moment span_ns is in the run too. */
	p.buckets = span / p.bucket_ns + 1;
	for (uint64_t n = p.buckets; n > ES_TIMELINE_TOP; n = (n + 1) / 2)
		p.levels++;
	return p;
}

/* What a level above the ground needs: a chunk, or all that it will have. */
static size_t
level_room(const struct es__pyramid *pyramid, uint32_t level)
{
	uint64_t buckets = ((pyramid->buckets - 1) >> level) + 1;

	return buckets < ES_TIMELINE_CHUNK ? (size_t)buckets :
					     ES_TIMELINE_CHUNK;
}

paths_status
es__tower_open(struct es__tower *tower, const struct es__pyramid *pyramid,
    uint32_t threads, struct es__ground *ground)
{
	*tower = (struct es__tower){ .pyramid = pyramid,
		.threads = threads > 0 ? threads : 1,
		.ground = ground };
	for (uint32_t l = 0; l < pyramid->levels; l++) {
		tower->levels[l] = l < ES__PYRAMID_SHARED ?
		    ground->levels[l] :
		    calloc(level_room(pyramid, l), sizeof(struct es__bucket));
		if (tower->levels[l] == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a timeline");
	}
	return PATHS_OK;
}

void
es__tower_close(struct es__tower *tower)
{
	for (uint32_t l = ES__PYRAMID_SHARED; l < ES__PYRAMID_LEVELS; l++)
		free(tower->levels[l]);
}

static struct es_timeline_bucket
bucket_pack(const struct es__bucket *bucket, double all_ns)
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

/* Give a level's chunk away, as far as it is filled. */
static paths_status
tower_send(struct es__tower *tower, uint32_t level,
    const struct es__chunk_to *to)
{
	struct es_timeline_bucket packed[ES_TIMELINE_CHUNK];
	const struct es__bucket *buckets = tower->levels[level];
	double all_ns = (double)tower->pyramid->bucket_ns *
	    (double)(UINT64_C(1) << level) * tower->threads;
	uint32_t count = tower->filled[level];

	for (uint32_t n = 0; n < count; n++)
		packed[n] = bucket_pack(&buckets[n], all_ns);
	tower->filled[level] = 0;
	return to->take(to->context, level, tower->chunks[level]++, packed,
	    count);
}

static struct es__bucket
bucket_sum(const struct es__bucket *a, const struct es__bucket *b)
{
	struct es__bucket sum = *a;

	es__bucket_add(&sum, b);
	return sum;
}

static paths_status
tower_push(struct es__tower *tower, uint32_t level, struct es__bucket bucket,
    const struct es__chunk_to *to)
{
	for (;; level++) {
		struct es__bucket *at =
		    &tower->levels[level][tower->filled[level]++];
		bool pair = tower->filled[level] % 2 == 0;
		paths_status st = PATHS_OK;

		*at = bucket;
		if (pair)
			bucket = bucket_sum(at - 1, at);
		if (tower->filled[level] == ES_TIMELINE_CHUNK)
			st = tower_send(tower, level, to);
		if (st != PATHS_OK || !pair ||
		    level + 1 == tower->pyramid->levels)
			return st;
	}
}

paths_status
es__tower_add(struct es__tower *tower, const struct es__bucket *buckets,
    uint32_t count, const struct es__chunk_to *to)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = tower_push(tower, 0, buckets[n], to);
	return st;
}

paths_status
es__tower_end(struct es__tower *tower, const struct es__chunk_to *to)
{
	paths_status st = PATHS_OK;

	for (uint32_t l = 0; st == PATHS_OK && l < tower->pyramid->levels;
	     l++) {
		uint32_t filled = tower->filled[l];

		/* A last bucket without its right neighbour. */
		if (filled % 2 == 1 && l + 1 < tower->pyramid->levels)
			st = tower_push(tower, l + 1,
			    tower->levels[l][filled - 1], to);
		if (st == PATHS_OK && filled > 0)
			st = tower_send(tower, l, to);
	}
	return st;
}
