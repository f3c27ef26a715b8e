/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi_function.h - the table of MPI procedures
 *
 * Generated from collectors/mpi/abi/functions.def.  The number of a function,
 * `op` in tuples and `function` in rows, is its position there.  Lines are only
 * appended, so numbers keep their meaning.
 */

#ifndef COLLECTORS_MPI_FUNCTION_H
#define COLLECTORS_MPI_FUNCTION_H

#include "collectors/api.h"

#include <stdint.h>

PATHS_BEGIN_DECLS

/* The part that a call plays in communication. */
enum es_mpi_role {
	ES_MPI_ROLE_OTHER, /* none of those below */
	ES_MPI_ROLE_SEND,
	ES_MPI_ROLE_RECV,
	ES_MPI_ROLE_SENDRECV,
	ES_MPI_ROLE_ISEND,
	ES_MPI_ROLE_IRECV,
	ES_MPI_ROLE_ISENDRECV,
	ES_MPI_ROLE_SEND_INIT,
	ES_MPI_ROLE_RECV_INIT,
	ES_MPI_ROLE_START,     /* also Startall */
	ES_MPI_ROLE_READY,     /* Pready and its forms */
	ES_MPI_ROLE_WAIT,      /* one request; Waitany */
	ES_MPI_ROLE_WAIT_MANY, /* Waitall, Waitsome */
	ES_MPI_ROLE_TEST,      /* Test, Testany, Testall, Testsome, Parrived,
				  Request_get_status */
	ES_MPI_ROLE_PROBE,
	ES_MPI_ROLE_IPROBE,
	ES_MPI_ROLE_REQUEST, /* Cancel, Request_free */
	ES_MPI_ROLE_BARRIER,
	ES_MPI_ROLE_N_TO_N,   /* Allreduce, Allgather, Alltoall, ... */
	ES_MPI_ROLE_ONE_TO_N, /* Bcast, Scatter */
	ES_MPI_ROLE_N_TO_ONE, /* Reduce, Gather */
	ES_MPI_ROLE_SCAN,
	ES_MPI_ROLE_NEIGHBOR,
	ES_MPI_ROLE_COMM,   /* makes, frees or names a communicator */
	ES_MPI_ROLE_PUT,    /* also accumulate */
	ES_MPI_ROLE_GET,    /* also those that fetch */
	ES_MPI_ROLE_WINDOW, /* makes, frees and synchronises windows */
	ES_MPI_ROLE_FILE,
	ES_MPI_ROLE_INIT,
	ES_MPI_ROLE_FINALIZE
};

#define ES_MPI_NONBLOCKING 1u	  /* ends when its request is complete */
#define ES_MPI_PERSISTENT 2u	  /* makes a request, to be started */
#define ES_MPI_VECTOR 4u	  /* has counts per peer: the v and w forms */
#define ES_MPI_FILE_COLLECTIVE 8u /* all that opened a file call it */

struct es_mpi_function {
	const char *name; /* "MPI_Send" */
	enum es_mpi_role role;
	uint32_t flags;
};

/* Not a function: a request completed by a call that completes several, or the
   receive of a Sendrecv.  Its tuple follows that of the call, and has the start
   and stop of the call. */
#define ES_MPI_COMPLETED 0u

/*
 * es_mpi_function - looks up a procedure by its number
 *
 * number	as in tuples and rows; ES_MPI_COMPLETED is "(completed)"
 *
 * Returns	the function; NULL when there is none of that number
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_function *es_mpi_function(uint32_t number);

/*
 * es_mpi_function_find - looks up the number of a procedure
 *
 * name	"MPI_Send"; a large-count form has the number of the short name
 *
 * Returns	the number; UINT32_MAX when there is none of that name
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_mpi_function_find(const char *name);

PATHS_END_DECLS

#endif
