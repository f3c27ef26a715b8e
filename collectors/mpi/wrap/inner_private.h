/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/inner_private.h - the function that a wrapper is calling
 *
 * Procedures of Fortran, and of tools preloaded after the interposer, call
 * those of C by their MPI_ or PMPI_ names, so the same call arrives a second
 * time.  This inner call is ignored, because a handle that it makes or frees is
 * that of the outer call.  Calls by callbacks are not inner calls.
 */

#ifndef COLLECTORS_MPI_WRAP_INNER_PRIVATE_H
#define COLLECTORS_MPI_WRAP_INNER_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* Function that this thread is calling, until its inner call is met; 0: none.
   Set by wrappers whose hooks also see calls that are not recorded. */
extern __thread __attribute__((tls_model("initial-exec"))) uint32_t mpi_inner;

/* Returns whether a call is the inner one.  Only the first call of the same
   function is: a callback of MPI_Comm_free may free another communicator. */
static inline bool
mpi_inner_met(uint32_t function)
{
	if (mpi_inner != function)
		return false;
	mpi_inner = 0;
	return true;
}

#endif
