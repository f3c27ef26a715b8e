/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/table_private.h - wrappers of calls that are not
 * frequent, as data
 *
 * Such a wrapper is a constant structure and a function that fills in struct
 * mpi_args.  mpi_wrapper_run does the rest for all of them, so that hundreds of
 * procedures compile quickly.  The wrappers of frequent calls have the same
 * steps inline.
 */

#ifndef COLLECTORS_MPI_WRAP_TABLE_PRIVATE_H
#define COLLECTORS_MPI_WRAP_TABLE_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/process/call_private.h"
#include "collectors/mpi/wrap/next_private.h"

/* Most words that mpi_wrapper_run passes on. */
#define MPI_WRAPPER_WORDS 16

enum mpi_wrapper_kind {
	MPI_WRAPPER_PLAIN,  /* no hooks */
	MPI_WRAPPER_HOOKED, /* hooks while the call is recorded */
	MPI_WRAPPER_ALWAYS, /* hooks of each call: it makes or frees a handle */
	MPI_WRAPPER_PENDING /* hooks while there are recorded requests */
};

/* Indices of words are -1 if there is no such word. */
struct mpi_wrapper {
	uint16_t function;
	uint8_t kind;  /* enum mpi_wrapper_kind */
	uint8_t count; /* words, with ierror and hidden lengths */
	int8_t error;  /* ierror of Fortran */
	int8_t status; /* status or statuses, which a hook may replace */
	int8_t comm;   /* communicator of a collective */
	void (*fill)(struct mpi_args *args, mpi_word *a,
	    enum mpi_form form); /* NULL: no argument is used */
	mpi_before_hook *before;
	mpi_after_hook *after;
};

/*
 * Records a call and passes it on.
 *
 * a		the words of the call, in an array of 6, or of MPI_WRAPPER_WORDS
 *		where there are more; may be changed
 * caller	return address in the program
 *
 * Returns the result of a form of C.
 */
int mpi_wrapper_run(const struct mpi_wrapper *w, mpi_word *a,
    enum mpi_form form, const void *caller);

#endif
