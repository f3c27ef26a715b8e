/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/request_private.h - keeps the open requests of a rank
 *
 * Hash table with linear probing, by the number of a request.  At least half of
 * its slots are free.  It holds only open requests, so it stays in the cache.
 */

#ifndef SCOPES_MPI_REQUEST_PRIVATE_H
#define SCOPES_MPI_REQUEST_PRIVATE_H

#include "libpaths/status.h"

#include <stdint.h>

/* A request. */
struct es__mpi_request {
	uint32_t number; /* from 1; 0: no request */
	/* Indices of its send, receive and collective, or PATHS_NONE. */
	uint32_t send, receive, entry;
	uint32_t ring, n; /* the tuple that made or started it */
};

struct es__mpi_requests {
	struct es__mpi_request *slots;
	uint32_t mask; /* of slots: one less than a power of two */
	uint32_t count;
};

/*
 * es__mpi_requests_put - keep a request; replaces one with the same number
 *
 * requests	zeros at first; the caller frees its slots
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_requests_put(struct es__mpi_requests *requests,
    const struct es__mpi_request *request) PATHS_CHECKED;

/*
 * es__mpi_requests_find - the request of a number
 *
 * Returns	the request, valid until the next put or drop; NULL: there is
 *		none
 */
struct es__mpi_request *
es__mpi_requests_find(const struct es__mpi_requests *requests, uint32_t number);

/* Drops a request that es__mpi_requests_find returned. */
void es__mpi_requests_drop(struct es__mpi_requests *requests,
    struct es__mpi_request *request);

#endif
