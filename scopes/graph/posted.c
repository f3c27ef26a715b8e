/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/posted.c - tells which MPI calls post something that others may
 * wait for
 */

#include "scopes/graph/posted_private.h"

enum es__graph_posted
es__graph_posted(const struct es__mpi_kind *kind, const struct es_tuple_mpi *t)
{
	switch (kind->role) {
	case ES_MPI_ROLE_SEND:
	case ES_MPI_ROLE_SENDRECV:
	case ES_MPI_ROLE_ISEND:
		return t->peer >= 0 ? ES__GRAPH_POSTED_SEND :
				      ES__GRAPH_POSTED_NOTHING;
	case ES_MPI_ROLE_READY:
	case ES_MPI_ROLE_INIT:
	case ES_MPI_ROLE_FINALIZE:
		return ES__GRAPH_POSTED_SEND;
	case ES_MPI_ROLE_RECV:
		return es_mpi_match_request(t->match) == 0 ?
		    ES__GRAPH_POSTED_RECEIVE :
		    ES__GRAPH_POSTED_NOTHING;
	case ES_MPI_ROLE_IRECV:
		return ES__GRAPH_POSTED_RECEIVE;
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_IPROBE:
		return es_mpi_match_request(t->match) != 0 ?
		    ES__GRAPH_POSTED_RECEIVE :
		    ES__GRAPH_POSTED_NOTHING;
	case ES_MPI_ROLE_ISENDRECV:
		return ES__GRAPH_POSTED_BOTH;
	case ES_MPI_ROLE_WINDOW:
		return kind->rma == ES__MPI_RMA_MEET ? ES__GRAPH_POSTED_SEND :
						       ES__GRAPH_POSTED_NOTHING;
	default:
		return kind->file || (kind->collective && !kind->persistent) ?
		    ES__GRAPH_POSTED_SEND :
		    ES__GRAPH_POSTED_NOTHING;
	}
}

enum es__graph_posted
es__graph_posted_by(const struct es__mpi_kind *kind,
    const struct es_tuple_mpi *t)
{
	if (t->op == ES_MPI_COMPLETED)
		return t->match == 0 ? ES__GRAPH_POSTED_RECEIVE :
				       ES__GRAPH_POSTED_NOTHING;
	if (kind->role == ES_MPI_ROLE_RECV_INIT)
		return ES__GRAPH_POSTED_RECEIVE;
	return kind->role == ES_MPI_ROLE_SEND_INIT || kind->collective ?
	    ES__GRAPH_POSTED_SEND :
	    ES__GRAPH_POSTED_NOTHING;
}
