/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_cover_private.h - tells which MPI functions are searched for
 * waiting
 *
 * The time in calls that may wait for other ranks, but that no analysis
 * searches, is called uncovered.  Sentences about waiting state the share of
 * this time.  Only this file decides which calls these are: a new pattern is
 * one line in the table of wait_cover.c.
 */

#ifndef SCOPES_MPI_WAIT_COVER_PRIVATE_H
#define SCOPES_MPI_WAIT_COVER_PRIVATE_H

#include "collectors/mpi_function.h"

#include <stdbool.h>
#include <stdint.h>

/* Data from which waiting is found. */
enum es__wait_data {
	ES__WAIT_DATA_TRACE,   /* tuples, matched with those of other ranks */
	ES__WAIT_DATA_PROFILE, /* profile rows, by the minimum method */
	ES__WAIT_DATA_COUNT
};

enum es__wait_cover {
	ES__COVER_NONE,	  /* the call may wait, and no pattern applies */
	ES__COVER_LOCAL,  /* the call waits for no other rank */
	ES__COVER_PATTERN /* a pattern finds, or estimates, its waiting */
};

/*
 * es__wait_cover_of - tell how the waiting of a call is found
 *
 * For a call that completes requests, the result is that for sends and
 * receives; with ES_MPI_ELSE in flags, that for other operations.
 *
 * function	number of the function; unknown numbers are not covered
 * flags	a set of enum es_mpi_profile_flag; 0: not known
 *
 * Threads	any
 */
enum es__wait_cover es__wait_cover_of(uint32_t function, uint32_t flags,
    enum es__wait_data data);

/*
 * es__wait_cover_of_operation - tell how the waiting for an operation is found,
 * no matter which call completes it
 *
 * function	that began the operation: MPI_Allreduce, or MPI_Iallreduce that
 *		a Wait completes
 *
 * Threads	any
 */
enum es__wait_cover es__wait_cover_of_operation(uint32_t function,
    enum es__wait_data data);

#endif
