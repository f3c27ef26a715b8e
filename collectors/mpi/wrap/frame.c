/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/frame.c - steps of the wrappers of calls that are not
 * frequent
 */

#include "collectors/mpi/wrap/frame_private.h"

#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/call/p2p_private.h"
#include "collectors/mpi/call/window_private.h"
#include "collectors/mpi/wrap/wrap_private.h"

bool
mpi_call_enter(struct mpi_call *call, uint32_t function, const void *address,
    const void *here, struct mpi_look look)
{
	return mpi_enter(call, function, address, here, look);
}

void
mpi_call_begin(struct mpi_call *call)
{
	mpi_begin(call);
}

void
mpi_call_end(struct mpi_call *call)
{
	mpi_end(call);
}

void
mpi_call_leave(struct mpi_call *call)
{
	mpi_leave(call);
}

bool
mpi_call_collective_skip(struct mpi_thread *thread, mpi_handle comm,
    const void *here, bool plain)
{
	return mpi_collective_skip(thread, comm, here, plain);
}

/* hook: name of the inline hooks */
#define FRAME_HOOKS(role, hook) \
	void mpi_call_##role##_before(struct mpi_call *call, \
	    struct mpi_args *args) \
	{ \
		mpi_##hook##_before(call, args); \
	} \
	void mpi_call_##role##_after(struct mpi_call *call, \
	    struct mpi_args *args, int result) \
	{ \
		mpi_##hook##_after(call, args, result); \
	}

FRAME_HOOKS(send, send)
FRAME_HOOKS(recv, recv)
FRAME_HOOKS(sendrecv, sendrecv)
FRAME_HOOKS(isend, isend)
FRAME_HOOKS(irecv, irecv)
FRAME_HOOKS(isendrecv, isendrecv)
FRAME_HOOKS(collective, n_to_n)
FRAME_HOOKS(rooted, one_to_n)
FRAME_HOOKS(put, put)
FRAME_HOOKS(get, get)
