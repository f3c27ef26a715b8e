/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/args_private.h - arguments of a call in one form for all
 * bindings
 */

#ifndef COLLECTORS_MPI_ABI_ARGS_PRIVATE_H
#define COLLECTORS_MPI_ABI_ARGS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* A handle of any MPI; abi_private.h masks the bits that are not part of it. */
typedef uintptr_t mpi_handle;

/*
 * The arguments of a call that hooks read, whatever the binding.  Counts are
 * wide, handles are those of C, arrays are as the program passed them.
 */
struct mpi_args {
	/* Buffers are only compared with MPI_IN_PLACE and NULL. */
	bool in_place;
	int64_t count, count2; /* count2: on the receiving side */
	mpi_handle type, type2;
	int32_t peer, peer2; /* dest, source, target or root; the source of a
				Sendrecv is in peer2 */
	int32_t tag, tag2;   /* tag2: of the receive of a Sendrecv */
	mpi_handle comm;     /* or window, file */
	/* Arrays of a v or w form: int, or 8 bytes with a large count. */
	const void *counts, *counts2;
	const void *types, *types2; /* handles as wide as those of requests */
	uint32_t count_width;
	/* Array of requests, also for a call with one request. */
	void *requests;
	int64_t request_count;
	bool fortran; /* handles in arrays are Fortran's */
	/* Results.  The before-hook may replace an ignored status by its own
	   status, which the wrapper then passes on. */
	void *status; /* or statuses; NULL: the function has none */
	bool status_ignored;
	int *flag, *index, *outcount;
	int *indices;
	int32_t index_base; /* index of the first request; an index outside of
			       the array means that no request is complete */
	void *made; /* MPI stores the new communicator, window or file there */
	const void *other; /* group, op, name, message; collective: mpi_comm */
	int64_t number;	   /* partitions, colour, level, length of the name */
};

#endif
