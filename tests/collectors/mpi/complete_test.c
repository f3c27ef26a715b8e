/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/complete_test.c - hooks of calls that make and complete
 * requests
 *
 * Calls the hooks with a fake MPI: handles are numbers, and the test decides
 * which requests MPI completes.  REQUESTS in the environment is the number of
 * requests of the case with threads.
 */

#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/call/comm_hook_private.h"
#include "collectors/mpi/call/complete_private.h"
#include "collectors/mpi/call/p2p_private.h"
#include "collectors/mpi/call/persistent_private.h"
#include "collectors/mpi/process/process_private.h"

#include "tests/test.h"

#include <pthread.h>
#include <stdlib.h>

#define THREADS 8
#define HANDLES 512
#define POST 32
#define IN_STATUS 18
#define PENDING 19

struct ompi_status {
	int32_t source, tag, error, unused;
	int64_t bytes;
};

struct mpi_abi mpi_abi = {
	.handle_bytes = 8,
	.handle_mask = UINTPTR_MAX,
	.request_null = 1,
	.any_source = -1,
	.any_tag = -1,
	.proc_null = -2,
	.undefined = -32766,
	.status_bytes = sizeof(struct ompi_status),
	.status_source = 0,
	.status_tag = 4,
	.status_error = 8,
	.error_in_status = IN_STATUS,
};

__thread struct mpi_thread *mpi_self;
_Atomic uint64_t mpi_types_kept[MPI_TYPES_KEPT];

static struct mpi_comm world = { .peers = 4, .id = 1 };
static _Atomic int released;

struct mpi_comm *
mpi_comm_find_slow(struct mpi_comms *comms, mpi_handle handle,
    enum mpi_kind kind)
{
	(void)comms;
	(void)handle;
	(void)kind;
	return &world;
}

void
mpi_comm_release(struct mpi_comm *comm)
{
	(void)comm;
	atomic_fetch_add(&released, 1);
}

uint64_t
mpi_type_ask(mpi_handle type)
{
	return type;
}

struct mpi_comm *
mpi_comm_find_kept(struct mpi_comms *comms, uint64_t key)
{
	(void)comms;
	(void)key;
	return NULL;
}

/* No call here counts in rows or belongs to a collective. */
void
mpi_count_matrix_slow(struct mpi_thread *thread, struct mpi_cell_key key,
    uint32_t place, uint64_t bytes)
{
	(void)thread;
	(void)key;
	(void)place;
	(void)bytes;
	abort();
}

struct mpi_cell *
mpi_cell_add(struct mpi_thread *thread, struct mpi_cell_index *index,
    const struct mpi_cell_key *key)
{
	(void)thread;
	(void)index;
	(void)key;
	abort();
}

void
mpi_cell_clear(struct mpi_cells *cells, struct mpi_cell *cell,
    uint32_t row_bytes, uint64_t epoch)
{
	(void)cells;
	(void)cell;
	(void)row_bytes;
	(void)epoch;
	abort();
}

static uint64_t overlap; /* that was counted last */

void
mpi_count_overlap_slow(struct mpi_thread *thread, struct mpi_cell_key key,
    uint32_t place, uint64_t ticks)
{
	(void)thread;
	(void)key;
	(void)place;
	overlap = ticks;
}

void
mpi_collective_started(struct mpi_call *call, struct mpi_request *request)
{
	(void)call;
	(void)request;
	abort();
}

void
mpi_comm_arrived(struct mpi_thread *thread, struct mpi_carried *carried)
{
	(void)thread;
	(void)carried;
	abort();
}

static int
fake_get_count(const void *status, mpi_handle type, int *count)
{
	const struct ompi_status *s = status;

	(void)type;
	*count = s->bytes > INT32_MAX ? mpi_abi.undefined : (int)s->bytes;
	return 0;
}

static int
fake_get_elements_x(const void *status, mpi_handle type, int64_t *count)
{
	const struct ompi_status *s = status;

	(void)type;
	*count = s->bytes;
	return 0;
}

static int
fake_error_class(int code, int *class)
{
	*class = code & 0xff;
	return 0;
}

/* A process, and a thread of it. */
static struct mpi_process process;
static struct es_mpi_control control;
static struct mpi_cells no_cells; /* each row is looked for */

