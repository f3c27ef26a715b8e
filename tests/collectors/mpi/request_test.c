/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/request_test.c - the table of requests
 *
 * REQUESTS=10000000 in the environment sets the requests of the threads.
 */

#include "collectors/mpi/object/request_private.h"
#include "collectors/mpi_space.h"

#include "tests/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define THREADS 8
#define HANDLES 512
#define POST 32

/* Simulates a kernel with, or without, membarrier. */
static bool can_bias = true;

long __real_syscall(long number, long a, long b, long c);
long __wrap_syscall(long number, long a, long b, long c);

long
__wrap_syscall(long number, long a, long b, long c)
{
	if (number == SYS_membarrier && !can_bias)
		return -1;
	return __real_syscall(number, a, b, c);
}

static struct mpi_request_tables tables;
static _Atomic uint64_t counts[THREADS];

static struct mpi_request_table *
begin(bool multiple)
{
	memset(&tables, 0, sizeof(tables));
	return mpi_request_table_open(&tables, multiple, &counts[0]);
}

static struct mpi_request
request_of(uintptr_t handle, enum mpi_request_kind kind, uint64_t bytes)
{
	return (struct mpi_request){
		.handle = handle,
		.bytes = bytes,
		.kind = (uint8_t)kind,
	};
}

static void
put(struct mpi_request_table *t, uintptr_t handle, enum mpi_request_kind kind,
    uint64_t bytes)
{
	struct mpi_request r = request_of(handle, kind, bytes);

	EXPECT_TRUE(mpi_request_put(t, &r));
}

static void
finds_each_by_its_handle(void)
{
	struct mpi_request_table *t = begin(false);
	static uint64_t there[4096]; /* bytes + 1; 0: not in the table */
	uint64_t count = 0;
	struct mpi_request r;

	memset(there, 0, sizeof(there));
	srandom(1);
	for (int n = 0; n < 200000; n++) {
		size_t i = (size_t)random() % (n < 100000 ? 4096 : 64);
		uintptr_t handle = 0x7f0000001000 + i * 0x140;

		if (there[i] != 0) {
			EXPECT_TRUE(mpi_request_take(t, handle, &r));
			EXPECT_EQ(there[i] - 1, r.bytes);
			EXPECT_EQ(handle, r.handle);
			there[i] = 0;
			count--;
		} else {
			EXPECT_TRUE(!mpi_request_take(t, handle, &r));
			put(t, handle, MPI_REQUEST_RECV, (uint64_t)n);
			there[i] = (uint64_t)n + 1;
			count++;
		}
		EXPECT_EQ(count, counts[0]);
	}
	mpi_request_tables_close(&tables);
}

static void
finds_small_handles(void)
{
	struct mpi_request_table *t = begin(false);
	struct mpi_request r;

	for (uintptr_t i = 0; i < 1000; i++)
		put(t, 0x98000000 + i, MPI_REQUEST_SEND, i);
	for (uintptr_t i = 1000; i-- > 0;) {
		EXPECT_TRUE(mpi_request_take(t, 0x98000000 + i, &r));
		EXPECT_EQ(i, r.bytes);
	}
	EXPECT_EQ(0, counts[0]);
	mpi_request_tables_close(&tables);
}

static void
a_shared_handle_gives_the_oldest_request(void)
{
	struct mpi_request_table *t = begin(false);
	struct mpi_request r;
	uint64_t next = 0;

	put(t, 77, MPI_REQUEST_RECV, 7);
	for (uint64_t i = 0; i < 100; i++) {
		put(t, 16, MPI_REQUEST_SEND, i);
		if (i % 3 != 2)
			continue;
		EXPECT_TRUE(mpi_request_take(t, 16, &r));
		EXPECT_EQ(next++, r.bytes);
	}
	EXPECT_EQ(101 - next, counts[0]);
	for (; next < 100; next++) {
		EXPECT_TRUE(mpi_request_take(t, 16, &r));
		EXPECT_EQ(next, r.bytes);
	}
	EXPECT_TRUE(!mpi_request_take(t, 16, &r));
	EXPECT_TRUE(mpi_request_take(t, 77, &r));
	EXPECT_EQ(7, r.bytes);
	EXPECT_EQ(0, counts[0]);
	mpi_request_tables_close(&tables);
}

