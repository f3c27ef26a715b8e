/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/request.c - keeps the open requests of a rank
 */

#include "scopes/mpi/request_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

#define SLOTS_FIRST 64u

static uint32_t
request_home(const struct es__mpi_requests *r, uint32_t number)
{
	return number * UINT32_C(0x9e3779b1) & r->mask;
}

/* Returns the slot of a number, or the free one where it belongs. */
static struct es__mpi_request *
request_slot(const struct es__mpi_requests *r, uint32_t number)
{
	uint32_t n = request_home(r, number);

	while (r->slots[n].number != 0 && r->slots[n].number != number)
		n = (n + 1) & r->mask;
	return &r->slots[n];
}

static paths_status
request_grow(struct es__mpi_requests *r)
{
	uint32_t slots = r->slots == NULL ? SLOTS_FIRST : (r->mask + 1) * 2;
	struct es__mpi_requests larger = { .mask = slots - 1,
		.count = r->count };

	larger.slots = slots == 0 ? NULL : calloc(slots, sizeof(*r->slots));
	if (larger.slots == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for requests");
	for (uint32_t n = 0; r->slots != NULL && n <= r->mask; n++)
		if (r->slots[n].number != 0)
			*request_slot(&larger, r->slots[n].number) =
			    r->slots[n];
	free(r->slots);
	*r = larger;
	return PATHS_OK;
}

paths_status
es__mpi_requests_put(struct es__mpi_requests *r,
    const struct es__mpi_request *request)
{
	struct es__mpi_request *slot;

	if (r->slots == NULL || r->count >= (r->mask + 1) / 2) {
		paths_status st = request_grow(r);

		if (st != PATHS_OK)
			return st;
	}
	slot = request_slot(r, request->number);
	r->count += slot->number == 0;
	*slot = *request;
	return PATHS_OK;
}

struct es__mpi_request *
es__mpi_requests_find(const struct es__mpi_requests *r, uint32_t number)
{
	struct es__mpi_request *slot;

	if (r->slots == NULL || number == 0)
		return NULL;
	slot = request_slot(r, number);
	return slot->number == 0 ? NULL : slot;
}

/* Backward shift deletion: requests behind the hole move up. */
void
es__mpi_requests_drop(struct es__mpi_requests *r, struct es__mpi_request *at)
{
	uint32_t hole = (uint32_t)(at - r->slots);

	for (uint32_t n = (hole + 1) & r->mask; r->slots[n].number != 0;
	     n = (n + 1) & r->mask) {
		uint32_t home = request_home(r, r->slots[n].number);

		/* A request must not move before its home. */
		if (((n - home) & r->mask) < ((n - hole) & r->mask))
			continue;
		r->slots[hole] = r->slots[n];
		hole = n;
	}
	r->slots[hole].number = 0;
	r->count--;
}