struct self {
	struct mpi_thread thread;
	struct es_mpi_thread row;
	struct mpi_comms comms;
	_Atomic uint32_t generation;
};

static void
begin(bool multiple)
{
	mpi_abi.call.get_count = fake_get_count;
	mpi_abi.call.get_elements_x = fake_get_elements_x;
	mpi_abi.call.error_class = fake_error_class;
	mpi_request_tables_close(&process.requests);
	memset(&process.requests, 0, sizeof(process.requests));
	memset(&control, 0, sizeof(control));
	control.thread_level = multiple ? 3 : 2;
	released = 0;
}

static struct mpi_thread *
self_begin(struct self *s)
{
	memset(s, 0, sizeof(*s));
	s->thread.process = &process;
	s->thread.control = &control;
	s->thread.row = &s->row;
	s->thread.comms = &s->comms;
	s->thread.cells = &no_cells;
	s->comms.generation = &s->generation;
	return &s->thread;
}

static void
self_end(struct self *s)
{
	if (s->thread.requests != NULL)
		free(s->thread.requests->taken);
	free(s->thread.requests);
}

static struct mpi_call
call_of(struct mpi_thread *t, enum mpi_fn function)
{
	return (struct mpi_call){
		.thread = t,
		.peer = -1,
		.tag = -1,
		.function = (uint16_t)function,
		.mode = ES_MODE_PROFILE,
	};
}

/* Calls MPI_Isend of `count` bytes to rank 2, or MPI_Irecv from any rank. */
static void
make(struct mpi_thread *t, enum mpi_fn function, mpi_handle handle,
    int64_t count)
{
	struct mpi_call call = call_of(t, function);
	struct mpi_args args = {
		.count = count,
		.type = 1,
		.peer = function == MPI_FN_Isend ? 2 : -1,
		.tag = 7,
		.requests = &handle,
		.request_count = 1,
	};

	if (function == MPI_FN_Isend) {
		mpi_isend_before(&call, &args);
		mpi_isend_after(&call, &args, 0);
	} else {
		mpi_irecv_before(&call, &args);
		mpi_irecv_after(&call, &args, 0);
	}
}

static void
begin_call(struct mpi_call *call, struct mpi_args *args)
{
	call->here = call;
	if (call->function == MPI_FN_Waitall ||
	    call->function == MPI_FN_Waitsome)
		mpi_wait_many_before(call, args);
	else
		mpi_test_before(call, args);
}

static void
end_call(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (call->function == MPI_FN_Waitall ||
	    call->function == MPI_FN_Waitsome)
		mpi_wait_many_after(call, args, result);
	else
		mpi_test_after(call, args, result);
}

/* An incomplete request stays in the table; a complete request is removed, and
   its bytes are counted. */
static void
expect_only_complete_removed(bool multiple)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handles[] = { 16, 1, 24, 32 };
	struct ompi_status statuses[4] = {
		{ .source = 3, .tag = 9, .bytes = 5 }
	};
	int flag = 0, outcount = 1, indices[] = { 2 };
	struct mpi_args args = { .requests = handles, .request_count = 4 };
	struct mpi_call call;

	begin(multiple);
	make(t, MPI_FN_Isend, 16, 100);
	make(t, MPI_FN_Irecv, 24, 0);
	make(t, MPI_FN_Irecv, 32, 0);
	EXPECT_EQ(3, self.row.requests);
	args.status = statuses;
	args.flag = &flag;
	call = call_of(t, MPI_FN_Testall);
	begin_call(&call, &args);
	end_call(&call, &args, 0);
	EXPECT_EQ(3, self.row.requests);
	EXPECT_EQ(0, call.match);
	args.flag = NULL;
	args.outcount = &outcount;
	args.indices = indices;
	call = call_of(t, MPI_FN_Waitsome);
	begin_call(&call, &args);
	handles[2] = 1;
	end_call(&call, &args, 0);
	EXPECT_EQ(2, self.row.requests);
	EXPECT_EQ(ES_MPI_MATCH_ANY | 2, call.match);
	EXPECT_EQ(3, call.peer);
	EXPECT_EQ(9, call.tag);
	EXPECT_EQ(5, call.bytes);
	EXPECT_EQ(1, released);
	args.outcount = NULL;
	call = call_of(t, MPI_FN_Waitall);
	begin_call(&call, &args);
	end_call(&call, &args, 0);
	EXPECT_EQ(0, self.row.requests);
	EXPECT_EQ(ES_MPI_MANY, call.flags);
	EXPECT_EQ(2, released);
	EXPECT_EQ(0, control.requests_unknown);
	self_end(&self);
}

