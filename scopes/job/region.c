/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/region.c - memory of one rank that all ranks read
 */

#include "scopes/job/region_private.h"

#include "scopes/job/fault_private.h"
#include "scopes/job/send_private.h"

#include "libpaths/base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static size_t
region_pieces(const struct es__region *region)
{
	return (region->bytes + ES__REGION_PIECE - 1) / ES__REGION_PIECE;
}

/* Adds a region to the list.  Called with the lock. */
static paths_status
region_append(struct es__job *job, const struct es__region *region)
{
	struct es__regions *regions = job->regions;

	if (!paths__array_grow(&regions->list, regions->count, &regions->room,
		sizeof(*regions->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a region");
	regions->list[regions->count++] = *region;
	return PATHS_OK;
}

paths_status
es__region_add(uint32_t owner, const void *base, size_t bytes, bool everywhere)
{
	struct es__job *job = es__member;
	struct es__region region = { .base = (uint8_t *)base,
		.bytes = bytes,
		.owner = owner,
		.here = true,
		.everywhere = everywhere };
	paths_status st;

	pthread_mutex_lock(&job->lock);
	st = region_append(job, &region);
	pthread_mutex_unlock(&job->lock);
	return st;
}

/* Waits until a region that is fetched whole is there. */
static paths_status
region_wait(struct es__job *job, size_t n)
{
	paths_status st;

	pthread_mutex_lock(&job->lock);
	while (job->regions->list[n].missing > 0 && job->failed == PATHS_OK)
		pthread_cond_wait(&job->moved, &job->lock);
	st = job->failed == PATHS_OK ?
	    PATHS_OK :
	    paths_log_fail(job->failed, "%s", job->text);
	pthread_mutex_unlock(&job->lock);
	return st;
}

paths_status
es__region_map(uint32_t owner, size_t bytes, void **base)
{
	struct es__job *job = es__member;
	struct es__region region = { .bytes = bytes, .owner = owner };
	size_t pieces = region_pieces(&region), n;
	paths_status st;

	region.base =
	    mmap(NULL, pieces * ES__REGION_PIECE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	region.pieces = calloc(pieces, 1);
	if (region.base == MAP_FAILED || region.pieces == NULL) {
		if (region.base != MAP_FAILED)
			munmap(region.base, pieces * ES__REGION_PIECE);
		free(region.pieces);
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %zu bytes of another rank", bytes);
	}
	pthread_mutex_lock(&job->lock);
	n = job->regions->count;
	st = region_append(job, &region);
	if (st == PATHS_OK)
		st = es__fault_watch(job, &job->regions->list[n]);
	pthread_mutex_unlock(&job->lock);
	if (st != PATHS_OK)
		return st;
	*base = region.base;
	es__member_wake(job);
	return region_wait(job, n);
}

static void
region_unmap(struct es__region *region)
{
	if (region->pieces != NULL)
		munmap(region->base, region_pieces(region) * ES__REGION_PIECE);
	free(region->pieces);
	region->pieces = NULL;
	region->base = NULL;
}

void
es__region_drop(const void *base)
{
	struct es__job *job = es__member;

	if (job == NULL || base == NULL)
		return;
	pthread_mutex_lock(&job->lock);
	for (size_t n = 0; n < job->regions->count; n++)
		if (job->regions->list[n].base == base)
			region_unmap(&job->regions->list[n]);
	pthread_mutex_unlock(&job->lock);
}

uint32_t
es__region_reader(const void *address)
{
	struct es__job *job = es__member;
	uint32_t owner = UINT32_MAX;

	pthread_mutex_lock(&job->lock);
	for (size_t n = 0; n < job->regions->count; n++) {
		const struct es__region *r = &job->regions->list[n];

		if (r->base == NULL || (const uint8_t *)address < r->base ||
		    (size_t)((const uint8_t *)address - r->base) >= r->bytes)
			continue;
		if (!r->everywhere)
			owner = r->owner;
		break;
	}
	pthread_mutex_unlock(&job->lock);
	return owner;
}

/* Copies bytes of a region; false: it is gone, or the bytes are outside. */
static bool
region_read(struct es__job *job, const struct es__control *asked, void *to)
{
	const struct es__region *r;
	bool found = false;

	pthread_mutex_lock(&job->lock);
	if (asked->region < job->regions->count) {
		r = &job->regions->list[asked->region];
		found = r->base != NULL && r->here &&
		    asked->offset < r->bytes &&
		    asked->bytes <= r->bytes - asked->offset;
	}
	/* With the lock, so that the region is not dropped meanwhile. */
	if (found)
		memcpy(to, r->base + asked->offset, asked->bytes);
	pthread_mutex_unlock(&job->lock);
	return found;
}

void
es__region_serve(struct es__job *job, uint32_t from,
    const struct es__control *asked)
{
	size_t bytes =
	    asked->bytes <= ES__REGION_PIECE ? asked->bytes : ES__REGION_PIECE;
	struct es__control *answer = malloc(sizeof(*answer) + bytes);

	if (answer == NULL) {
		job->exchange->abort();
		return;
	}
	*answer = *asked;
	answer->kind = ES__CONTROL_BYTES;
	answer->status = PATHS_OK;
	if (!region_read(job, asked, answer + 1)) {
		answer->status = PATHS_ECLOSED;
		bytes = 0;
	}
	es__send_control(job, from, answer, bytes);
}

void
es__region_fini(struct es__job *job)
{
	for (size_t n = 0; n < job->regions->count; n++)
		if (job->regions->list[n].pieces != NULL)
			region_unmap(&job->regions->list[n]);
	free(job->regions->list);
}
