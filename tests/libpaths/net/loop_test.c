/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/loop_test.c - proves libpaths/net/loop.c
 */

#include "libpaths/net/loop_private.h"

#include "libpaths/engine/wait_private.h"
#include "libpaths/log.h"
#include "tests/test.h"

#include <errno.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* The limit rises until there are descriptors enough. */
static void
a_lack_of_descriptors_is_named(void)
{
	struct paths__loop *loop = NULL;
	struct rlimit before, limit;
	paths_status st = PATHS_EIO;

	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	limit = before;
	for (rlim_t n = 0; st != PATHS_OK && n < 64; n++) {
		limit.rlim_cur = n;
		EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
		st = paths__loop_open(&loop);
		EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
		if (st != PATHS_OK)
			EXPECT_STR_EQ("no loop: Too many open files",
			    paths_log_last());
	}
	EXPECT_OK(st);
	paths__loop_close(loop);
}

/* A descriptor that the loop watches. */
struct watched {
	struct paths__loop *loop;
	int fd;
	struct paths__watch *watch;
	int reads_left;
	sem_t read;
};

static void
watched_open(struct watched *w, struct paths__loop *loop, paths__watch_fn *fn,
    void *to)
{
	w->loop = loop;
	w->fd = eventfd(0, EFD_NONBLOCK);
	sem_init(&w->read, 0, 0);
	EXPECT_OK(paths__loop_watch(loop, w->fd, fn, to, &w->watch));
}

static void
watched_wait(struct watched *w)
{
	while (sem_wait(&w->read) != 0)
		EXPECT_EQ(EINTR, errno);
}

/* Lets the loop yield after this iteration, because it asks for events before
   it sleeps, and yields may be switched off. */
static void
yields_are_on(void)
{
	while (!paths__wait_yield(0, UINT32_MAX))
		;
}

/* Takes the descriptor for readable whenever it is asked. */
static void
busy(void *to, int events)
{
	struct watched *w = to;

	EXPECT_EQ(PATHS__READABLE, events);
	yields_are_on();
	paths__loop_expect(w->watch);
	if (--w->reads_left > 0)
		return;
	paths__loop_unwatch(w->watch);
	w->watch = NULL;
	sem_post(&w->read);
}

static void
quiet(void *to, int events)
{
	struct watched *w = to;
	uint64_t count;

	EXPECT_EQ(PATHS__READABLE, events);
	EXPECT_EQ(sizeof(count), read(w->fd, &count, sizeof(count)));
	sem_post(&w->read);
}

/* Reads of `busy` between a write to another descriptor and its read. */
#define READS_AHEAD_MAX 100

/* A watch that is always expected, and another one. */
struct rivals {
	struct watched expected, other;
	int ahead; /* reads of `expected` since `other` became readable */
	bool late;
};

/* Makes the other descriptor readable. */
static void
rivals_write(struct rivals *r)
{
	const uint64_t one = 1;

	r->ahead = 0;
	EXPECT_EQ(sizeof(one), write(r->other.fd, &one, sizeof(one)));
}

static void
rival_busy(void *to, int events)
{
	struct rivals *r = to;

	EXPECT_EQ(PATHS__READABLE, events);
	yields_are_on();
	paths__loop_expect(r->expected.watch);
	/* The test ends with the last read of `other`, the loop later. */
	if (r->other.reads_left > 0 && ++r->ahead > READS_AHEAD_MAX)
		r->late = true;
}

static void
rival_other(void *to, int events)
{
	struct rivals *r = to;
	uint64_t count;

	EXPECT_EQ(PATHS__READABLE, events);
	EXPECT_EQ(sizeof(count), read(r->other.fd, &count, sizeof(count)));
	if (--r->other.reads_left > 0)
		rivals_write(r);
	else
		sem_post(&r->other.read);
}

static void
a_watch_that_is_always_expected_delays_no_other(void)
{
	static struct rivals r;
	struct paths__loop *loop;
	uint64_t one = 1;

	EXPECT_OK(paths__loop_open(&loop));
	r.other.reads_left = 1000;
	watched_open(&r.expected, loop, rival_busy, &r);
	watched_open(&r.other, loop, rival_other, &r);
	EXPECT_EQ(sizeof(one), write(r.expected.fd, &one, sizeof(one)));
	rivals_write(&r);
	EXPECT_OK(paths__loop_start(loop));
	watched_wait(&r.other);
	paths__loop_stop(loop);
	EXPECT_TRUE(!r.late);
	paths__loop_unwatch(r.expected.watch);
	paths__loop_unwatch(r.other.watch);
	paths__loop_close(loop);
	close(r.expected.fd);
	close(r.other.fd);
}

/* The memory of a watch is free soon after its end.  The loop reads first by
   events, from the third time on because it expects to. */
static void
a_watch_that_ends_is_expected_no_more(void)
{
	static struct watched w, last;
	struct paths__loop *loop;
	uint64_t one = 1;

	for (int reads = 1; reads <= 4; reads++) {
		EXPECT_OK(paths__loop_open(&loop));
		w.reads_left = reads;
		watched_open(&w, loop, busy, &w);
		watched_open(&last, loop, quiet, &last);
		EXPECT_EQ(sizeof(one), write(w.fd, &one, sizeof(one)));
		EXPECT_OK(paths__loop_start(loop));
		watched_wait(&w);
		/* The loop goes on, without the watch. */
		EXPECT_EQ(sizeof(one), write(last.fd, &one, sizeof(one)));
		watched_wait(&last);
		EXPECT_EQ(0, w.reads_left);
		paths__loop_stop(loop);
		paths__loop_unwatch(last.watch);
		paths__loop_close(loop);
		close(w.fd);
		close(last.fd);
	}
}

TEST_MAIN(a_lack_of_descriptors_is_named,
    a_watch_that_is_always_expected_delays_no_other,
    a_watch_that_ends_is_expected_no_more)