static void
only_complete_requests_are_removed(void)
{
	expect_only_complete_removed(false);
}

static void
only_complete_requests_are_removed_with_threads(void)
{
	expect_only_complete_removed(true);
}

/* The calls that return the status of a complete request do not free it. */
static void
expect_kept(bool multiple, enum mpi_fn function)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handle = 24;
	struct ompi_status status = { .source = 3, .tag = 9, .bytes = 5 };
	int flag = 1;
	struct mpi_args args = { .requests = &handle,
		.request_count = 1,
		.status = &status,
		.flag = &flag };
	struct mpi_call call = call_of(t, function);

	begin(multiple);
	make(t, MPI_FN_Irecv, 24, 0);
	begin_call(&call, &args);
	end_call(&call, &args, 0);
	EXPECT_EQ(1, self.row.requests);
	self_end(&self);
}

static void
a_request_whose_status_was_returned_is_kept(void)
{
	static const enum mpi_fn functions[] = { MPI_FN_Request_get_status,
		MPI_FN_Request_get_status_any, MPI_FN_Request_get_status_all,
		MPI_FN_Request_get_status_some };

	for (size_t n = 0; n < sizeof(functions) / sizeof(functions[0]); n++) {
		expect_kept(false, functions[n]);
		expect_kept(true, functions[n]);
	}
}

/* One request completed, one failed, one is pending. */
static void
a_failed_call_counts_its_completed_requests(void)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handles[] = { 16, 24, 32 };
	struct ompi_status statuses[3] = {
		{ .source = 3, .bytes = 5 },
		{ .source = 3, .bytes = 6, .error = 15 },
		{ .error = PENDING },
	};
	struct mpi_args args = {
		.requests = handles,
		.request_count = 3,
		.status = statuses,
	};
	struct mpi_call call = call_of(t, MPI_FN_Waitall);

	begin(true);
	make(t, MPI_FN_Irecv, 16, 0);
	make(t, MPI_FN_Irecv, 24, 0);
	make(t, MPI_FN_Irecv, 32, 0);
	begin_call(&call, &args);
	handles[0] = handles[1] = 1;
	end_call(&call, &args, 0x1200 | IN_STATUS);
	EXPECT_EQ(1, self.row.requests);
	EXPECT_EQ(ES_MPI_MATCH_ANY | 1, call.match);
	EXPECT_EQ(5, call.bytes);
	self_end(&self);
}

/* A failed call leaves its status, outcount and indices undefined. */
static void
undefined_results_of_a_failed_call_are_ignored(void)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handles[] = { 16, 24 };
	struct ompi_status statuses[2];
	int outcount = 1000, indices[] = { 77, 78 };
	struct mpi_args args = {
		.requests = handles,
		.request_count = 2,
		.status = statuses,
		.outcount = &outcount,
		.indices = indices,
	};
	struct mpi_call call = call_of(t, MPI_FN_Waitsome);

	memset(statuses, 0x55, sizeof(statuses));
	begin(true);
	make(t, MPI_FN_Irecv, 16, 0);
	make(t, MPI_FN_Irecv, 24, 0);
	begin_call(&call, &args);
	handles[1] = 1;
	end_call(&call, &args, 13);
	EXPECT_EQ(1, self.row.requests);
	EXPECT_EQ(0, call.match);
	self_end(&self);
}

static void
more_than_2_gib_are_counted(void)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handle = 16;
	struct ompi_status status = { .source = 1, .bytes = INT64_C(5) << 30 };
	struct mpi_args args = {
		.requests = &handle,
		.request_count = 1,
		.status = &status,
	};
	struct mpi_call call = call_of(t, MPI_FN_Waitall);

	begin(false);
	make(t, MPI_FN_Irecv, 16, 0);
	begin_call(&call, &args);
	end_call(&call, &args, 0);
	EXPECT_EQ(INT64_C(5) << 30, call.bytes);
	self_end(&self);
}

