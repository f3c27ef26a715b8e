/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/comm_test.c - members and identities of communicators
 */

#include "tests/collectors/mpi/fake_comms.h"

#include "tests/test.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static struct fake_process one, two;

/* Makes a communicator of another one, as a call does. */
static struct mpi_comm *
make(struct fake_process *p, mpi_handle handle, mpi_handle parent)
{
	struct mpi_origin origin = { 0 };

	if (parent != 0)
		origin.parent = mpi_comm_find(&p->thread, parent);
	return mpi_comm_make(p->process.world, handle, &origin);
}

static void
drop(struct fake_process *p, mpi_handle handle)
{
	mpi_comm_table_remove(p->process.world, mpi_key(handle, MPI_KIND_COMM));
}

static void
ranks_of_the_world_are_not_translated(void)
{
	const struct mpi_comm *world;

	fake_begin(12);
	fake_be(&one, 3, 0, 12);
	world = mpi_comm_find(&one.thread, 0x1000);
	EXPECT_EQ(ES_MPI_COMM_WORLD, world->id);
	EXPECT_TRUE(world->world == NULL);
	EXPECT_EQ(12, world->peers);
	EXPECT_EQ(3, world->rank);
	EXPECT_EQ(11, mpi_comm_peer(world, 11));
	EXPECT_EQ(ES_MPI_PEER_NONE, mpi_comm_peer(world, 12));
	EXPECT_EQ(ES_MPI_PEER_NONE, mpi_comm_peer(world, -1));
	fake_end(&one);
}

static void
ranks_are_those_of_the_world(void)
{
	static const int scattered[] = { 7, 2, 11, 3, 4, 5, 0 };
	const struct mpi_comm *comm;

	fake_begin(12);
	fake_be(&one, 4, 0, 12);
	comm = make(&one, fake_comm((struct fake_range){ 10, -2, 6 }), 0x1000);
	for (int n = 0; n < 6; n++)
		EXPECT_EQ(10 - 2 * n, mpi_comm_peer(comm, n));
	EXPECT_EQ(3, comm->rank);
	EXPECT_EQ(1, one.last.runs);
	EXPECT_EQ(10, one.last_runs[0].first);
	EXPECT_EQ(-2, one.last_runs[0].stride);
	EXPECT_EQ(6, one.last_runs[0].count);
	comm = make(&one, fake_comm_list(scattered, 7), 0x1000);
	for (int n = 0; n < 7; n++)
		EXPECT_EQ(scattered[n], mpi_comm_peer(comm, n));
	EXPECT_EQ(1, one.last.parent);
	EXPECT_EQ(7, one.last.size);
	fake_end(&one);
}

/* The members are ranges of strides 1 and -1, with two members exchanged. */
static void
members_of_any_order_are_found(void)
{
	enum { COUNT = 1000 };
	int members[COUNT];
	const struct mpi_comm *comm;

	fake_begin(COUNT);
	fake_be(&one, 17, 0, COUNT);
	for (int n = 0; n < COUNT; n++)
		members[n] = n < 400 ? n : n < 700 ? 1099 - n : n;
	members[3] = 950;
	members[950] = 3;
	comm = make(&one, fake_comm_list(members, COUNT), 0x1000);
	for (int n = 0; n < COUNT; n++)
		EXPECT_EQ(members[n], mpi_comm_peer(comm, n));
	fake_end(&one);
}

static void
comparisons_grow_in_proportion_to_the_members(void)
{
	enum { COUNT = 20000 };

	fake_begin(COUNT);
	fake_be(&one, 17, 0, COUNT);
	mpi_comm_find(&one.thread, 0x1000);
	fake_comparisons = 0;
	make(&one, fake_comm((struct fake_range){ COUNT - 1, -1, COUNT }),
	    0x1000);
	EXPECT_TRUE(fake_comparisons < (uint64_t)100 * COUNT);
	fake_end(&one);
}

