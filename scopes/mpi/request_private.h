/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/request_private.h - the requests of a rank that have not ended
 *
 * By their number; an open table, as large as twice the most that are open at
 * once, so that it stays in the cache however many there are in all.
 */

#ifndef SCOPES_MPI_REQUEST_PRIVATE_H
#define SCOPES_MPI_REQUEST_PRIVATE_H

#include "libpaths/status.h"

#include <stdint.h>

/* What a request is of: indices; NONE: nothing of that kind. */
struct es__mpi_request {
	uint32_t number; /* from 1; 0: no request */
	uint32_t send, receive, entry;
	uint32_t ring, n; /* the tuple that made or started it */
};

struct es__mpi_requests {
	struct es__mpi_request *slots;
	uint32_t mask; /* of slots: one less than a power of two */
	uint32_t count;
};

/*
 * es__mpi_requests_put - keep a request; takes the place of one of its number
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
 * Returns	where it is kept, until the next put or drop; NULL: there is
 *		none
 */
struct es__mpi_request *
es__mpi_requests_find(const struct es__mpi_requests *requests, uint32_t number);

/* Forget a request that es__mpi_requests_find found. */
void es__mpi_requests_drop(struct es__mpi_requests *requests,
    struct es__mpi_request *request);

#endif
