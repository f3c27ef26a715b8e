/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/error.c - notes that MPICH handles an error of a call
 *
 * MPICH, and MPIs that are derived from it, handle the errors of calls on
 * communicators and windows in two functions, which they call by name.  If the
 * error ends the program, the launcher kills all ranks, so this note is all
 * that tells which one failed.  It is taken back when the handler returns.
 * Other MPIs have no such function.
 */

#include "collectors/mpi/wrap/error_private.h"

#include "collectors/mpi/abi/library_private.h"
#include "collectors/mpi/process/fatal_private.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef int error_handle(void *object, const char *function, int code);

static void *_Atomic error_next_comm, *_Atomic error_next_win;

static int
error_handled(void *_Atomic *next, const char *name, void *object,
    const char *function, int code)
{
	/* Relaxed: all threads find the same function. */
	void *found = atomic_load_explicit(next, memory_order_relaxed);
	error_handle *handle;

	if (found == NULL) {
		found = mpi_library_next(name);
		atomic_store_explicit(next, found, memory_order_relaxed);
	}
	if (found == NULL)
		return code;
	memcpy(&handle, &found, sizeof(handle));
	mpi_fatal_error(true);
	code = handle(object, function, code);
	mpi_fatal_error(false);
	return code;
}

int
MPIR_Err_return_comm(void *comm, const char *function, int code)
{
	return error_handled(&error_next_comm, "MPIR_Err_return_comm", comm,
	    function, code);
}

int
MPIR_Err_return_win(void *win, const char *function, int code)
{
	return error_handled(&error_next_win, "MPIR_Err_return_win", win,
	    function, code);
}
