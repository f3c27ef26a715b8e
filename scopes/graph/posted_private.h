/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/posted_private.h - tells which MPI calls post something that
 * others may wait for
 */

#ifndef SCOPES_GRAPH_POSTED_PRIVATE_H
#define SCOPES_GRAPH_POSTED_PRIVATE_H

#include "scopes/match/trace_private.h"

enum es__graph_posted {
	ES__GRAPH_POSTED_NOTHING,
	ES__GRAPH_POSTED_SEND = 1,
	ES__GRAPH_POSTED_RECEIVE = 2,
	ES__GRAPH_POSTED_BOTH = 3
};

/* Returns what a call posts.  A member of a collective posts as a sender
   does. */
enum es__graph_posted es__graph_posted(const struct es__mpi_kind *kind,
    const struct es_tuple_mpi *t);

/* Returns what a tuple that belongs to a call posts: the receive of a Sendrecv,
   or a persistent request that is started. */
enum es__graph_posted es__graph_posted_by(const struct es__mpi_kind *kind,
    const struct es_tuple_mpi *t);

#endif
