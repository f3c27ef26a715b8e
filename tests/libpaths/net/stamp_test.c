/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/stamp_test.c - proves libpaths/net/stamp.c, and that a
 * stamp which waits to be read neither wakes a thread again and again nor looks
 * like the end of a connection
 */

#include "libpaths/net/conn_private.h"

#include "libpaths/clock.h"
#include "tests/test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/net_tstamp.h>

#define HOP 3u
/* A thread that is interrupted for 1 ms before it reads a stamp does not use
   it.  This happens rarely, but beside other programs it happens. */
#define TRIES 10000u

static struct paths__conn conn;
static int peer;

/* Opens a connection over the loopback device, which stamps what leaves. */
static void
open_both(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	EXPECT_EQ(0, bind(listener, (struct sockaddr *)&at, sizeof(at)));
	EXPECT_EQ(0, listen(listener, 1));
	EXPECT_EQ(0, getsockname(listener, (struct sockaddr *)&at, &bytes));
	EXPECT_EQ(0, connect(fd, (struct sockaddr *)&at, bytes));
	peer = accept(listener, NULL, NULL);
	EXPECT_TRUE(peer >= 0);
	close(listener);
	paths__conn_init(&conn, fd, 4096);
	conn.stamped = paths__stamp_enable(fd);
	EXPECT_TRUE(conn.stamped);
}

static void
close_both(void)
{
	paths__conn_fini(&conn);
	close(peer);
}

static void
put(uint32_t serial)
{
	struct paths__frame f = { .type = PATHS__FRAME_OP,
		.hop = HOP,
		.serial = serial };

	EXPECT_TRUE(paths__conn_put(&conn, &f, "tuple", 5));
}

/* Receives a frame on the other side. */
static void
receive(void)
{
	uint8_t bytes[sizeof(struct paths__frame) + 5];

	EXPECT_EQ((ssize_t)sizeof(bytes),
	    recv(peer, bytes, sizeof(bytes), MSG_WAITALL));
}

/* Sends bytes whose stamp is left in the error queue. */
static void
send_unread(void)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(uint32_t))];
	} control = { .bytes = { 0 } };
	struct iovec piece = { (char[]){ "x" }, 1 };
	struct msghdr msg = { .msg_iov = &piece,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	const uint32_t wanted = SOF_TIMESTAMPING_TX_SOFTWARE;

	control.align.cmsg_level = SOL_SOCKET;
	control.align.cmsg_type = SO_TIMESTAMPING;
	control.align.cmsg_len = CMSG_LEN(sizeof(wanted));
	memcpy(CMSG_DATA(&control.align), &wanted, sizeof(wanted));
	EXPECT_EQ(1, sendmsg(conn.fd, &msg, 0));
}

/* Waits for an error of the socket; a time in ms, or -1. */
static bool
has_error(int ms)
{
	struct pollfd p = { .fd = conn.fd };

	return poll(&p, 1, ms) == 1 && (p.revents & POLLERR) != 0;
}

static void
the_last_frame_of_a_send_is_stamped_on_its_way(void)
{
	uint64_t before, left = 0;
	uint32_t serial = 0;

	open_both();
	do {
		EXPECT_TRUE(++serial < TRIES);
		put(0);
		put(serial);
		before = paths_clock_ticks();
		/* The stamp of an interrupted try may still be awaited. */
		conn.stamp.awaited = false;
		paths__stamp_ask(&conn, HOP, serial);
		EXPECT_TRUE(paths__conn_flush(&conn));
		receive();
		receive();
		left = paths__stamp_left(&conn, HOP, serial);
	} while (left == 0);
	EXPECT_TRUE(left >= before && left <= paths_clock_ticks_ordered());
	EXPECT_EQ(0, paths__stamp_left(&conn, HOP, serial - 1));
	EXPECT_EQ(0, paths__stamp_left(&conn, HOP + 1, serial));
	EXPECT_TRUE(!has_error(0));
	close_both();
}

/* The kernel would stamp the last byte, which leaves later. */
static void
a_frame_with_others_behind_has_no_stamp(void)
{
	open_both();
	put(1);
	paths__stamp_ask(&conn, HOP, 1);
	put(2);
	EXPECT_TRUE(paths__conn_flush(&conn));
	receive();
	receive();
	EXPECT_EQ(0, paths__stamp_left(&conn, HOP, 1));
	EXPECT_TRUE(!has_error(0));
	close_both();
}

/* The stamp of bytes before the frame is not taken for that of the frame, and
   two frames do not wait for stamps together. */
static void
an_earlier_stamp_is_not_that_of_the_frame(void)
{
	open_both();
	send_unread();
	EXPECT_TRUE(has_error(-1));
	conn.stamp.hop = HOP;
	conn.stamp.serial = 9;
	conn.stamp.awaited = true;
	conn.stamp.put = paths_clock_ticks_ordered();
	EXPECT_EQ(0, paths__stamp_left(&conn, HOP, 9));
	EXPECT_TRUE(conn.stamp.awaited);
	put(10);
	paths__stamp_ask(&conn, HOP, 10);
	EXPECT_TRUE(!conn.stamp.asks);
	EXPECT_EQ(9, conn.stamp.serial);
	close_both();
}

/* A second wait lasts, because the first one has read the stamp. */
static void
a_thread_that_waits_reads_the_stamp(void)
{
	uint64_t until;

	open_both();
	send_unread();
	EXPECT_TRUE(has_error(-1));
	paths__conn_park(&conn, UINT64_MAX);
	EXPECT_TRUE(!has_error(0));
	until = paths_clock_ticks() + paths_clock_ns_to_ticks(2000000);
	paths__conn_park(&conn, until);
	EXPECT_TRUE(paths_clock_ticks() >= until);
	EXPECT_TRUE(!conn.broken);
	close_both();
}

/* Events of the connection on the thread of a loop. */
struct seen {
	sem_t failed, read;
	int failures;
};

static void
event(void *to, int events)
{
	struct seen *seen = to;
	char byte;

	if (events & PATHS__FAILED) {
		seen->failures++;
		paths__conn_take_stamps(&conn);
		sem_post(&seen->failed);
	}
	if (recv(conn.fd, &byte, 1, MSG_DONTWAIT) == 1)
		sem_post(&seen->read);
}

static void
await(sem_t *sem)
{
	while (sem_wait(sem) != 0)
		sched_yield();
}

/* libuv stops watching a socket that has an error. */
static void
a_loop_goes_on_after_a_stamp(void)
{
	struct paths__loop *loop;
	struct seen seen = { .failures = 0 };

	open_both();
	sem_init(&seen.failed, 0, 0);
	sem_init(&seen.read, 0, 0);
	EXPECT_OK(paths__loop_open(&loop));
	EXPECT_OK(paths__loop_watch(loop, conn.fd, event, &seen, &conn.watch));
	send_unread();
	EXPECT_TRUE(has_error(-1));
	EXPECT_OK(paths__loop_start(loop));
	await(&seen.failed);
	EXPECT_EQ(1, send(peer, "y", 1, 0));
	await(&seen.read);
	paths__loop_stop(loop);
	EXPECT_EQ(1, seen.failures);
	EXPECT_TRUE(!has_error(0));
	paths__loop_unwatch(conn.watch);
	paths__loop_close(loop);
	close_both();
}

TEST_MAIN(the_last_frame_of_a_send_is_stamped_on_its_way,
    a_frame_with_others_behind_has_no_stamp,
    an_earlier_stamp_is_not_that_of_the_frame,
    a_thread_that_waits_reads_the_stamp, a_loop_goes_on_after_a_stamp)
