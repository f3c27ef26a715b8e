/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/p2p_private.h - hooks of point-to-point calls
 *
 * Messages count where they are known to be: a send when MPI has taken it, a
 * receive when its status says what came.  A send that is cancelled later
 * stays counted: it was asked for.  MPI_PROC_NULL is a call and no message.
 * Sizes are asked for when MPI has accepted the arguments, because asking
 * about a type that is none would call an error handler.
 *
 * A call always has a real status, ours where the program gives none; what the
 * program sees is what MPI wrote.
 */

#ifndef COLLECTORS_MPI_CALL_P2P_PRIVATE_H
#define COLLECTORS_MPI_CALL_P2P_PRIVATE_H

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/object/request_private.h"
#include "collectors/mpi/process/record_private.h"

#include <string.h>

/* As much as the status of any MPI takes. */
#define MPI_STATUS_WORDS 4

/* What a thread keeps for these hooks; thread->requests. */
struct mpi_requests {
	struct mpi_request_table *table;
	bool alone; /* below MPI_THREAD_MULTIPLE */

	/* Of the call that the thread is in, one for each of its requests. */
	int64_t room;
	mpi_handle *handles;	   /* 0: MPI_REQUEST_NULL */
	struct mpi_request *taken; /* handle 0: none is known */
	char *statuses;
	uintptr_t inside; /* where a call is that is not recorded; 0: nowhere */

	/* The message that the last probe found, until the next receive. */
	bool probed;
	mpi_handle probed_comm;
	int32_t probed_source;
	int32_t probed_tag;
};

/* For a call that the program gives no status. */
extern __thread uint64_t mpi_p2p_status[MPI_STATUS_WORDS]
    __attribute__((tls_model("initial-exec")));

/* Make it; NULL: no memory, or there is no process yet. */
struct mpi_requests *mpi_requests_make(struct mpi_thread *thread)
    __attribute__((cold));

static inline struct mpi_requests *
mpi_requests_get(struct mpi_thread *thread)
{
	if (__builtin_expect(thread->requests == NULL, 0))
		return mpi_requests_make(thread);
	return thread->requests;
}

/* Whether a call that completes requests must be looked at though it is not
   recorded: some may be left from when calls were. */
static inline bool
mpi_requests_pending(void)
{
	const struct mpi_thread *t = mpi_self;

	return t != NULL && t->requests != NULL && t->outermost == 0 &&
	    atomic_load_explicit(t->requests->table->count,
		memory_order_relaxed) != 0;
}

/* Make room for the requests of a call.  false: no memory. */
bool mpi_requests_reserve(struct mpi_requests *own, int64_t count)
    PATHS_CHECKED;

/*
 * The call made a request that ends what it began: draw its number, which is
 * call->match from now on, and remember what the call says of itself.  Also
 * for hooks of collectives, windows and files, after they have set that.
 */
void mpi_request_made(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind);
void mpi_request_made_rarely(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind) __attribute__((noinline));

/* What the call says of the request that it made. */
static MPI_INLINE void
mpi_request_fill(struct mpi_request *r, const struct mpi_call *call,
    enum mpi_request_kind kind)
{
	r->comm = NULL;
	r->plan = NULL;
	r->bytes = call->bytes;
	r->peer = call->peer;
	r->tag = call->tag;
	r->number = call->match;
	r->partitions = 0;
	r->later = 0;
	r->function = call->function;
	r->comm_id = call->comm;
	r->kind = (uint8_t)kind;
	/* Whoever waits for it does not wait for its message. */
	r->flags = call->flags & ES_MPI_READY ? MPI_REQUEST_READY : 0;
}

/* mpi_request_made, where it is frequent. */
static MPI_INLINE void
mpi_message_made(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	mpi_handle handle = mpi_args_request(args, 0);
	struct mpi_request *place = NULL;

	if (!mpi_sees_receives(call) && kind != MPI_REQUEST_COMM)
		return;
	if (__builtin_expect(own != NULL && handle != mpi_abi.request_null &&
		    (kind != MPI_REQUEST_RECV || call->peer != MPI_PEER_NONE),
		1))
		place = mpi_request_place(own->table, handle,
		    kind == MPI_REQUEST_SEND);
	if (__builtin_expect(place == NULL, 0)) {
		struct mpi_call same = *call;
		struct mpi_args with = *args;

		mpi_request_made_rarely(&same, &with, kind);
		call->match = same.match;
		return;
	}
	if (call->match == 0)
		call->match = mpi_request_number(own->table);
	mpi_request_fill(place, call, kind);
	place->handle = handle;
	mpi_request_placed(own->table);
}

/* The same of a collective that is to be started.  `plan` goes with it to
   mpi_collective_started at each start, and to mpi_collective_forget. */
