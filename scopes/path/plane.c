/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/plane.c - makes the levels of detail of one class of a timeline
 */

#include "scopes/path/plane_private.h"

#include "libpaths/log.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of buckets of a chunk. */
static uint32_t
chunk_count(const struct es__plane *plane, uint32_t level, uint64_t chunk)
{
	uint64_t left = es__pyramid_buckets(plane->pyramid, level) -
	    chunk * ES_TIMELINE_CHUNK;

	return left < ES_TIMELINE_CHUNK ? (uint32_t)left : ES_TIMELINE_CHUNK;
}

paths_status
es__plane_open(struct es__plane *plane, const struct es__pyramid *pyramid,
    uint32_t threads)
{
	*plane = (struct es__plane){ .pyramid = pyramid,
		.first_level = plane->first_level,
		.threads = threads > 0 ? threads : 1 };
	for (uint32_t l = ES__PYRAMID_SHARED; l < pyramid->levels; l++) {
		plane->levels[l] =
		    calloc(chunk_count(plane, l, 0), sizeof(uint64_t));
		if (plane->levels[l] == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a timeline");
	}
	return PATHS_OK;
}

void
es__plane_close(struct es__plane *plane)
{
	for (uint32_t l = ES__PYRAMID_SHARED; l < ES__PYRAMID_LEVELS; l++)
		free(plane->levels[l]);
}

/* Hands out a chunk, unless it is 0. */
static paths_status
plane_send(const struct es__plane *plane, uint32_t level, uint64_t chunk,
    const uint64_t *ns, const struct es__plane_to *to)
{
	uint32_t count = chunk_count(plane, level, chunk);
	double scale = UINT16_MAX /
	    ((double)plane->pyramid->bucket_ns *
		(double)(UINT64_C(1) << level) * plane->threads);
	uint16_t shares[ES_TIMELINE_CHUNK];
	bool any = false;

	if (level < plane->first_level)
		return PATHS_OK;
	for (uint32_t n = 0; n < count; n++) {
		double share = (double)ns[n] * scale + 0.5;

		shares[n] = htole16(
		    (uint16_t)(share < UINT16_MAX ? share : UINT16_MAX));
		any |= ns[n] > 0;
	}
	return any ? to->take(to->context, level, chunk, shares, count) :
		     PATHS_OK;
}

/* Hands out the current chunk of a level, and clears it. */
static paths_status
plane_flush(struct es__plane *plane, uint32_t level,
    const struct es__plane_to *to)
{
	uint64_t chunk = plane->chunks[level];
	paths_status st;

	if (!plane->any[level])
		return PATHS_OK;
	st = plane_send(plane, level, chunk, plane->levels[level], to);
	memset(plane->levels[level], 0,
	    chunk_count(plane, level, 0) * sizeof(uint64_t));
	plane->any[level] = false;
	return st;
}

/* Adds time to bucket n of level ES__PYRAMID_SHARED, and to the buckets above
   it in all higher levels. */
static paths_status
plane_push(struct es__plane *plane, uint64_t n, uint64_t ns,
    const struct es__plane_to *to)
{
	paths_status st = PATHS_OK;

	for (uint32_t l = ES__PYRAMID_SHARED;
	     st == PATHS_OK && l < plane->pyramid->levels; l++, n /= 2) {
		if (n / ES_TIMELINE_CHUNK != plane->chunks[l]) {
			st = plane_flush(plane, l, to);
			plane->chunks[l] = n / ES_TIMELINE_CHUNK;
		}
		plane->levels[l][n % ES_TIMELINE_CHUNK] += ns;
		plane->any[l] = true;
	}
	return st;
}

/* Makes the times of the next level.  Returns their number.  `sums` may be
   `ns`. */
static uint32_t
plane_sum(const uint64_t *ns, uint32_t count, uint64_t *sums)
{
	for (uint32_t n = 0; n < count / 2; n++)
		sums[n] = ns[2 * n] + ns[2 * n + 1];
	if (count % 2 == 1)
		sums[count / 2] = ns[count - 1];
	return (count + 1) / 2;
}

paths_status
es__plane_add(struct es__plane *plane, uint64_t block, const uint64_t *ns,
    uint64_t *sums, const struct es__plane_to *to)
{
	uint64_t first = block * ES__PYRAMID_BLOCK;
	uint32_t count = es__pyramid_block_buckets(plane->pyramid, block);
	uint32_t level = 0;
	paths_status st = PATHS_OK;

	for (; st == PATHS_OK && level < ES__PYRAMID_SHARED &&
	     level < plane->pyramid->levels;
	     level++) {
		for (uint32_t n = 0; st == PATHS_OK && n < count;
		     n += ES_TIMELINE_CHUNK)
			st = plane_send(plane, level,
			    ((first >> level) + n) / ES_TIMELINE_CHUNK, ns + n,
			    to);
		count = plane_sum(ns, count, sums);
		ns = sums;
	}
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		if (ns[n] > 0)
			st = plane_push(plane, (first >> level) + n, ns[n], to);
	return st;
}

paths_status
es__plane_end(struct es__plane *plane, const struct es__plane_to *to)
{
	paths_status st = PATHS_OK;

	for (uint32_t l = ES__PYRAMID_SHARED;
	     st == PATHS_OK && l < plane->pyramid->levels; l++)
		st = plane_flush(plane, l, to);
	return st;
}
