/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/loop_test.c - proves libpaths/net/loop.c
 */

#include "libpaths/net/loop_private.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <errno.h>
#include <limits.h>
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
	int reads_left; /* until unwatched, in `busy` */
	sem_t read;
};

static void
watched_open(struct watched *w, struct paths__loop *loop, paths__watch_fn *fn)
{
	w->loop = loop;
	w->fd = eventfd(0, EFD_NONBLOCK);
	sem_init(&w->read, 0, 0);
	EXPECT_OK(paths__loop_watch(loop, w->fd, fn, w, &w->watch));
}

static void
watched_wait(struct watched *w)
{
	while (sem_wait(&w->read) != 0)
		EXPECT_EQ(EINTR, errno);
}

/* Takes the descriptor for readable whenever it is asked. */
static void
busy(void *to, int events)
{
	struct watched *w = to;

	EXPECT_EQ(PATHS__READABLE, events);
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

static void
a_watch_that_is_always_expected_delays_no_other(void)
{
	static struct watched a, b;
	struct paths__loop *loop;
	uint64_t one = 1;

	EXPECT_OK(paths__loop_open(&loop));
	a.reads_left = INT_MAX;
	watched_open(&a, loop, busy);
	watched_open(&b, loop, quiet);
	EXPECT_EQ(sizeof(one), write(a.fd, &one, sizeof(one)));
	EXPECT_OK(paths__loop_start(loop));
	for (int i = 0; i < 100; i++) {
		EXPECT_EQ(sizeof(one), write(b.fd, &one, sizeof(one)));
		watched_wait(&b);
	}
	paths__loop_stop(loop);
	paths__loop_unwatch(a.watch);
	paths__loop_unwatch(b.watch);
	paths__loop_close(loop);
	close(a.fd);
	close(b.fd);
}

/* The memory of a watch is free soon after its end. */
static void
a_watch_that_ends_is_expected_no_more(void)
{
	static struct watched w;
	struct paths__loop *loop;
	uint64_t one = 1;

	EXPECT_OK(paths__loop_open(&loop));
	w.reads_left = 3;
	watched_open(&w, loop, busy);
	EXPECT_EQ(sizeof(one), write(w.fd, &one, sizeof(one)));
	EXPECT_OK(paths__loop_start(loop));
	watched_wait(&w);
	paths__loop_stop(loop);
	paths__loop_close(loop);
	close(w.fd);
}

TEST_MAIN(a_lack_of_descriptors_is_named,
    a_watch_that_is_always_expected_delays_no_other,
    a_watch_that_ends_is_expected_no_more)
