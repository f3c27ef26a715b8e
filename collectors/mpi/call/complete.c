/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/complete.c - calls that complete requests
 *
 * With MPI_THREAD_MULTIPLE, MPI may give the handle of a completed request to
 * another thread at once.  Entries are therefore taken out of the table before
 * the call, and the entries of requests that did not complete are put back.
 * With lower thread levels, entries are looked up after the call by a copy of
 * the handles.
 */

#include "collectors/mpi/call/complete_private.h"

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/call/comm_hook_private.h"
#include "collectors/mpi_function.h"

/* The requests that a call completed, among those it was given. */
struct finished {
	int64_t count;
	const int *indices; /* NULL: the first `count` requests */
	int first;	    /* lowest valid index */
};

/* Outcome of the call.  IN_STATUS: each status has the error of its request. */
enum outcome { OUTCOME_OK, OUTCOME_IN_STATUS, OUTCOME_FAILED };

/* Returns whether the call only tests, and does not free completed requests. */
static bool
complete_keeps(const struct mpi_call *call)
{
	return call->function == MPI_FN_Request_get_status ||
	    call->function == MPI_FN_Request_get_status_any ||
	    call->function == MPI_FN_Request_get_status_all ||
	    call->function == MPI_FN_Request_get_status_some ||
	    call->function == MPI_FN_Parrived;
}

/* Counts a completed request that the table does not have. */
static void
complete_unknown(const struct mpi_call *call)
{
	if (call->mode == ES_MODE_OFF)
		return;
	/* Relaxed: a total, ordered with nothing. */
	atomic_fetch_add_explicit(&call->thread->control->requests_unknown, 1,
	    memory_order_relaxed);
}

/* Marks an unrecorded call as the one whose hooks are running.  Returns true,
   and marks nothing, if it is nested in such a call, by its stack address; see
   mpi_enter.  Returns false for a recorded call. */
static bool
complete_mark_inside(const struct mpi_call *call, struct mpi_requests *own)
{
	if (call->mode != ES_MODE_OFF)
		return false;
	if ((uintptr_t)call->here < own->inside)
		return true;
	own->inside = (uintptr_t)call->here;
	return false;
}

/* Returns whether the call can skip its requests, because the table is empty:
   in mode matrix most requests are not entered. */
static bool
complete_is_blind(const struct mpi_call *call, const struct mpi_requests *own)
{
	/* Relaxed: a request that another thread is making now is not one of
	   this call. */
	return call->mode == ES_MODE_MATRIX &&
	    atomic_load_explicit(own->table->count, memory_order_relaxed) == 0;
}

/* Copies the handles of a call, and takes their entries out of the table if
   that must be done before the call.  If there is no memory for the copy, the
   call is recorded as one without requests. */
static inline void
complete_begin(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_requests *own = mpi_requests_get(call->thread);
	int64_t n = args->request_count;
	bool take = own != NULL && !own->one_table && !complete_keeps(call);

	if (own == NULL || n <= 0 || complete_mark_inside(call, own) ||
	    complete_is_blind(call, own)) {
		args->request_count = 0;
		return;
	}
	if (n > own->room && !mpi_requests_reserve(own, n)) {
		own->inside = 0;
		args->request_count = 0;
		return;
	}
	for (int64_t i = 0; i < n; i++) {
		mpi_handle handle = mpi_args_request(args, i);

		own->taken[i].handle = 0;
		own->taken[i].number = 0;
		own->handles[i] = handle == mpi_abi.request_null ? 0 : handle;
		if (take && own->handles[i] != 0 &&
		    !mpi_request_take(own->table, handle, &own->taken[i]))
			own->taken[i].handle = 0;
	}
	if (args->status_ignored)
		args->status = own->statuses;
}

/* If the call waits for a single request, sets the fields of the call from it,
   so that readers of the live space see what the thread waits for. */
static void
complete_announce(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_requests *own = call->thread->requests;
	struct mpi_request r;

	if (args->request_count != 1)
		return;
	if (own->taken[0].handle != 0)
		r = own->taken[0];
	else if (!own->one_table || own->handles[0] == 0 ||
	    !mpi_request_look(own->table, own->handles[0], &r))
		return;
	call->comm = r.comm_id;
	call->peer = r.peer;
	call->tag = r.tag;
	call->match = r.number;
}

