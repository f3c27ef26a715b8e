/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_trace.h - MPI traces in memory whose every number is known
 *
 * A tick is 1 ns, and the clocks of all ranks are one.  Ranks are those of a
 * world, all ended in good order; nothing is lost.  What goes wrong ends the
 * test.
 */

#ifndef TESTS_SCOPES_FAKE_TRACE_H
#define TESTS_SCOPES_FAKE_TRACE_H

#include "scopes/mpi_trace.h"

struct fake_trace;

/* Rings 0 .. ranks - 1 are of these ranks. */
struct fake_trace *fake_trace_create(uint32_t ranks);
void fake_trace_free(struct fake_trace *fake);

/* Another communicator; its id at all its members, none: each rank is alone in
   one of its own.  first: as in struct
   es_mpi_trace_comm. */
uint16_t fake_trace_comm(struct fake_trace *fake, const uint32_t *members,
    uint32_t count, uint32_t first);

/* Another thread of a rank; its ring.  A ring takes up to 2^20 tuples. */
uint32_t fake_trace_thread(struct fake_trace *fake, uint32_t rank);

/* The n oldest tuples of a ring were discarded. */
void fake_trace_discard(struct fake_trace *fake, uint32_t ring, uint64_t n);

/* The rank did not end in good order. */
void fake_trace_break(struct fake_trace *fake, uint32_t rank);

/* The clock of a rank is wrong by that much. */
void fake_trace_skew(struct fake_trace *fake, uint32_t rank, int64_t ns);

/* What a rank says of a request that is started. */
void fake_trace_plan(struct fake_trace *fake, uint32_t rank, uint32_t request,
    uint32_t number);

/* Calls that were not traced. */
void fake_trace_gap(struct fake_trace *fake, uint32_t ring, uint32_t calls);

/* A call.  comm 0 is the world. */
void fake_trace_call(struct fake_trace *fake, uint32_t ring, const char *name,
    struct es_tuple_mpi tuple);

/* A tuple that belongs to the last call. */
void fake_trace_belonging(struct fake_trace *fake, uint32_t ring,
    const char *name, struct es_tuple_mpi tuple);

/* What was recorded, to be opened and closed by the caller. */
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
