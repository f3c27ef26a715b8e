/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/collective_private.h - hooks of collectives, and of what makes
 * communicators
 *
 * What is counted of a collective, and for whom, says mpi_pairs.h.  A call
 * says the bytes of one pair; one that says bytes per peer, or is on
 * neighbours, says all that it sends to others, or where it only receives, all
 * that it receives from them.
 *
 * Arguments that MPI ignores are not looked at, because they may be anything:
 * those of sending where the buffer is MPI_IN_PLACE, those for the root
 * elsewhere.  Types are asked for their size when MPI has accepted them.
 */

#ifndef COLLECTORS_MPI_COLLECTIVE_PRIVATE_H
#define COLLECTORS_MPI_COLLECTIVE_PRIVATE_H

#include "collectors/mpi/abi_private.h"
#include "collectors/mpi/comm_private.h"
#include "collectors/mpi/record_private.h"
#include "collectors/mpi/request_private.h"
#include "collectors/mpi_pairs.h"

/* Where the arguments of a collective tell its bytes. */
enum mpi_shape {
	MPI_SHAPE_NOTHING, /* no bytes */
	MPI_SHAPE_WHOLE,   /* count and type, also with MPI_IN_PLACE */
	MPI_SHAPE_BLOCK,   /* as sent; with MPI_IN_PLACE as received */
	MPI_SHAPE_GATHER,
	MPI_SHAPE_SCATTER,
	MPI_SHAPE_SIMPLE, /* before this one: blocks of one size */
	MPI_SHAPE_SHARE,  /* the block of each process of the own group */
	MPI_SHAPE_GATHERV,
	MPI_SHAPE_SCATTERV,
	MPI_SHAPE_ALLGATHERV,
	MPI_SHAPE_ALLTOALLV, /* and w */
	MPI_SHAPE_REDUCE_SCATTER,
	MPI_SHAPE_NEIGHBOR,
	MPI_SHAPE_NEIGHBORV /* and w */
};

#define MPI_SHAPE_OF 0x3fu
#define MPI_SHAPE_NONBLOCKING 0x40u
#define MPI_SHAPE_PERSISTENT 0x80u

extern const uint8_t mpi_shapes[]; /* by function */

/* The next collective of a communicator.  The program sees to it that they
   follow each other. */
static MPI_INLINE uint32_t
mpi_collective_number(struct mpi_comm *comm)
{
	uint32_t number =
	    1 + atomic_load_explicit(&comm->collectives, memory_order_relaxed);

	atomic_store_explicit(&comm->collectives, number, memory_order_relaxed);
	return number;
}

/*
 * A collective that is not recorded has its number all the same: ranks may be
 * switched off and on at different ones, and those that follow must have the
 * same numbers everywhere.  False: it is the inner call of one that has it;
 * else its inner calls are until the caller clears thread->outermost.
 */
static MPI_INLINE bool
mpi_collective_skip(struct mpi_thread *thread, mpi_handle handle,
    const void *here)
{
	struct mpi_comm *comm;

	if ((uintptr_t)here < thread->outermost)
		return false;
	comm = mpi_comm_find(thread, handle);
	if (comm != NULL)
		mpi_collective_number(comm);
	thread->outermost = (uintptr_t)here;
	return true;
}

/* The communicator and its next collective. */
static MPI_INLINE const struct mpi_comm *
mpi_collective_before(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	uint32_t number;

	if (__builtin_expect(comm == NULL, 0))
		return NULL;
	call->comm = comm->id;
	call->collective = true;
	number = mpi_collective_number(comm);
	/* Those that make a request have its number there. */
	if (mpi_shapes[call->function] <= MPI_SHAPE_OF)
		call->match = number;
	else
		call->tag = (int32_t)number;
	return comm;
}

/* The same of one with a root that is MPI_ROOT or MPI_PROC_NULL. */
void mpi_collective_other_root(struct mpi_call *call, int32_t root)
    __attribute__((cold));

static MPI_INLINE void
mpi_collective_before_rooted(struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *comm = mpi_collective_before(call, args);

	if (__builtin_expect(comm == NULL, 0))
		return;
	call->peer = mpi_comm_peer(comm, args->peer);
	if (args->peer == comm->rank && !comm->inter)
		call->flags |= ES_MPI_ROOT;
	else if (__builtin_expect(args->peer < 0, 0))
		mpi_collective_other_root(call, args->peer);
}