void mpi_request_planned(struct mpi_call *call, const struct mpi_args *args,
    void *plan);

/* What a request holds is not needed any more. */
void mpi_request_forget(const struct mpi_request *request);

/* The two steps of that.  false: there is nothing to keep. */
bool mpi_request_describe(struct mpi_call *call, const struct mpi_args *args,
    enum mpi_request_kind kind, struct mpi_request *request) PATHS_CHECKED;
void mpi_request_keep(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_request *request);

/* The bytes that came, as a status says.  The slow way: ask MPI. */
uint64_t mpi_status_ask(const void *status);

static MPI_INLINE uint64_t
mpi_status_bytes(const void *status)
{
	uint64_t bytes;

	if (__builtin_expect(mpi_abi.status_count == 0, 0))
		return mpi_status_ask(status);
	memcpy(&bytes, (const char *)status + mpi_abi.status_count,
	    sizeof(bytes));
	return bytes;
}

/* Whether the last probe of the thread found what a call receives. */
bool mpi_p2p_was_probed(struct mpi_requests *own, mpi_handle comm,
    int32_t source, int32_t tag);

/* A receive of a matched message: what Mprobe knew of it. */
void mpi_p2p_take_message(struct mpi_call *call, const struct mpi_args *args);

static MPI_INLINE int32_t
mpi_p2p_peer(const struct mpi_comm *comm, int32_t rank)
{
	if (rank == mpi_abi.proc_null)
		return MPI_PEER_PROC_NULL;
	/* MPI_ANY_SOURCE is no rank either. */
	return mpi_comm_peer(comm, rank);
}

/* What was received. */
struct mpi_message {
	int32_t peer, tag;
	uint64_t bytes;
};

/* What a receive knows when it is over: sets peer, tag and bytes, and counts
   the message if it was one.  comm: of the call, for a receive from anybody. */
static MPI_INLINE void
mpi_p2p_received(const struct mpi_call *call, const struct mpi_comm *comm,
    const void *status, struct mpi_message *got)
{
	int32_t source = mpi_status_source(status);

	/* No message: an empty status has any source. */
	if (got->peer == MPI_PEER_PROC_NULL || source == mpi_abi.any_source)
		return;
	if (__builtin_expect(got->peer == MPI_PEER_NONE, 0))
		got->peer = mpi_p2p_peer(comm, source);
	got->tag = mpi_status_tag(status);
	got->bytes = mpi_status_bytes(status);
	if (got->peer >= 0 && (call->mode & ES_MODE_MATRIX))
		mpi_count_matrix(call->thread, got->peer,
		    ES_MPI_CATEGORY_RECEIVED, got->bytes);
}

static MPI_INLINE void
mpi_p2p_to(struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);

	if (comm != NULL)
		call->comm = comm->id;
	call->peer = mpi_p2p_peer(comm, args->peer);
	call->tag = args->tag;
}

/* MPI has taken what the call sends. */
static MPI_INLINE void
mpi_p2p_sent(struct mpi_call *call, const struct mpi_args *args)
{
	if (__builtin_expect(call->peer < 0, 0))
		return;
	call->bytes = (uint64_t)args->count * mpi_type_bytes(args->type);
	if (call->mode & ES_MODE_MATRIX)
		mpi_count_matrix(call->thread, call->peer, ES_MPI_CATEGORY_P2P,
		    call->bytes);
}

/* The source and tag that a receive asks for. */
static MPI_INLINE void
mpi_p2p_from(struct mpi_call *call, const struct mpi_args *args, int32_t source,
    int32_t tag)
{
	const struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	struct mpi_requests *own = call->thread->requests;

	if (comm != NULL)
		call->comm = comm->id;
	call->peer = mpi_p2p_peer(comm, source);
	call->tag = tag == mpi_abi.any_tag ? -1 : tag;
	if (__builtin_expect(own != NULL && own->probed, 0) &&
	    mpi_p2p_was_probed(own, args->comm, source, tag))
		call->flags |= ES_MPI_READY;
}

/* The same, unless the function is the one that receives a matched message. */
static MPI_INLINE void
mpi_p2p_from_or_taken(struct mpi_call *call, const struct mpi_args *args,
    uint32_t matched)
{
	struct mpi_call same;
	struct mpi_args with;

	if (call->function != matched) {
		mpi_p2p_from(call, args, args->peer, args->tag);
		return;
	}
	same = *call;
	with = *args;
	mpi_p2p_take_message(&same, &with);
	*call = same;
}

static MPI_INLINE void
mpi_p2p_need_status(struct mpi_args *args)
{
	if (args->status_ignored)
		args->status = mpi_p2p_status;
}

