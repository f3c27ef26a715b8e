/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/inner_private.h - the call that a Fortran call is made of
 *
 * Some MPIs have Fortran procedures that call the one of C by its MPI_ name,
 * which comes to us again.  That call is no other than the first, unlike one
 * that a callback makes.
 */

#ifndef COLLECTORS_MPI_INNER_PRIVATE_H
#define COLLECTORS_MPI_INNER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of this thread: the Fortran procedure that it is in, and where that one's
   new or freed handle stands.  0: none. */
struct mpi_inner {
	uint32_t function;
	const void *made;
};

extern __thread struct mpi_inner mpi_inner
    __attribute__((tls_model("initial-exec")));

static inline void
mpi_inner_set(uint32_t function, const void *made)
{
	mpi_inner.function = function;
	mpi_inner.made = made;
}

/* Whether a nested call seems to be the inner one: a callback that calls the
   very procedure that it is called by is taken for it as well. */
static inline bool
mpi_inner_is(uint32_t function)
{
	return mpi_inner.function == function;
}

/* Whether it certainly is, by where its handle stands. */
static inline bool
mpi_inner_made(uint32_t function, const void *made)
{
	return mpi_inner.function == function && mpi_inner.made == made;
}

#endif