/* The inner call must not use the requests of the outer one. */
static void
a_call_inside_an_unrecorded_one_is_left_alone(void)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handle = 16, other = 24;
	struct ompi_status status = { .source = 1 };
	struct mpi_args args = {
		.requests = &handle,
		.request_count = 1,
		.status = &status,
	};
	struct mpi_args inner_args = args;
	struct mpi_call calls[2];

	begin(true);
	make(t, MPI_FN_Isend, 16, 1);
	make(t, MPI_FN_Isend, 24, 1);
	/* The stack grows towards lower addresses. */
	calls[0] = calls[1] = call_of(t, MPI_FN_Waitall);
	calls[0].mode = calls[1].mode = ES_MODE_OFF;
	inner_args.requests = &other;
	begin_call(&calls[1], &args);
	begin_call(&calls[0], &inner_args);
	end_call(&calls[0], &inner_args, 0);
	end_call(&calls[1], &args, 0);
	EXPECT_EQ(1, self.row.requests);
	begin_call(&calls[0], &inner_args);
	EXPECT_EQ(0, inner_args.request_count);
	inner_args.request_count = 1;
	begin_call(&calls[0], &inner_args);
	end_call(&calls[0], &inner_args, 0);
	EXPECT_EQ(0, self.row.requests);
	self_end(&self);
}

/* Request that another thread shall complete; 0: none. */
static _Atomic uintptr_t post[THREADS][POST];
/* MPI reuses a handle as soon as it is free. */
static _Atomic bool in_use[HANDLES];
static uint64_t per_thread;

struct complete_worker {
	struct self self;
	uint32_t number;
	uint32_t random;
	uint64_t bytes; /* of the requests that it completed */
};

static uint32_t
worker_random(struct complete_worker *w)
{
	w->random = w->random * 1664525 + 1013904223;
	return w->random >> 8;
}

static mpi_handle
worker_make(struct complete_worker *w, enum mpi_fn function)
{
	for (;;) {
		uint32_t i = worker_random(w) % HANDLES;

		if (atomic_exchange_explicit(&in_use[i], true,
			memory_order_acquire))
			continue;
		make(&w->self.thread, function, 0x10000 + i * 8, 1);
		return 0x10000 + i * 8;
	}
}

/* Testsome completes nothing, then Waitall completes all; 1 byte each. */
static void
worker_complete(struct complete_worker *w, mpi_handle first, mpi_handle second)
{
	mpi_handle handles[] = { first, second };
	struct ompi_status statuses[2] = { { .source = 1, .bytes = 1 },
		{ .source = 1, .bytes = 1 } };
	int outcount = 0, indices[2];
	struct mpi_args args = {
		.requests = handles,
		.request_count = 2,
		.status = statuses,
		.outcount = &outcount,
		.indices = indices,
	};
	struct mpi_call call = call_of(&w->self.thread, MPI_FN_Testsome);

	begin_call(&call, &args);
	end_call(&call, &args, 0);
	args.outcount = NULL;
	call = call_of(&w->self.thread, MPI_FN_Waitall);
	begin_call(&call, &args);
	for (int n = 0; n < 2; n++) {
		if (handles[n] == 1)
			continue;
		atomic_store_explicit(&in_use[(handles[n] - 0x10000) / 8],
		    false, memory_order_release);
		handles[n] = 1;
	}
	end_call(&call, &args, 0);
	w->bytes += call.bytes;
}

static void *
worker_run(void *arg)
{
	struct complete_worker *w = arg;

	for (uint64_t n = 0; n < per_thread; n++) {
		uint32_t slot = worker_random(w) % POST;
		uint32_t whom = worker_random(w) % THREADS;
		mpi_handle one = worker_make(w, MPI_FN_Irecv);
		mpi_handle two = worker_make(w, MPI_FN_Irecv);
		mpi_handle got =
		    atomic_exchange_explicit(&post[w->number][slot], 0,
			memory_order_acquire);
		uintptr_t none = 0;

		if (got != 0)
			worker_complete(w, got, 1);
		if (n % 8 == 0 &&
		    atomic_compare_exchange_strong_explicit(&post[whom][slot],
			&none, two, memory_order_release, memory_order_relaxed))
			two = 1;
		worker_complete(w, one, two);
	}
	return NULL;
}

