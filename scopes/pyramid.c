/* SPDX-License-Identifier: MIT */
/*
 * scopes/pyramid.c - from buckets to the levels above them
 */

#include "scopes/pyramid_private.h"

#include "libpaths/log.h"

#include <endian.h>
#include <stdlib.h>

/* Operations in a bucket of level 0, about. */
#define EVENTS_A_BUCKET 8u

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

paths_status
es__tower_open(struct es__tower *tower, const struct es__pyramid *pyramid,
    uint32_t threads, struct es__chunk_to to)
{
	*tower = (struct es__tower){ .pyramid = pyramid,
		.threads = threads,
		.to = to };
	tower->levels = calloc((size_t)pyramid->levels * ES_TIMELINE_CHUNK,
	    sizeof(*tower->levels));
	return tower->levels ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
}

void
es__tower_close(struct es__tower *tower)
{
	free(tower->levels);
}

static struct es_timeline_bucket
bucket_pack(const struct es__bucket *bucket, uint64_t all_ns)
{
	double part = (double)bucket->covered_ns / (double)all_ns;
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
tower_send(struct es__tower *tower, uint32_t level)
{
	struct es_timeline_bucket packed[ES_TIMELINE_CHUNK];
	const struct es__bucket *buckets =
	    &tower->levels[(size_t)level * ES_TIMELINE_CHUNK];
	uint64_t all_ns = (tower->pyramid->bucket_ns << level) *
	    (tower->threads > 0 ? tower->threads : 1);
	uint32_t count = tower->filled[level];

	for (uint32_t n = 0; n < count; n++)
		packed[n] = bucket_pack(&buckets[n], all_ns);
	tower->filled[level] = 0;
	return tower->to.take(tower->to.context, level, tower->chunks[level]++,
	    packed, count);
}

static struct es__bucket
bucket_sum(const struct es__bucket *a, const struct es__bucket *b)
{
	uint32_t starts = a->starts + b->starts;

	return (struct es__bucket){
		.covered_ns = a->covered_ns + b->covered_ns,
		.starts = starts < a->starts ? UINT32_MAX : starts,
		.longest_ns = a->longest_ns > b->longest_ns ? a->longest_ns :
							      b->longest_ns,
	};
}

static paths_status
tower_push(struct es__tower *tower, uint32_t level, struct es__bucket bucket)
{
	for (;; level++) {
		struct es__bucket *at =
		    &tower->levels[(size_t)level * ES_TIMELINE_CHUNK +
			tower->filled[level]++];
		bool pair = tower->filled[level] % 2 == 0;
		paths_status st = PATHS_OK;

		*at = bucket;
		if (pair)
			bucket = bucket_sum(at - 1, at);
		if (tower->filled[level] == ES_TIMELINE_CHUNK)
			st = tower_send(tower, level);
		if (st != PATHS_OK || !pair ||
		    level + 1 == tower->pyramid->levels)
			return st;
	}
}

paths_status
es__tower_add(struct es__tower *tower, struct es__bucket bucket)
{
	return tower_push(tower, 0, bucket);
}

paths_status
es__tower_end(struct es__tower *tower)
{
	paths_status st = PATHS_OK;

	for (uint32_t l = 0; st == PATHS_OK && l < tower->pyramid->levels;
	     l++) {
		uint32_t filled = tower->filled[l];
		size_t last = (size_t)l * ES_TIMELINE_CHUNK + filled - 1;

		/* A last bucket without its right neighbour. */
		if (filled % 2 == 1 && l + 1 < tower->pyramid->levels)
			st = tower_push(tower, l + 1, tower->levels[last]);
		if (st == PATHS_OK && filled > 0)
			st = tower_send(tower, l);
	}
	return st;
}