/* Returns the requests that the call completed.  If the call failed, returns
   all of its requests: MPI has then set only the handles, or the errors in the
   statuses, and complete_each reads those. */
static inline struct finished
complete_finished(const struct mpi_args *args, enum outcome outcome)
{
	struct finished all = { .count = args->request_count };
	struct finished some = { .first = args->index_base };
	int64_t place;

	if (outcome == OUTCOME_FAILED ||
	    (outcome == OUTCOME_IN_STATUS && args->outcount == NULL))
		return all;
	if (args->flag != NULL && *args->flag == 0)
		return (struct finished){ 0 };
	if (args->outcount != NULL) {
		if (*args->outcount != mpi_abi.undefined)
			some.count = *args->outcount;
		some.indices = args->indices;
		return some;
	}
	if (args->index == NULL)
		return all;
	place = (int64_t)*args->index - some.first;
	some.count = place >= 0 && place < args->request_count;
	some.indices = args->index;
	return some;
}

/* Returns the place of finished request k in the array of the call. */
static int64_t
finished_place(const struct finished *f, int64_t k)
{
	return f->indices == NULL ? k : f->indices[k] - f->first;
}

/* Returns the entry of request i, which MPI has completed; NULL if there is
   none. */
static inline struct mpi_request *
complete_entry(struct mpi_call *call, int64_t i)
{
	struct mpi_requests *own = call->thread->requests;
	struct mpi_request *r = &own->taken[i];
	struct mpi_request now;
	mpi_handle handle = own->handles[i];

	own->handles[i] = 0;
	if (handle == 0)
		return NULL;
	if (own->one_table && !mpi_request_take(own->table, handle, r))
		r->handle = 0;
	if (r->handle == 0) {
		complete_unknown(call);
		r->number = 0;
		return NULL;
	}
	if (!(r->flags & MPI_REQUEST_PERSISTENT))
		return r;
	mpi_request_mark(own->table, handle, 0,
	    MPI_REQUEST_ACTIVE | MPI_REQUEST_READY | MPI_REQUEST_CANCELLED,
	    &now);
	if (r->flags & MPI_REQUEST_ACTIVE)
		return r;
	/* A wait for a request that is not started ends at once. */
	r->number = 0;
	return NULL;
}

/* Releases what a completed request held.  ok: its operation succeeded */
static void
complete_release(struct mpi_call *call, const struct mpi_request *r, bool ok)
{
	if (r->flags & MPI_REQUEST_PERSISTENT)
		return;
	if (r->comm != NULL)
		mpi_comm_release(r->comm);
	if (r->kind != MPI_REQUEST_COMM)
		return;
	if (ok)
		mpi_comm_arrived(call->thread, r->carried);
	else
		r->carried->forget(r->carried);
}

static bool
complete_was_cancelled(const struct mpi_request *r, const void *status)
{
	int flag = 0;

	return (r->flags & MPI_REQUEST_CANCELLED) != 0 &&
	    mpi_abi.call.test_cancelled(status, &flag) == 0 && flag != 0;
}

/* Returns whether a status describes the message of a receive.  MPICH 4.0 does
   not set that of MPI_Isendrecv, which has zeros then. */
static bool
complete_is_described(const struct mpi_request *r, const void *status)
{
	int32_t tag = mpi_status_tag(status);

	if (!(r->flags & MPI_REQUEST_ISENDRECV))
		return true;
	if (r->tag >= 0 && tag != r->tag)
		return false;
	return tag != 0 || mpi_status_source(status) != 0 ||
	    mpi_status_bytes(status) > 0;
}

/* Counts a completed request and sets peer, tag and bytes of its entry. */
static inline void
complete_one(struct mpi_call *call, struct mpi_completion *c,
    struct mpi_request *r, const void *status)
{
	struct mpi_message got = { .peer = r->peer, .tag = r->tag };