static void
members_agree_on_the_identity(void)
{
	mpi_handle even, odd, again;
	uint64_t even_of_one, again_of_one;

	fake_begin(8);
	even = fake_comm((struct fake_range){ 0, 2, 4 });
	odd = fake_comm((struct fake_range){ 1, 2, 4 });
	again = fake_comm((struct fake_range){ 0, 2, 4 });
	fake_be(&one, 2, 0, 8);
	even_of_one = make(&one, even, 0x1000)->identity;
	again_of_one = make(&one, again, 0x1000)->identity;
	EXPECT_TRUE(even_of_one != again_of_one);
	/* Another member has more communicators. */
	fake_be(&two, 6, 0, 8);
	make(&two, fake_comm((struct fake_range){ 6, 1, 1 }), 0x1000);
	EXPECT_EQ(even_of_one, make(&two, even, 0x1000)->identity);
	EXPECT_EQ(again_of_one, make(&two, again, 0x1000)->identity);
	EXPECT_EQ(mpi_comm_find(&one.thread, 0x1000)->identity,
	    mpi_comm_find(&two.thread, 0x1000)->identity);
	fake_end(&two);
	fake_be(&two, 5, 0, 8);
	EXPECT_TRUE(make(&two, odd, 0x1000)->identity != even_of_one);
	fake_end(&one);
	fake_end(&two);
}

/* Makes communicators of one member each, and a copy of each. */
static void
two_communicators_never_have_the_same_identity(void)
{
	enum { COUNT = 40 };
	uint64_t seen[2 * COUNT];
	mpi_handle handle, copy;

	fake_begin(COUNT);
	fake_be(&one, 0, 0, COUNT);
	for (int n = 0; n < COUNT; n++) {
		handle = fake_comm((struct fake_range){ n, 1, 1 });
		copy = fake_comm((struct fake_range){ n, 1, 1 });
		seen[2 * n] = make(&one, handle, 0)->identity;
		seen[2 * n + 1] = make(&one, copy, handle)->identity;
	}
	for (int n = 0; n < 2 * COUNT; n++)
		for (int m = 0; m < n; m++)
			EXPECT_TRUE(seen[n] != seen[m]);
	fake_end(&one);
}

static void
another_parent_gives_another_identity(void)
{
	mpi_handle a, b, c;
	uint64_t of_world;

	fake_begin(4);
	a = fake_comm((struct fake_range){ 0, 1, 4 });
	b = fake_comm((struct fake_range){ 0, 1, 2 });
	c = fake_comm((struct fake_range){ 0, 1, 2 });
	fake_be(&one, 1, 0, 4);
	make(&one, a, 0x1000);
	of_world = make(&one, b, 0x1000)->identity;
	EXPECT_TRUE(make(&one, c, a)->identity != of_world);
	fake_end(&one);
}

static void
both_sides_of_an_intercommunicator_agree(void)
{
	mpi_handle inter;
	const struct mpi_comm *here, *there;

	fake_begin(8);
	inter = fake_intercomm((struct fake_range){ 5, 1, 3 },
	    (struct fake_range){ 0, 1, 4 });
	fake_be(&one, 6, 0, 8);
	here = make(&one, inter, 0);
	EXPECT_TRUE(here->inter);
	EXPECT_EQ(3, here->size);
	EXPECT_EQ(4, here->peers);
	EXPECT_EQ(3, mpi_comm_peer(here, 3));
	EXPECT_EQ(ES_MPI_COMM_INTER, one.last.flags);
	EXPECT_EQ(2, one.last.runs);
	EXPECT_EQ(1, one.last.local_runs);
	EXPECT_EQ(5, one.last_runs[0].first);
	fake_be(&two, 2, 0, 8);
	there = make(&two, inter, 0);
	EXPECT_EQ(3, there->peers);
	EXPECT_EQ(7, mpi_comm_peer(there, 2));
	EXPECT_EQ(here->identity, there->identity);
	fake_end(&one);
	fake_end(&two);
}

