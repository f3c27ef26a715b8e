/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/ring_test.c - proves libpaths/net/ring.c
 */

#include "libpaths/net/ring_private.h"

#include "tests/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOTAL (8u << 20)

static void
both_ends(struct paths__ring **a, struct paths__ring **b)
{
	int fd = -1;

	EXPECT_OK(paths__ring_create(a, &fd));
	EXPECT_OK(paths__ring_attach(fd, b));
	close(fd);
}

static void *
put_all(void *arg)
{
	struct paths__ring *ring = arg;
	uint8_t piece[1000];
	size_t done = 0;
	bool wake;

	while (done < TOTAL) {
		size_t count = done % 997 + 1;
		ptrdiff_t n;

		if (count > TOTAL - done)
			count = TOTAL - done;
		for (size_t i = 0; i < count; i++)
			piece[i] = (uint8_t)((done + i) * 31 >> 3);
		n = paths__ring_put(ring, piece, count, &wake);
		EXPECT_TRUE(n >= 0);
		if (n == 0)
			sched_yield();
		done += (size_t)n;
	}
	return NULL;
}

static void
get_all(struct paths__ring *ring)
{
	uint8_t piece[777];
	size_t done = 0;
	bool wake;

	while (done < TOTAL) {
		ptrdiff_t n =
		    paths__ring_get(ring, piece, sizeof(piece), &wake);

		EXPECT_TRUE(n >= 0);
		if (n == 0)
			sched_yield();
		for (size_t i = 0; i < (size_t)n; i++)
			if (piece[i] != (uint8_t)((done + i) * 31 >> 3))
				EXPECT_EQ(done + i, 0);
		done += (size_t)n;
	}
}

/* Two threads, one direction after the other. */
static void
bytes_come_out_as_they_went_in(void)
{
	struct paths__ring *a, *b;
	pthread_t putter;

	both_ends(&a, &b);
	EXPECT_EQ(0, pthread_create(&putter, NULL, put_all, a));
	get_all(b);
	EXPECT_EQ(0, pthread_join(putter, NULL));
	EXPECT_EQ(0, pthread_create(&putter, NULL, put_all, b));
	get_all(a);
	EXPECT_EQ(0, pthread_join(putter, NULL));
	paths__ring_close(a);
	paths__ring_close(b);
}

static void
only_a_reader_that_sleeps_is_woken(void)
{
	struct paths__ring *a, *b;
	char byte = 'x';
	bool wake = true;

	both_ends(&a, &b);
	EXPECT_EQ(1, paths__ring_put(a, &byte, 1, &wake));
	EXPECT_TRUE(!wake);
	/* A reader does not sleep while there is a byte to get. */
	EXPECT_TRUE(!paths__ring_sleep(b, true, false));
	paths__ring_sleep(b, false, false);
	EXPECT_EQ(1, paths__ring_get(b, &byte, 1, &wake));
	EXPECT_TRUE(paths__ring_sleep(b, true, false));
	EXPECT_EQ(1, paths__ring_put(a, &byte, 1, &wake));
	EXPECT_TRUE(wake);
	paths__ring_close(a);
	paths__ring_close(b);
}

/* Once, when half of the ring is free. */
static void
a_writer_that_waits_for_room_is_woken(void)
{
	struct paths__ring *a, *b;
	char *much = calloc(1, 1 << 20);
	ptrdiff_t all;
	bool wake;

	both_ends(&a, &b);
	all = paths__ring_put(a, much, 1 << 20, &wake);
	EXPECT_TRUE(all < 1 << 20);
	EXPECT_EQ(0, paths__ring_put(a, much, 1, &wake));
	EXPECT_TRUE(paths__ring_sleep(a, true, true));
	EXPECT_TRUE(paths__ring_get(b, much, 100, &wake) == 100);
	EXPECT_TRUE(!wake);
	EXPECT_EQ(all / 2, paths__ring_get(b, much, (size_t)all / 2, &wake));
	EXPECT_TRUE(wake);
	EXPECT_TRUE(!paths__ring_sleep(a, true, true));
	EXPECT_EQ(100, paths__ring_get(b, much, 100, &wake));
	EXPECT_TRUE(wake);
	EXPECT_EQ(100, paths__ring_get(b, much, 100, &wake));
	EXPECT_TRUE(!wake);
	free(much);
	paths__ring_close(a);
	paths__ring_close(b);
}

/* The other side writes impossible counters. */
static void
wrong_counters_are_refused(void)
{
	struct paths__ring *a;
	uint64_t *words;
	char byte;
	bool wake;
	int fd = -1;

	EXPECT_OK(paths__ring_create(&a, &fd));
	words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	EXPECT_TRUE(words != MAP_FAILED);
	words[0] = UINT64_MAX / 2; /* bytes that a has put */
	EXPECT_EQ(-1, paths__ring_put(a, "x", 1, &wake));
	munmap(words, 4096);
	close(fd);
	EXPECT_EQ(0, paths__ring_get(a, &byte, 1, &wake));
	paths__ring_close(a);
}

/* Returns the size of the memory of a ring. */
static off_t
ring_bytes(void)
{
	struct paths__ring *ring;
	struct stat sb;
	int fd;

	EXPECT_OK(paths__ring_create(&ring, &fd));
	EXPECT_EQ(0, fstat(fd, &sb));
	paths__ring_close(ring);
	close(fd);
	return sb.st_size;
}

static void
expect_refused(off_t bytes, int seals)
{
	struct paths__ring *ring;
	int fd = memfd_create("open", MFD_ALLOW_SEALING);

	EXPECT_EQ(0, ftruncate(fd, bytes));
	EXPECT_EQ(0, fcntl(fd, F_ADD_SEALS, seals));
	EXPECT_EQ(PATHS_EPROTO, paths__ring_attach(fd, &ring));
	close(fd);
}

static void
memory_that_can_be_truncated_is_refused(void)
{
	expect_refused(ring_bytes(), 0);
	expect_refused(ring_bytes(), F_SEAL_GROW);
}

static void
memory_of_another_size_is_refused(void)
{
	struct paths__ring *ring;

	expect_refused(0, F_SEAL_SHRINK);
	expect_refused(ring_bytes() - 1, F_SEAL_SHRINK);
	expect_refused(ring_bytes() + 1, F_SEAL_SHRINK);
	EXPECT_EQ(PATHS_EPROTO, paths__ring_attach(-1, &ring));
}

TEST_MAIN(bytes_come_out_as_they_went_in, only_a_reader_that_sleeps_is_woken,
    a_writer_that_waits_for_room_is_woken, wrong_counters_are_refused,
    memory_that_can_be_truncated_is_refused, memory_of_another_size_is_refused)