	c->requests++;
	mpi_completion_overlap(c, call, r);
	c->sends += r->kind == MPI_REQUEST_SEND;
	c->receives += r->kind == MPI_REQUEST_RECV;
	if (complete_was_cancelled(r, status)) {
		r->peer = ES_MPI_PEER_CANCELLED;
		r->bytes = 0;
	} else if (!complete_is_described(r, status)) {
		/* The arguments may have named the message. */
		if (r->tag < 0)
			r->peer = ES_MPI_PEER_NONE;
	} else if (r->kind == MPI_REQUEST_RECV) {
		mpi_p2p_received(call, r->comm, status, &got);
		r->peer = got.peer;
		r->tag = got.tag;
		r->bytes = got.bytes;
		c->received += got.bytes;
	} else {
		c->sent += r->bytes;
	}
	c->last = r;
	complete_release(call, r, true);
}

/* Removes the entry of a request whose operation failed, if MPI has freed its
   handle. */
static void __attribute__((cold, noinline))
complete_failed(struct mpi_call *call, const struct mpi_args *args, int64_t i)
{
	struct mpi_requests *own = call->thread->requests;
	struct mpi_request *r;

	if (own->handles[i] == 0 ||
	    mpi_args_request(args, i) != mpi_abi.request_null)
		return;
	r = complete_entry(call, i);
	if (r == NULL)
		return;
	r->number = 0;
	complete_release(call, r, false);
}

static enum outcome
complete_outcome(int result)
{
	int class = 0;

	if (__builtin_expect(result == 0, 1))
		return OUTCOME_OK;
	return mpi_abi.call.error_class(result, &class) == 0 &&
		class == mpi_abi.error_in_status ?
	    OUTCOME_IN_STATUS :
	    OUTCOME_FAILED;
}

/* Handles each completed request. */
static inline void
complete_each(struct mpi_call *call, const struct mpi_args *args,
    enum outcome outcome, const struct finished *f, struct mpi_completion *c)
{
	struct mpi_requests *own = call->thread->requests;

	for (int64_t k = 0; k < f->count; k++) {
		int64_t i = finished_place(f, k);
		const char *status = (const char *)args->status +
		    (size_t)k * mpi_abi.status_bytes;
		struct mpi_request *r;

		if (outcome == OUTCOME_FAILED ||
		    (outcome == OUTCOME_IN_STATUS &&
			mpi_status_error(status) != 0)) {
			complete_failed(call, args, i);
			continue;
		}
		if (own->one_table &&
		    mpi_complete_fast(call, c, own->handles[i], status,
			&own->taken[i])) {
			own->handles[i] = 0;
			continue;
		}
		r = complete_entry(call, i);
		if (r != NULL)
			complete_one(call, c, r, status);
	}
	if (own->one_table)
		mpi_request_recount(own->table);
}

/* Sets the fields of the call from its completed requests. */
static MPI_INLINE void
complete_tell(struct mpi_call *call, const struct mpi_completion *c)
{
	bool one = c->requests == 1;

	call->peer = one ? c->last->peer : ES_MPI_PEER_NONE;
	call->tag = one ? c->last->tag : -1;
	call->match = one ? c->last->number : 0;
	call->comm = one ? c->last->comm_id : 0;
	call->bytes = mpi_completed_bytes(c);
	call->flags |= mpi_completed_flags(c);
}

/* Appends a tuple for each completed request. */
static void
complete_append(struct mpi_call *call, const struct finished *f)
{
	const struct mpi_requests *own = call->thread->requests;

	for (int64_t k = 0; k < f->count; k++) {
		const struct mpi_request *r = &own->taken[finished_place(f, k)];

		mpi_completed_append(call, r);
	}
}

/* Puts back the entries that were taken out of the table and are not complete.
   Entries of persistent requests were only copied. */
static void
complete_put_back(struct mpi_requests *own, int64_t count)
{
	if (own->one_table)
		return;
	for (int64_t i = 0; i < count; i++) {
		const struct mpi_request *r = &own->taken[i];

		if (own->handles[i] != 0 && r->handle != 0 &&
		    !(r->flags & MPI_REQUEST_PERSISTENT))
			mpi_request_put(own->table, r);
	}
}