static void
a_process_outside_of_the_world_keeps_its_number(void)
{
	static const int mixed[] = { 21, 1, 20, 0, 30 };
	const struct mpi_comm *comm;

	fake_begin(4);
	fake_be(&one, 1, 0, 4);
	comm = make(&one,
	    fake_intercomm((struct fake_range){ 0, 1, 4 },
		(struct fake_range){ 20, 1, 3 }),
	    0);
	for (int n = 0; n < 3; n++)
		EXPECT_EQ(4 + n, mpi_comm_peer(comm, n));
	/* Two known processes outside of the world, and a new one. */
	comm = make(&one, fake_comm_list(mixed, 5), 0);
	EXPECT_EQ(5, mpi_comm_peer(comm, 0));
	EXPECT_EQ(1, mpi_comm_peer(comm, 1));
	EXPECT_EQ(4, mpi_comm_peer(comm, 2));
	EXPECT_EQ(0, mpi_comm_peer(comm, 3));
	EXPECT_EQ(7, mpi_comm_peer(comm, 4));
	comm = make(&one, fake_comm((struct fake_range){ 30, -1, 1 }), 0);
	EXPECT_EQ(7, mpi_comm_peer(comm, 0));
	fake_end(&one);
}

static void
a_reused_handle_is_another_communicator(void)
{
	mpi_handle handle;
	struct mpi_comm *first, *second;

	fake_begin(4);
	handle = fake_comm((struct fake_range){ 0, 1, 2 });
	fake_be(&one, 1, 0, 4);
	first = make(&one, handle, 0x1000);
	mpi_comm_hold(first);
	EXPECT_TRUE(mpi_comm_find(&one.thread, handle) == first);
	EXPECT_TRUE(mpi_comm_find(&one.thread, handle) == first);
	drop(&one, handle);
	second = make(&one, handle, 0x1000);
	EXPECT_TRUE(second != first);
	EXPECT_TRUE(mpi_comm_find(&one.thread, handle) == second);
	EXPECT_TRUE(first->id != second->id);
	EXPECT_TRUE(first->identity != second->identity);
	/* A held communicator stays valid. */
	EXPECT_EQ(1, mpi_comm_peer(first, 1));
	mpi_comm_release(first);
	fake_end(&one);
}

static void
a_communicator_made_unseen_is_found_at_its_first_use(void)
{
	mpi_handle handle;
	struct mpi_comm *comm;

	fake_begin(4);
	handle = fake_comm((struct fake_range){ 3, -1, 3 });
	fake_be(&one, 1, 0, 4);
	comm = mpi_comm_find(&one.thread, handle);
	EXPECT_EQ(3, mpi_comm_peer(comm, 0));
	EXPECT_EQ(0, one.last.parent);
	EXPECT_TRUE(mpi_comm_find(&one.thread, handle) == comm);
	EXPECT_TRUE(mpi_comm_find(&one.thread, 1) == NULL);
	EXPECT_TRUE(mpi_comm_find(&one.thread, 0x999999) == NULL);
	fake_end(&one);
}

static void
memory_of_freed_communicators_is_freed(void)
{
	struct mpi_origin origin = { 0 };
	size_t before = 0;
	mpi_handle handle;

	fake_begin(64);
	handle = fake_comm((struct fake_range){ 0, 3, 20 });
	fake_be(&one, 3, 0, 64);
	origin.parent = mpi_comm_find(&one.thread, 0x1000);
	for (int n = 0; n < 10000; n++) {
		if (n == 100)
			before = mallinfo2().uordblks;
		origin.like = n % 2 == 1 ? origin.parent : NULL;
		mpi_comm_make(one.process.world, handle, &origin);
		mpi_comm_find(&one.thread, handle);
		drop(&one, handle);
	}
	EXPECT_EQ(before, mallinfo2().uordblks);
	EXPECT_EQ(1, one.process.world->count);
	EXPECT_EQ(1, fake_groups); /* that of the world */
	EXPECT_EQ(10001, one.entries);
	fake_end(&one);
}

static void
many_communicators_at_one_time_are_found(void)
{
	enum { COUNT = 3000 };
	mpi_handle handles[COUNT];

	fake_begin(COUNT);
	fake_be(&one, 0, 0, COUNT);
	for (int n = 0; n < COUNT; n++) {
		handles[n] = fake_comm((struct fake_range){ n, 1, 1 });
		make(&one, handles[n], 0x1000);
	}
	for (int n = 0; n < COUNT; n++)
		EXPECT_EQ(n,
		    mpi_comm_peer(mpi_comm_find(&one.thread, handles[n]), 0));
	fake_end(&one);
}