/* A type is only looked at where something is sent as it. */
static MPI_INLINE uint64_t
mpi_collective_size(int64_t count, mpi_handle type)
{
	return count <= 0 ? 0 : (uint64_t)count * mpi_type_bytes(type);
}

/* The bytes of a pair of one of the simple shapes; MPI_GATHER's root looks at
   what it receives, MPI_SCATTER's others do. */
static MPI_INLINE uint64_t
mpi_collective_block(const struct mpi_args *args, unsigned shape, bool root)
{
	bool second = (shape == MPI_SHAPE_BLOCK && args->in_place) ||
	    (shape == MPI_SHAPE_GATHER && root) ||
	    (shape == MPI_SHAPE_SCATTER && !root);

	if (shape == MPI_SHAPE_NOTHING)
		return 0;
	return second ? mpi_collective_size(args->count2, args->type2) :
			mpi_collective_size(args->count, args->type);
}

/* Whatever is not done below. */
void mpi_collective_end(struct mpi_call *call, const struct mpi_args *args,
    bool rooted);

/* Blocking ones that move blocks of one size are done here. */
static MPI_INLINE void
mpi_collective_after(struct mpi_call *call, const struct mpi_args *args,
    int result, bool rooted)
{
	unsigned how = mpi_shapes[call->function];

	if (__builtin_expect(result != 0 || !call->collective, 0))
		return;
	if (how < MPI_SHAPE_SIMPLE && (!rooted || args->peer >= 0)) {
		call->bytes =
		    mpi_collective_block(args, how, call->flags & ES_MPI_ROOT);
		if (call->mode & ES_MODE_MATRIX)
			mpi_count_collective(call->thread,
			    call->comm | (uint64_t)call->function << 32,
			    rooted ? args->peer : ES_MPI_ROOT_NONE,
			    call->bytes);
	} else {
		/* One by one, so that the arguments need not be in memory for
		   the calls above; the others mean nothing here. */
		struct mpi_args copy;

		copy.in_place = args->in_place;
		copy.count = args->count;
		copy.count2 = args->count2;
		copy.type = args->type;
		copy.type2 = args->type2;
		copy.peer = args->peer;
		copy.comm = args->comm;
		copy.counts = args->counts;
		copy.counts2 = args->counts2;
		copy.types = args->types;
		copy.types2 = args->types2;
		copy.count_width = args->count_width;
		copy.requests = args->requests;
		copy.request_count = args->request_count;
		copy.fortran = args->fortran;
		mpi_collective_end(call, &copy, rooted);
	}
}

#define MPI_HOOKS(role, rooted) \
	static MPI_INLINE void mpi_##role##_before(struct mpi_call *call, \
	    struct mpi_args *args) \
	{ \
		if (rooted) \
			mpi_collective_before_rooted(call, args); \
		else \
			(void)mpi_collective_before(call, args); \
	} \
	static MPI_INLINE void mpi_##role##_after(struct mpi_call *call, \
	    struct mpi_args *args, int result) \
	{ \
		mpi_collective_after(call, args, result, rooted); \
	}

MPI_HOOKS(barrier, false)
MPI_HOOKS(n_to_n, false)
MPI_HOOKS(scan, false)
MPI_HOOKS(neighbor, false)
MPI_HOOKS(one_to_n, true)
MPI_HOOKS(n_to_one, true)

#undef MPI_HOOKS

/* What makes, frees and names communicators; comm_hook.c. */
void mpi_comm_before(struct mpi_call *call, struct mpi_args *args);
void mpi_comm_after(struct mpi_call *call, struct mpi_args *args, int result);

/*
 * What the request of a persistent collective carries: count it each time it is
 * started, of which its tag tells then; it goes with the request.
 */
void mpi_collective_started(struct mpi_call *call, struct mpi_request *request);
void mpi_collective_forget(void *plan);

/*
 * What the request of MPI_Comm_idup carries (MPI_REQUEST_COMM): the
 * communicator is there when the request is complete; or never, when it is
 * freed before.
 */
void mpi_comm_arrived(struct mpi_thread *thread, void *later);
void mpi_comm_never(void *later);

#endif
