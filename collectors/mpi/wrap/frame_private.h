/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/frame_private.h - steps of the wrappers of calls that are
 * not frequent
 *
 * Each function here does the same as the inline function with the name without
 * call_.  One copy of each keeps the wrappers of hundreds of procedures small
 * and quick to compile.
 */

#ifndef COLLECTORS_MPI_WRAP_FRAME_PRIVATE_H
#define COLLECTORS_MPI_WRAP_FRAME_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/wrap/next_private.h"

bool mpi_call_enter(struct mpi_call *call, uint32_t function,
    const void *address, const void *here, struct mpi_look look);
void mpi_call_begin(struct mpi_call *call);
void mpi_call_end(struct mpi_call *call);
void mpi_call_leave(struct mpi_call *call);

bool mpi_call_collective_skip(struct mpi_thread *thread, mpi_handle comm,
    const void *here, bool plain);

/* The hooks of a role; collective and rooted are those of all collectives. */
#define MPI_CALL_HOOKS(role) \
	void mpi_call_##role##_before(struct mpi_call *call, \
	    struct mpi_args *args); \
	void mpi_call_##role##_after(struct mpi_call *call, \
	    struct mpi_args *args, int result);

MPI_CALL_HOOKS(send)
MPI_CALL_HOOKS(recv)
MPI_CALL_HOOKS(sendrecv)
MPI_CALL_HOOKS(isend)
MPI_CALL_HOOKS(irecv)
MPI_CALL_HOOKS(isendrecv)
MPI_CALL_HOOKS(collective)
MPI_CALL_HOOKS(rooted)
MPI_CALL_HOOKS(put)
MPI_CALL_HOOKS(get)

#undef MPI_CALL_HOOKS

#endif