static void
a_request_of_a_shared_handle_may_change_its_table(void)
{
	struct mpi_request_table *t = begin(true);
	struct mpi_request_table *other =
	    mpi_request_table_open(&tables, true, &counts[1]);
	struct mpi_request r;

	put(t, 16, MPI_REQUEST_SEND, 1);
	put(t, 16, MPI_REQUEST_SEND, 2);
	EXPECT_TRUE(mpi_request_take(other, 16, &r));
	EXPECT_EQ(1, r.bytes);
	EXPECT_TRUE(mpi_request_put(other, &r));
	for (uint64_t i = 1; i <= 2; i++) {
		EXPECT_TRUE(mpi_request_take(other, 16, &r));
		EXPECT_EQ(i, r.bytes);
	}
	EXPECT_TRUE(!mpi_request_take(other, 16, &r));
	EXPECT_EQ(0, counts[0] + counts[1]);
	mpi_request_tables_close(&tables);
}

static void
a_receive_with_a_reused_handle_replaces_the_old_one(void)
{
	struct mpi_request_table *t = begin(false);
	struct mpi_request r;

	put(t, 16, MPI_REQUEST_RECV, 1);
	put(t, 16, MPI_REQUEST_RECV, 2);
	EXPECT_TRUE(mpi_request_take(t, 16, &r));
	EXPECT_EQ(2, r.bytes);
	for (uint64_t i = 0; i < 5; i++)
		put(t, 16, MPI_REQUEST_SEND, i);
	put(t, 16, MPI_REQUEST_RECV, 3);
	EXPECT_EQ(1, counts[0]);
	EXPECT_TRUE(mpi_request_take(t, 16, &r));
	EXPECT_EQ(3, r.bytes);
	EXPECT_TRUE(!mpi_request_take(t, 16, &r));
	mpi_request_tables_close(&tables);
}

static void
a_persistent_request_stays(void)
{
	struct mpi_request_table *t = begin(true);
	struct mpi_request r = request_of(16, MPI_REQUEST_SEND, 1);

	r.flags = MPI_REQUEST_PERSISTENT;
	EXPECT_TRUE(mpi_request_put(t, &r));
	EXPECT_TRUE(mpi_request_mark(t, 16, MPI_REQUEST_ACTIVE, 0, &r));
	EXPECT_TRUE(mpi_request_take(t, 16, &r));
	EXPECT_EQ(MPI_REQUEST_PERSISTENT | MPI_REQUEST_ACTIVE, r.flags);
	EXPECT_TRUE(mpi_request_mark(t, 16, 0, MPI_REQUEST_ACTIVE, &r));
	EXPECT_TRUE(mpi_request_look(t, 16, &r));
	EXPECT_EQ(MPI_REQUEST_PERSISTENT, r.flags);
	EXPECT_TRUE(mpi_request_drop(t, 16, &r));
	EXPECT_TRUE(!mpi_request_look(t, 16, &r));
	EXPECT_EQ(0, counts[0]);
	mpi_request_tables_close(&tables);
}

static void
a_process_has_one_table_below_multiple(void)
{
	struct mpi_request_table *t = begin(false);

	EXPECT_EQ(t, mpi_request_table_open(&tables, false, &counts[1]));
	mpi_request_tables_close(&tables);
	t = begin(true);
	EXPECT_TRUE(t != mpi_request_table_open(&tables, true, &counts[1]));
	mpi_request_tables_close(&tables);
}