static void
threads_complete_the_requests_of_all_threads(void)
{
	const char *total = getenv("REQUESTS");
	static struct complete_worker workers[THREADS];
	pthread_t threads[THREADS];
	uint64_t left = 0, bytes = 0;

	begin(true);
	per_thread =
	    (total != NULL ? strtoull(total, NULL, 10) : 40000) / (2 * THREADS);
	for (uint32_t n = 0; n < THREADS; n++) {
		workers[n] =
		    (struct complete_worker){ .number = n, .random = n };
		self_begin(&workers[n].self);
		EXPECT_EQ(0,
		    pthread_create(&threads[n], NULL, worker_run, &workers[n]));
	}
	for (uint32_t n = 0; n < THREADS; n++)
		EXPECT_EQ(0, pthread_join(threads[n], NULL));
	for (uint32_t n = 0; n < THREADS * POST; n++)
		if (post[n / POST][n % POST] != 0)
			worker_complete(&workers[0], post[n / POST][n % POST],
			    1);
	for (uint32_t n = 0; n < THREADS; n++) {
		left += workers[n].self.row.requests;
		bytes += workers[n].bytes;
		self_end(&workers[n].self);
	}
	EXPECT_EQ(0, left);
	EXPECT_EQ(2 * THREADS * per_thread, bytes);
	EXPECT_EQ(0, control.requests_unknown);
	EXPECT_EQ(2 * THREADS * per_thread, (uint64_t)released);
}

static void
make_at(struct mpi_thread *t, uint32_t mode, mpi_handle handle, uint64_t stop)
{
	struct mpi_call call = call_of(t, MPI_FN_Isend);
	struct mpi_args args = { .count = 8,
		.type = 1,
		.peer = 2,
		.tag = 7,
		.requests = &handle,
		.request_count = 1 };

	call.mode = mode;
	call.stop = stop;
	mpi_isend_before(&call, &args);
	mpi_isend_after(&call, &args, 0);
}

/* Returns the overlap that a Waitall at `start` counts for two requests, which
   are made in modes[0] and completed in modes[1]; 0: none. */
static uint64_t
overlap_of(bool multiple, const uint32_t modes[2], uint64_t one, uint64_t other,
    uint64_t start)
{
	struct self self;
	struct mpi_thread *t = self_begin(&self);
	mpi_handle handles[] = { 16, 24 };
	struct ompi_status statuses[2] = { { .source = 2 } };
	struct mpi_args args = { .requests = handles,
		.request_count = 2,
		.status = statuses };
	struct mpi_call call;

	begin(multiple);
	make_at(t, modes[0], 16, one);
	make_at(t, modes[0], 24, other);
	call = call_of(t, MPI_FN_Waitall);
	call.mode = modes[1];
	call.start = start;
	overlap = 0;
	begin_call(&call, &args);
	end_call(&call, &args, 0);
	self_end(&self);
	return overlap;
}

static void
the_first_request_begins_the_overlap(void)
{
	const uint64_t late = UINT64_C(0xfffffffff0000);
	const uint32_t profile[] = { ES_MODE_PROFILE, ES_MODE_PROFILE };
	const uint32_t matrix[] = { ES_MODE_PROFILE, ES_MODE_MATRIX };
	const uint32_t traced[] = { ES_MODE_PROFILE | ES_MODE_TRACE,
		ES_MODE_PROFILE };

	for (int multiple = 0; multiple < 2; multiple++) {
		EXPECT_EQ(900, overlap_of(multiple, profile, 300, 100, 1000));
		/* The lower 48 bits wrap around. */
		EXPECT_EQ(0x20000,
		    overlap_of(multiple, profile, late, late + 5,
			late + 0x20000));
		/* Calls without stamps, and modes that have no profile. */
		EXPECT_EQ(0, overlap_of(multiple, profile, 0, 0, 1000));
		EXPECT_EQ(0, overlap_of(multiple, matrix, 300, 100, 1000));
		/* Requests of the modes with trace have no time. */
		EXPECT_EQ(0, overlap_of(multiple, traced, 300, 100, 1000));
	}
}

TEST_MAIN(only_complete_requests_are_removed,
    only_complete_requests_are_removed_with_threads,
    a_request_whose_status_was_returned_is_kept,
    a_failed_call_counts_its_completed_requests,
    undefined_results_of_a_failed_call_are_ignored, more_than_2_gib_are_counted,
    a_call_inside_an_unrecorded_one_is_left_alone,
    threads_complete_the_requests_of_all_threads,
    the_first_request_begins_the_overlap)