static MPI_INLINE void
mpi_send_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_to(call, args);
}

static MPI_INLINE void
mpi_send_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result == 0)
		mpi_p2p_sent(call, args);
}

static MPI_INLINE void
mpi_recv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_need_status(args);
	mpi_p2p_from_or_taken(call, args, MPI_FN_Mrecv);
}

static MPI_INLINE void
mpi_recv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	const struct mpi_comm *comm = NULL;
	struct mpi_message got = { .peer = call->peer, .tag = call->tag };

	if (result != 0 || !mpi_sees_receives(call))
		return;
	if (call->peer == MPI_PEER_NONE && call->function != MPI_FN_Mrecv)
		comm = mpi_comm_find(call->thread, args->comm);
	mpi_p2p_received(call, comm, args->status, &got);
	call->peer = got.peer;
	call->tag = got.tag;
	call->bytes = got.bytes;
}

/* It may receive what the last probe found. */
static MPI_INLINE void
mpi_p2p_forget_probe(const struct mpi_call *call)
{
	if (call->thread->requests != NULL)
		call->thread->requests->probed = false;
}

/* What it receives is in no tuple before it is there. */
static MPI_INLINE void
mpi_sendrecv_show(const struct mpi_call *call, const struct mpi_args *args)
{
	const struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	struct es_mpi_thread *row = call->thread->row;

	/* Relaxed: before `inside`, which tells of them. */
	atomic_store_explicit(&row->source, mpi_p2p_peer(comm, args->peer2),
	    memory_order_relaxed);
	atomic_store_explicit(&row->source_tag,
	    args->tag2 == mpi_abi.any_tag ? -1 : args->tag2,
	    memory_order_relaxed);
}

static MPI_INLINE void
mpi_sendrecv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_need_status(args);
	mpi_p2p_to(call, args);
	mpi_sendrecv_show(call, args);
	mpi_p2p_forget_probe(call);
}

static MPI_INLINE void
mpi_sendrecv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	const struct mpi_comm *comm;
	struct mpi_message got = { .tag = args->tag2 };

	if (result != 0)
		return;
	mpi_p2p_sent(call, args);
	if (!mpi_sees_receives(call))
		return;
	comm = mpi_comm_find(call->thread, args->comm);
	got.peer = mpi_p2p_peer(comm, args->peer2);
	mpi_p2p_received(call, comm, args->status, &got);
	mpi_append(call,
	    &(struct es_tuple_mpi){ .comm = call->comm,
		.peer = got.peer,
		.tag = got.tag,
		.bytes = got.bytes });
}

static MPI_INLINE void
mpi_isend_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_to(call, args);
}

static MPI_INLINE void
mpi_isend_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result != 0)
		return;
	mpi_p2p_sent(call, args);
	mpi_message_made(call, args, MPI_REQUEST_SEND);
}

static MPI_INLINE void
mpi_irecv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_from_or_taken(call, args, MPI_FN_Imrecv);
}

static MPI_INLINE void
mpi_irecv_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result == 0)
		mpi_message_made(call, args, MPI_REQUEST_RECV);
}

static MPI_INLINE void
mpi_isendrecv_before(struct mpi_call *call, struct mpi_args *args)
{
	mpi_p2p_to(call, args);
	mpi_p2p_forget_probe(call);
}

void mpi_isendrecv_after(struct mpi_call *call, struct mpi_args *args,
    int result);

/* Persistent and partitioned: persistent.c. */
void mpi_send_init_before(struct mpi_call *call, struct mpi_args *args);
void mpi_send_init_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_recv_init_before(struct mpi_call *call, struct mpi_args *args);
void mpi_recv_init_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_start_before(struct mpi_call *call, struct mpi_args *args);
void mpi_start_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_ready_before(struct mpi_call *call, struct mpi_args *args);
void mpi_ready_after(struct mpi_call *call, struct mpi_args *args, int result);

/* Completion: complete.c. */
void mpi_wait_before(struct mpi_call *call, struct mpi_args *args);
void mpi_wait_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_wait_many_before(struct mpi_call *call, struct mpi_args *args);
void mpi_wait_many_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_test_before(struct mpi_call *call, struct mpi_args *args);
void mpi_test_after(struct mpi_call *call, struct mpi_args *args, int result);

/* Probes, cancelling and freeing: p2p.c. */
void mpi_probe_before(struct mpi_call *call, struct mpi_args *args);
void mpi_probe_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_iprobe_before(struct mpi_call *call, struct mpi_args *args);
void mpi_iprobe_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_request_before(struct mpi_call *call, struct mpi_args *args);
void mpi_request_after(struct mpi_call *call, struct mpi_args *args,
    int result);

#endif
