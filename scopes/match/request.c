/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/request.c - keeps the open requests of a rank
 */

#include "scopes/match/request_private.h"

#include "libpaths/log.h"

static bool
request_used(const void *item)
{
	return ((const struct es__mpi_request *)item)->number != 0;
}

static uint64_t
request_hash(const void *item)
{
	return ((const struct es__mpi_request *)item)->number *
	    UINT32_C(0x9e3779b1);
}

static bool
request_equal(const void *a, const void *b)
{
	return ((const struct es__mpi_request *)a)->number ==
	    ((const struct es__mpi_request *)b)->number;
}

static const struct paths__hash_kind request_kind = {
	.bytes = sizeof(struct es__mpi_request),
	.used = request_used,
	.hash = request_hash,
	.equal = request_equal,
};

paths_status
es__mpi_requests_put(struct paths__hash *requests,
    const struct es__mpi_request *request)
{
	struct es__mpi_request *slot =
	    paths__hash_put(requests, &request_kind, request);

	if (slot == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for requests");
	*slot = *request;
	return PATHS_OK;
}

struct es__mpi_request *
es__mpi_requests_find(const struct paths__hash *requests, uint32_t number)
{
	const struct es__mpi_request key = { .number = number };

	return number == 0 ? NULL :
			     paths__hash_find(requests, &request_kind, &key);
}

void
es__mpi_requests_drop(struct paths__hash *requests, struct es__mpi_request *at)
{
	paths__hash_drop(requests, &request_kind, at);
}
