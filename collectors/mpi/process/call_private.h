/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/call_private.h - an MPI call while it is recorded
 *
 * A generated wrapper converts the arguments of every binding to struct
 * mpi_args, and does
 *
 *	look = mpi_look();
 *	if (!mpi_enter(&call, FUNCTION, caller, here, look))
 *		return forward(...);		off, nested, or no process
 *	before-hook of its role(&call, &args)	may replace statuses and flags
 *	mpi_begin(&call);			stamps, now readers see it
 *	result = forward(...);
 *	mpi_end(&call);				stamps
 *	after-hook of its role(&call, &args, result)
 *	mpi_leave(&call);			counts and keeps the tuple
 *
 * (record_private.h).  The program calls an entry stub, which tests first
 * whether anything is recorded (wrap/stub_private.h).  If hooks need to see
 * calls that are not recorded, the wrapper calls mpi_enter_unrecorded instead
 * of `return forward(...)`.  The remaining steps then run in mode 0, in which
 * mpi_begin, mpi_end and mpi_leave do nothing.
 *
 * Hooks set what the record will hold (peer, tag, bytes, comm, match, flags of
 * the call) and count messages.  They are chosen at compile time; those of
 * calls that begin to send or receive are static inline.  MPI_Wait and
 * MPI_Waitall mostly take a fast path of their own (wrap/wait_private.h).  No
 * hook communicates; MPI is called only by its PMPI_ names.
 */

#ifndef COLLECTORS_MPI_PROCESS_CALL_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_CALL_PRIVATE_H

#include "collectors/tuple.h"

#include <stdbool.h>
#include <stdint.h>

struct mpi_args;
struct mpi_thread;

/* A call in progress.  In frequent calls only inline functions are given its
   address, so that most of it stays in registers. */
struct mpi_call {
	struct mpi_thread *thread;
	const void *address;  /* return address in the program */
	uint64_t start, stop; /* ticks; 0 without trace and profile */
	uint64_t bytes;
	int32_t peer; /* in the world; -1: none, -2: MPI_PROC_NULL */
	int32_t tag;
	uint32_t match; /* number of a request, or of a collective */
	uint32_t site;
	uint32_t mode; /* when the call began */
	uint16_t function;
	uint16_t comm;		    /* id, see mpi_space.h */
	uint8_t flags;		    /* enum es_mpi_profile_flag */
	bool collective;	    /* its profile row is for `comm` only */
	struct es_tuple_mpi *tuple; /* reserved; NULL without trace */
	const void *here; /* stack address of an unrecorded call; else NULL */
};

/* The hooks of a role, before and after the call to MPI. */
typedef void mpi_before_hook(struct mpi_call *call, struct mpi_args *args);
typedef void mpi_after_hook(struct mpi_call *call, struct mpi_args *args,
    int result);

#endif
