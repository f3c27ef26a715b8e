/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/inner_private.h - the call that a call is made of
 *
 * Fortran's procedures call those of C by their MPI_ or PMPI_ names, and so do
 * tools beneath us: the call comes to us again.  It is no other than the first,
 * unlike one that a callback makes, and what it makes or frees is that of the
 * first.
 */

#ifndef COLLECTORS_MPI_WRAP_INNER_PRIVATE_H
#define COLLECTORS_MPI_WRAP_INNER_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* The function that this thread is in, of those whose hooks learn of calls that
   are not recorded, until its inner call was met.  0: none. */
extern __thread uint32_t mpi_inner __attribute__((tls_model("initial-exec")));

/* Whether the call is the inner one.  The next of the same function is not: a
   callback of MPI_Comm_free may free another communicator. */
static inline bool
mpi_inner_met(uint32_t function)
{
	if (mpi_inner != function)
		return false;
	mpi_inner = 0;
	return true;
}

#endif