/* Returns the overlap of the call. */
static uint64_t
complete_end(struct mpi_call *call, const struct mpi_args *args, int result)
{
	enum outcome outcome = complete_outcome(result);
	struct mpi_completion c = { 0 };
	struct finished f;

	if (args->request_count == 0) {
		complete_tell(call, &c);
		return 0;
	}
	f = complete_finished(args, outcome);
	complete_each(call, args, outcome, &f, &c);
	complete_tell(call, &c);
	if (c.requests > 1 && (call->mode & ES_MODE_TRACE))
		complete_append(call, &f);
	complete_put_back(call->thread->requests, args->request_count);
	call->thread->requests->inside = 0;
	return c.overlap;
}

void
mpi_wait_before(struct mpi_call *call, struct mpi_args *args)
{
	complete_begin(call, args);
	complete_announce(call, args);
}

void
mpi_wait_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	mpi_count_overlap(call, complete_end(call, args, result));
}

void
mpi_wait_many_before(struct mpi_call *call, struct mpi_args *args)
{
	int32_t waits = 0;

	complete_begin(call, args);
	complete_announce(call, args);
	if (args->request_count < 2)
		return;
	for (int64_t i = 0; i < args->request_count; i++)
		waits += call->thread->requests->handles[i] != 0;
	call->tag = waits;
}

void
mpi_wait_many_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	mpi_count_overlap(call, complete_end(call, args, result));
}

void
mpi_wait_end_slow(struct mpi_call *call, mpi_handle handle, void *request,
    void *status, int result)
{
	struct mpi_requests *own = call->thread->requests;
	struct mpi_args args = { .requests = request,
		.request_count = 1,
		.status = status };

	/* Does what complete_begin does for one request. */
	own->handles[0] = handle;
	own->taken[0].handle = 0;
	own->taken[0].number = 0;
	(void)complete_end(call, &args, result);
}

/* Prepares the requests from index `from` on for the slow path, because
   mpi_waitall_fast has only copied their handles.  The requests before `from`
   are done. */
static void
waitall_prepare(struct mpi_requests *own, int64_t from, int64_t count)
{
	for (int64_t i = 0; i < from; i++)
		own->handles[i] = 0;
	for (int64_t i = from; i < count; i++) {
		own->taken[i].handle = 0;
		own->taken[i].number = 0;
		if (own->handles[i] == mpi_abi.request_null)
			own->handles[i] = 0;
	}
}

void
mpi_waitall_end_slow(struct mpi_call *call, int64_t count, void *requests,
    void *statuses, int result)
{
	struct mpi_args args = { .requests = requests,
		.request_count = count,
		.status = statuses };

	waitall_prepare(call->thread->requests, 0, count);
	(void)complete_end(call, &args, result);
}

void
mpi_waitall_rest(struct mpi_call *call, void *statuses, int64_t from,
    int64_t count, struct mpi_completion *c)
{
	const struct mpi_args args = { .status = statuses };
	struct finished f = { .count = count };

	waitall_prepare(call->thread->requests, from, count);
	complete_each(call, &args, OUTCOME_OK, &f, c);
}

void
mpi_test_before(struct mpi_call *call, struct mpi_args *args)
{
	complete_begin(call, args);
}

/* Marks requests that are known to be complete, so that a later wait for them
   is not counted as waiting. */
static void
test_ready(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_requests *own = call->thread->requests;
	struct finished f = complete_finished(args, OUTCOME_OK);
	struct mpi_request r;

	for (int64_t k = 0; k < f.count; k++) {
		mpi_handle handle = own->handles[finished_place(&f, k)];

		if (handle != 0)
			mpi_request_mark(own->table, handle, MPI_REQUEST_READY,
			    0, &r);
	}
}

void
mpi_test_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (!complete_keeps(call)) {
		(void)complete_end(call, args, result);
		return;
	}
	if (args->request_count == 0)
		return;
	if (result == 0 && call->function != MPI_FN_Parrived)
		test_ready(call, args);
	call->thread->requests->inside = 0;
}
