/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/request_private.h - keeps the open requests of a rank
 *
 * Hash table by the number of a request.  It holds only open requests, so it
 * stays in the cache.
 */

#ifndef SCOPES_MPI_REQUEST_PRIVATE_H
#define SCOPES_MPI_REQUEST_PRIVATE_H

#include "libpaths/base/hash.h"
#include "libpaths/status.h"

#include <stdint.h>

/* A request. */
struct es__mpi_request {
	uint32_t number; /* from 1; 0: no request */
	/* Indices of its send, receive and collective, or PATHS_NONE. */
	uint32_t send, receive, entry;
	uint32_t ring, n; /* the tuple that made or started it */
	bool access;	  /* the request is of an access to a window */
};

/*
 * es__mpi_requests_put - keep a request; replaces one with the same number
 *
 * requests	zeros at first; the caller frees its slots
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_requests_put(struct paths__hash *requests,
    const struct es__mpi_request *request) PATHS_CHECKED;

/*
 * es__mpi_requests_find - find a request by its number
 *
 * Returns	the request, valid until the next put or drop; NULL: there is
 *		none
 */
struct es__mpi_request *
es__mpi_requests_find(const struct paths__hash *requests, uint32_t number);

/* Drops a request that es__mpi_requests_find returned. */
void es__mpi_requests_drop(struct paths__hash *requests,
    struct es__mpi_request *request);

#endif