static void
numbers_begin_at_one_and_are_never_zero(void)
{
	struct mpi_request_table *t = begin(false);

	for (uint32_t n = 1; n < 2000; n++)
		EXPECT_EQ(n, mpi_request_number(t));
	mpi_request_tables_close(&tables);
	t = begin(false);
	atomic_store(&tables.numbers, ES_MPI_MATCH_ANY - 256);
	for (uint32_t n = ES_MPI_MATCH_ANY - 255; n < ES_MPI_MATCH_ANY; n++)
		EXPECT_EQ(n, mpi_request_number(t));
	EXPECT_EQ(1, mpi_request_number(t));
	mpi_request_tables_close(&tables);
}

/* Handles that another thread is to complete; 0: none. */
static _Atomic uintptr_t post[THREADS][POST];
/* Handles in use.  MPI reuses a handle as soon as it is free. */
static _Atomic bool in_use[HANDLES];
static uint64_t per_thread;

struct request_worker {
	struct mpi_request_table *table;
	uint32_t number;
	uint32_t random;
};

static uint32_t
worker_random(struct request_worker *w)
{
	w->random = w->random * 1664525 + 1013904223;
	return w->random >> 8;
}

static uintptr_t
worker_make(struct request_worker *w)
{
	for (;;) {
		uint32_t i = worker_random(w) % HANDLES;
		struct mpi_request r =
		    request_of(0x10000 + i * 8, MPI_REQUEST_RECV, i);

		if (atomic_exchange_explicit(&in_use[i], true,
			memory_order_acquire))
			continue;
		r.number = mpi_request_number(w->table);
		EXPECT_TRUE(mpi_request_put(w->table, &r));
		return r.handle;
	}
}

static void
worker_complete(struct request_worker *w, uintptr_t handle)
{
	uintptr_t i = (handle - 0x10000) / 8;
	struct mpi_request r = { 0 };

	/* Sometimes tests the request, which is not complete yet. */
	if (worker_random(w) % 4 == 0) {
		EXPECT_TRUE(mpi_request_take(w->table, handle, &r));
		EXPECT_TRUE(mpi_request_put(w->table, &r));
	}
	EXPECT_TRUE(mpi_request_take(w->table, handle, &r));
	EXPECT_EQ(handle, r.handle);
	EXPECT_EQ(i, r.bytes);
	atomic_store_explicit(&in_use[i], false, memory_order_release);
}

static void
worker_fetch(struct request_worker *w, uint32_t slot)
{
	uintptr_t handle = atomic_exchange_explicit(&post[w->number][slot], 0,
	    memory_order_acquire);

	if (handle != 0)
		worker_complete(w, handle);
}

static void *
worker_run(void *arg)
{
	struct request_worker *w = arg;

	w->table = mpi_request_table_open(&tables, true, &counts[w->number]);
	for (uint64_t n = 0; n < per_thread; n++) {
		uint32_t whom = worker_random(w) % THREADS;
		uint32_t slot = worker_random(w) % POST;
		uintptr_t handle = worker_make(w), none = 0;

		/* Most are completed by the thread that made them. */
		if (n % 8 != 0 ||
		    !atomic_compare_exchange_strong_explicit(&post[whom][slot],
			&none, handle, memory_order_release,
			memory_order_relaxed))
			worker_complete(w, handle);
		worker_fetch(w, slot);
	}
	return NULL;
}

static struct request_worker workers[THREADS];

static void
work_with(void *(*run)(void *))
{
	const char *total = getenv("REQUESTS");
	pthread_t threads[THREADS];

	memset(&tables, 0, sizeof(tables));
	per_thread =
	    (total != NULL ? strtoull(total, NULL, 10) : 80000) / THREADS;
	for (uint32_t n = 0; n < THREADS; n++) {
		workers[n] =
		    (struct request_worker){ .number = n, .random = n };
		EXPECT_EQ(0,
		    pthread_create(&threads[n], NULL, run, &workers[n]));
	}
	for (uint32_t n = 0; n < THREADS; n++)
		EXPECT_EQ(0, pthread_join(threads[n], NULL));
}

