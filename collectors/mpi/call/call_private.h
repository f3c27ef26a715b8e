/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/call_private.h - an MPI call, from its wrapper to its
 * record
 *
 * A generated wrapper brings the arguments of every binding into one shape,
 * struct mpi_args, and does
 *
 *	look = mpi_look();
 *	if (!mpi_enter(&call, FUNCTION, caller, here, look))
 *		return forward(...);		off, nested, or not known yet
 *	before-hook of its role(&call, &args)	may replace statuses and flags
 *	mpi_begin(&call);			stamps, now readers see it
 *	result = forward(...);
 *	mpi_end(&call);				stamps
 *	after-hook of its role(&call, &args, result)
 *	mpi_leave(&call);			counts and keeps the tuple
 *
 * (record_private.h).  The program calls an entry stub, which tests first
 * whether anything is recorded (wrap/stub_private.h).  Where hooks must learn
 * of calls that are not recorded, mpi_enter_unrecorded takes the place of the
 * forward behind mpi_enter, and the rest is done with mode 0, in which
 * mpi_begin, mpi_end and mpi_leave do nothing.
 *
 * Hooks set what the record shall say (peer, tag, bytes, comm, match, flags of
 * the call) and count messages.  They are chosen at compile time; those of
 * calls that begin to send or receive are static inline.  MPI_Wait and
 * MPI_Waitall mostly go a shorter way (wait_private.h).  Nothing in a hook
 * communicates; MPI is only ever asked by its PMPI_ names.
 */

#ifndef COLLECTORS_MPI_CALL_CALL_PRIVATE_H
#define COLLECTORS_MPI_CALL_CALL_PRIVATE_H

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/record.h"

#include <stdlib.h>
#include <string.h>

/* For what runs at every call: compilers think that it is too large. */
#define MPI_INLINE inline __attribute__((always_inline))
/* Of a variable: it is in this object, so its address need not be looked up. */
#define MPI_OWN __attribute__((visibility("hidden")))

/* Cleared memory for what calls look at, from the beginning of a cache line on:
   an entry that lies across two costs a call up to 7 ns.  To be freed; NULL:
   there is none. */
static inline void *
mpi_lines(size_t count, size_t bytes_each)
{
	size_t bytes = (count * bytes_each + 63) / 64 * 64;
	void *lines = aligned_alloc(64, bytes);

	return lines == NULL ? NULL : memset(lines, 0, bytes);
}

/* A handle of any MPI; only abi_private.h knows how much of it counts. */
typedef uintptr_t mpi_handle;

struct mpi_process; /* a rank: its space, world, communicators */
struct mpi_requests;
struct mpi_comms;
struct mpi_cells;
struct mpi_sites;

/*
 * What belongs to a thread.  A process has one of each for every thread that
 * called MPI; when ranks are threads (SMPI) each has a process of its own.
 */
struct mpi_thread {
	/* Where on the stack the outermost call is, the only one that is
	   recorded; 0: there is none.  A nested one lies below it; one that
	   does not was made after the outermost was left by a jump, as an
	   error handler may. */
	uintptr_t outermost;
	struct es_mpi_control *control; /* never NULL */
	struct es_mpi_thread *row;	/* never NULL */
	struct mpi_process *process;	/* NULL: before Init, or not recorded */
	uint32_t number;		/* within the process, from 0 */
	uint32_t seq;			/* of its next call */
	uint32_t function;		/* of the outermost call */
	struct es_record_ring ring;
	struct mpi_cells *cells;       /* cell.c */
	struct mpi_sites *sites;       /* site.c */
	struct mpi_requests *requests; /* request.c */
	struct mpi_comms *comms;       /* comm.c: the last one, and others */
	struct mpi_thread *next;       /* of the process, the one before */
};

/* A call on its way.  Where it is frequent nobody is given its address but
   what is inline, so that most of it never leaves the registers. */
struct mpi_call {
	struct mpi_thread *thread;
	const void *address;  /* where the program goes on */
	uint64_t start, stop; /* ticks; 0 without trace and profile */
	uint64_t bytes;
	int32_t peer; /* in the world; -1: none, -2: MPI_PROC_NULL */
	int32_t tag;
	uint32_t match; /* number of a request, or of a collective */
	uint32_t site;
	uint32_t mode; /* as it was when the call began */
	uint16_t function;
	uint16_t comm;		    /* id, see mpi_space.h */
	uint8_t flags;		    /* enum es_mpi_profile_flag */
	bool collective;	    /* its profile row is one of `comm` */
	struct es_tuple_mpi *tuple; /* reserved; NULL without trace */
	const void *here; /* its place on the stack, when it is not recorded */
};

/*
 * The arguments of a call that hooks look at, whatever the binding.  Counts
 * are wide, handles are those of C, arrays are as the program gave them.
 */
struct mpi_args {
	/* Buffers are only compared: with IN_PLACE, and with NULL. */
	bool in_place;
	int64_t count, count2; /* count2: on the receiving side */
	mpi_handle type, type2;
	int32_t peer, peer2; /* dest, target, root; source in peer2 */
	int32_t tag, tag2;
	mpi_handle comm; /* or window, file */
	/* Arrays of a v or w form: int, or 8 bytes with a large count. */
	const void *counts, *counts2;
	const void *types, *types2; /* handles as wide as those of requests */
	uint32_t count_width;
	/* Requests, as an array also where there is one. */
	void *requests;
	int64_t request_count;
	bool fortran; /* handles in arrays are Fortran's */
	/* Out; the before-hook may put its own in the place of an ignored
	   status, the wrapper hands on what stands here then. */
	void *status; /* or statuses; NULL where the function has none */
	bool status_ignored;
	int *flag, *index, *outcount;
	int *indices;
	int32_t index_base; /* what index and indices count from; one that
			       names no request then means none */
	void *made;	   /* where the new communicator or window will stand */
	const void *other; /* group, name, colour: what else a role needs */
	int64_t number;	   /* partitions, colour, level: likewise */
};

#endif
