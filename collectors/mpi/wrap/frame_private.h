/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/frame_private.h - steps of the wrappers of calls that are
 * not frequent
 *
 * Each function here calls the inline function whose name is the same without
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
mpi_before_hook mpi_call_send_before;
mpi_after_hook mpi_call_send_after;
mpi_before_hook mpi_call_recv_before;
mpi_after_hook mpi_call_recv_after;
mpi_before_hook mpi_call_sendrecv_before;
mpi_after_hook mpi_call_sendrecv_after;
mpi_before_hook mpi_call_isend_before;
mpi_after_hook mpi_call_isend_after;
mpi_before_hook mpi_call_irecv_before;
mpi_after_hook mpi_call_irecv_after;
mpi_before_hook mpi_call_isendrecv_before;
mpi_after_hook mpi_call_isendrecv_after;
mpi_before_hook mpi_call_collective_before;
mpi_after_hook mpi_call_collective_after;
mpi_before_hook mpi_call_rooted_before;
mpi_after_hook mpi_call_rooted_after;
mpi_before_hook mpi_call_put_before;
mpi_after_hook mpi_call_put_after;
mpi_before_hook mpi_call_get_before;
mpi_after_hook mpi_call_get_after;

#endif