static void
work_together(void)
{
	uint64_t left = 0;

	work_with(worker_run);
	for (uint32_t n = 0; n < THREADS; n++)
		for (uint32_t slot = 0; slot < POST; slot++)
			worker_fetch(&workers[n], slot);
	for (uint32_t n = 0; n < THREADS; n++)
		left += counts[n];
	EXPECT_EQ(0, left);
	EXPECT_TRUE(tables.searches > 0);
	mpi_request_tables_close(&tables);
}

static void
threads_complete_the_requests_of_others(void)
{
	can_bias = true;
	work_together();
}

static void
threads_complete_the_requests_of_others_without_membarrier(void)
{
	can_bias = false;
	work_together();
	can_bias = true;
}

/* Requests of one handle that are not complete. */
static _Atomic long shared_open;

/* Begins a request, or ends one of any thread.  Few requests exist at a time,
   so that threads must search the tables of others. */
static void *
worker_share(void *arg)
{
	struct request_worker *w = arg;
	struct mpi_request r;

	w->table = mpi_request_table_open(&tables, true, &counts[w->number]);
	for (uint64_t n = 0; n < per_thread; n++) {
		long open = atomic_load(&shared_open);

		if (open < THREADS && worker_random(w) % 2 == 0) {
			put(w->table, 16, MPI_REQUEST_SEND, 1);
			atomic_fetch_add(&shared_open, 1);
		} else if (open > 0 &&
		    atomic_compare_exchange_strong(&shared_open, &open,
			open - 1)) {
			EXPECT_TRUE(mpi_request_take(w->table, 16, &r));
		}
	}
	return NULL;
}

static void
threads_find_all_requests_of_a_shared_handle(void)
{
	uint64_t left = 0;

	work_with(worker_share);
	for (uint32_t n = 0; n < THREADS; n++)
		left += counts[n];
	EXPECT_EQ((uint64_t)shared_open, left);
	mpi_request_tables_close(&tables);
}

/* Searches the table of another thread for the first time. */
static void *
search_for_one(void *arg)
{
	struct mpi_request_table *t =
	    mpi_request_table_open(&tables, true, &counts[1]);
	_Atomic bool *there = arg;
	struct mpi_request r;

	while (!atomic_load_explicit(there, memory_order_acquire))
		;
	EXPECT_TRUE(mpi_request_take(t, 16, &r));
	return NULL;
}

static void
the_first_search_by_another_thread_meets_a_busy_owner(void)
{
	for (int round = 0; round < 200; round++) {
		struct mpi_request_table *t = begin(true);
		_Atomic bool there = false;
		struct mpi_request r;
		pthread_t other;

		EXPECT_EQ(0,
		    pthread_create(&other, NULL, search_for_one, &there));
		put(t, 16, MPI_REQUEST_RECV, 1);
		atomic_store_explicit(&there, true, memory_order_release);
		for (uintptr_t n = 0; n < 400; n++) {
			put(t, 32 + n % 50, MPI_REQUEST_RECV, n);
			if (n >= 25)
				EXPECT_TRUE(mpi_request_take(t,
				    32 + (n - 25) % 50, &r));
		}
		EXPECT_EQ(0, pthread_join(other, NULL));
		EXPECT_EQ(25, counts[0]);
		mpi_request_tables_close(&tables);
	}
}

TEST_MAIN(finds_each_by_its_handle, finds_small_handles,
    a_shared_handle_gives_the_oldest_request,
    a_request_of_a_shared_handle_may_change_its_table,
    a_receive_with_a_reused_handle_replaces_the_old_one,
    a_persistent_request_stays, a_process_has_one_table_below_multiple,
    numbers_begin_at_one_and_are_never_zero,
    threads_complete_the_requests_of_others,
    threads_complete_the_requests_of_others_without_membarrier,
    threads_find_all_requests_of_a_shared_handle,
    the_first_search_by_another_thread_meets_a_busy_owner)
