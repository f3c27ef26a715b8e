/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_trace.h - makes MPI traces with known numbers in memory
 *
 * A tick is 1 ns, and all ranks have one clock.  Unless a test changes it, all
 * ranks are of one world and have finalized, and no tuple is lost.  A failure
 * ends the test.
 */

#ifndef TESTS_SCOPES_FAKE_TRACE_H
#define TESTS_SCOPES_FAKE_TRACE_H

#include "scopes/mpi_trace.h"

struct fake_trace;

/* Makes a trace of ranks, with rings 0 .. ranks - 1. */
struct fake_trace *fake_trace_create(uint32_t ranks);
void fake_trace_free(struct fake_trace *fake);

/* Adds a communicator; returns its id at all members. count 0: each rank is the
   only member of one of its own. first: as in struct es_mpi_trace_comm. */
uint16_t fake_trace_comm(struct fake_trace *fake, const uint32_t *members,
    uint32_t count, uint32_t first);

/* Adds a thread to a rank; returns its ring, of up to 2^20 tuples. */
uint32_t fake_trace_thread(struct fake_trace *fake, uint32_t rank);

/* Discards the n oldest tuples of a ring. */
void fake_trace_discard(struct fake_trace *fake, uint32_t ring, uint64_t n);

/* Lets a rank end without MPI_Finalize. */
void fake_trace_break(struct fake_trace *fake, uint32_t rank);

/* Lets the tuples of all ranks tell if the source of a receive was any. */
void fake_trace_sources_known(struct fake_trace *fake);

/* Sets the error of the clock of a rank. */
void fake_trace_skew(struct fake_trace *fake, uint32_t rank, int64_t ns);

/* Adds the plan of a request that a rank starts. */
void fake_trace_plan(struct fake_trace *fake, uint32_t rank, uint32_t request,
    uint32_t number);

/* Adds a set of the ranks that a call of a rank receives from; returns the peer
   that stands for it. */
int32_t fake_trace_sources(struct fake_trace *fake, uint32_t rank,
    const struct es_mpi_ranks *runs, uint32_t count);
/* Adds a group of ranks, which all ranks know; returns the peer of tuples that
   stands for it. */
int32_t fake_trace_group(struct fake_trace *fake, const int32_t *ranks,
    uint32_t count);

/* Leaves calls out of a ring: they were not traced. */
void fake_trace_gap(struct fake_trace *fake, uint32_t ring, uint32_t calls);

/* Adds a call; comm 0 is the world. */
void fake_trace_call(struct fake_trace *fake, uint32_t ring, const char *name,
    struct es_tuple_mpi tuple);

/* Adds a tuple that belongs to the last call. */
void fake_trace_belonging(struct fake_trace *fake, uint32_t ring,
    const char *name, struct es_tuple_mpi tuple);

/* Returns the input of a trace, which the caller opens and closes. */
const struct es_mpi_trace_input *fake_trace_input(struct fake_trace *fake);

#define FAKE_CALL(fake, ring, function, from, to, ...) \
	fake_trace_call(fake, ring, "MPI_" function, \
	    (struct es_tuple_mpi){ .start = (from), \
		.stop = (to), \
		__VA_ARGS__ })
#define FAKE_COMPLETED(fake, ring, ...) \
	fake_trace_belonging(fake, ring, "(completed)", \
	    (struct es_tuple_mpi){ __VA_ARGS__ })
#define FAKE_STARTED(fake, ring, function, ...) \
	fake_trace_belonging(fake, ring, "MPI_" function, \
	    (struct es_tuple_mpi){ __VA_ARGS__ })

#endif