static void
communicators_after_the_last_number_share_one(void)
{
	mpi_handle handle;

	fake_begin(4);
	handle = fake_comm((struct fake_range){ 0, 1, 2 });
	fake_be(&one, 1, 0, 4);
	for (int n = 0; n < 70000; n++)
		make(&one, handle, 0x1000);
	EXPECT_EQ(ES_MPI_COMM_MORE, mpi_comm_find(&one.thread, handle)->id);
	EXPECT_EQ(65533, one.entries);
	EXPECT_EQ(65534, one.last.id);
	fake_end(&one);
}

static void
a_window_outlives_its_communicator(void)
{
	mpi_handle handle;
	struct mpi_comm *window;

	fake_begin(6);
	handle = fake_comm((struct fake_range){ 1, 2, 3 });
	fake_be(&one, 3, 0, 6);
	mpi_comm_make_on(one.process.world, make(&one, handle, 0x1000),
	    mpi_key(handle, MPI_KIND_WINDOW));
	drop(&one, handle);
	window = mpi_comm_find_other(&one.thread, handle, MPI_KIND_WINDOW);
	EXPECT_EQ(5, mpi_comm_peer(window, 2));
	EXPECT_TRUE(mpi_comm_find(&one.thread, handle) != window);
	fake_end(&one);
}

/* Threads that find communicators while others make and free theirs. */
enum { THREADS = 4, ROUNDS = 2000 };

static struct mpi_thread workers[THREADS];
static mpi_handle shared_handle, own_handles[THREADS];

static void *
work(void *of)
{
	struct mpi_thread *t = of;
	mpi_handle own = own_handles[t - workers];
	struct mpi_world *w = t->process->world;
	struct mpi_origin origin = { 0 };

	for (int n = 0; n < ROUNDS; n++) {
		origin.parent = mpi_comm_find(t, shared_handle);
		EXPECT_EQ(2, mpi_comm_peer(origin.parent, 1));
		origin.like = origin.parent;
		mpi_comm_make(w, own, &origin);
		EXPECT_EQ(2, mpi_comm_peer(mpi_comm_find(t, own), 1));
		mpi_comm_table_remove(w, mpi_key(own, MPI_KIND_COMM));
	}
	mpi_comms_close(t->comms);
	return NULL;
}

static void
threads_find_communicators_while_others_free(void)
{
	pthread_t threads[THREADS];

	fake_begin(8);
	shared_handle = fake_comm((struct fake_range){ 1, 1, 4 });
	for (int n = 0; n < THREADS; n++)
		own_handles[n] = fake_comm((struct fake_range){ 1, 1, 4 });
	fake_be(&one, 1, 0, 8);
	make(&one, shared_handle, 0x1000);
	for (int n = 0; n < THREADS; n++) {
		workers[n].process = &one.process;
		EXPECT_OK(mpi_comms_open(one.process.world, &workers[n].comms));
		EXPECT_EQ(0,
		    pthread_create(&threads[n], NULL, work, &workers[n]));
	}
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
	EXPECT_EQ(2, one.process.world->count); /* world, shared_handle */
	fake_end(&one);
}

TEST_MAIN(ranks_of_the_world_are_not_translated, ranks_are_those_of_the_world,
    members_of_any_order_are_found,
    comparisons_grow_in_proportion_to_the_members,
    members_agree_on_the_identity,
    two_communicators_never_have_the_same_identity,
    another_parent_gives_another_identity,
    both_sides_of_an_intercommunicator_agree,
    a_process_outside_of_the_world_keeps_its_number,
    a_reused_handle_is_another_communicator,
    a_communicator_made_unseen_is_found_at_its_first_use,
    memory_of_freed_communicators_is_freed,
    many_communicators_at_one_time_are_found,
    communicators_after_the_last_number_share_one,
    a_window_outlives_its_communicator,
    threads_find_communicators_while_others_free)
