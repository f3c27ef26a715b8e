/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/error_private.h - functions of MPICH that handle errors
 *
 * MPICH calls these in place of its own.  object: the communicator, or window,
 * of a call; function: its name; code: the error.  They return what the call
 * returns, unless the handler ends the program.
 */

#ifndef COLLECTORS_MPI_WRAP_ERROR_PRIVATE_H
#define COLLECTORS_MPI_WRAP_ERROR_PRIVATE_H

int MPIR_Err_return_comm(void *comm, const char *function, int code)
    __attribute__((visibility("default")));
int MPIR_Err_return_win(void *win, const char *function, int code)
    __attribute__((visibility("default")));

#endif
