/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/silence_test.c - proves libpaths/net/silence.c
 *
 * The steps are counted here, so no case depends on time.  silence.tap has the
 * same between processes.
 */

#include "libpaths/net/silence_private.h"

#include "tests/test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

static struct paths__conn conn, peer;

static void
begin(void)
{
	int fds[2];

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	paths__conn_init(&conn, fds[0], 512);
	paths__conn_init(&peer, fds[1], 512);
}

static void
end(void)
{
	paths__conn_fini(&conn);
	paths__conn_fini(&peer);
}

/* Returns the count of steps after which the connection is lost. */
static unsigned
steps_until_lost(const struct paths_map *map, uint32_t *quiet)
{
	unsigned steps = 1;

	while (!paths__silence_count(map, quiet, &conn))
		steps++;
	return steps;
}

/* Reads a beat of the peer. */
static void
hear(uint32_t step)
{
	struct paths__frame f;
	const uint8_t *payload;

	paths__silence_beat(&peer, step);
	EXPECT_TRUE(paths__conn_fill(&conn));
	EXPECT_TRUE(paths__conn_next(&conn, &f, &payload));
	EXPECT_EQ(PATHS__FRAME_BEAT, f.type);
}

static void
a_silent_peer_is_lost_within_the_limit_and_a_second(void)
{
	static const uint64_t limits_ms[] = { 100, 101, 777, 1000, 5000, 8001,
		60000, 3600000 };

	for (size_t i = 0; i < sizeof(limits_ms) / sizeof(limits_ms[0]); i++) {
		const struct paths_map map = { .silence_ns =
						   limits_ms[i] * MS };
		uint32_t quiet = 0;
		uint64_t ms;

		begin();
		ms = steps_until_lost(&map, &quiet);
		ms *= paths__silence_step_ms(&map);
		/* A step has begun when the peer becomes silent, and steps are
		   a whole number of ms. */
		EXPECT_TRUE(ms <= limits_ms[i] + 1000);
		EXPECT_TRUE(ms >= limits_ms[i] - limits_ms[i] / 10);
		EXPECT_TRUE(conn.broken);
		end();
	}
}

static void
the_reason_is_the_limit(void)
{
	const struct paths_map map = { .silence_ns = 1500 * MS };
	uint32_t quiet = 0;

	begin();
	(void)steps_until_lost(&map, &quiet);
	EXPECT_STR_EQ("silent for 1.50 s", conn.why);
	end();
}

static void
a_peer_that_sends_beats_is_not_silent(void)
{
	const struct paths_map map = { .silence_ns = 1000 * MS };
	uint32_t quiet = 0;
	unsigned steps;

	begin();
	steps = steps_until_lost(&map, &quiet);
	end();
	begin();
	quiet = 0;
	for (uint32_t n = 1; n < 100; n++) {
		for (unsigned i = 1; i < steps; i++)
			EXPECT_TRUE(!paths__silence_count(&map, &quiet, &conn));
		hear(n);
	}
	EXPECT_TRUE(!paths__silence_count(&map, &quiet, &conn));
	EXPECT_EQ(0, quiet);
	end();
}

static void
a_step_has_one_beat(void)
{
	struct paths__frame f;
	const uint8_t *payload;

	begin();
	hear(1);
	paths__silence_beat(&peer, 1);
	EXPECT_TRUE(!paths__conn_fill(&conn));
	EXPECT_TRUE(!paths__conn_next(&conn, &f, &payload));
	hear(2);
	end();
}

/* Makes the two ends of a connection over TCP. */
static void
tcp_pair(int fds[2])
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(sin);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	EXPECT_EQ(0, bind(listener, (struct sockaddr *)&sin, sizeof(sin)));
	EXPECT_EQ(0, listen(listener, 1));
	EXPECT_EQ(0, getsockname(listener, (struct sockaddr *)&sin, &bytes));
	fds[0] = socket(AF_INET, SOCK_STREAM, 0);
	EXPECT_EQ(0, connect(fds[0], (struct sockaddr *)&sin, sizeof(sin)));
	fds[1] = accept(listener, NULL, NULL);
	EXPECT_TRUE(fds[1] >= 0);
	close(listener);
}

/* Opens a connection that the kernel gives up, because its peer takes no more
   bytes. */
static void
begin_given_up(const struct paths_map *map)
{
	static const char bytes[65536];
	struct pollfd ended = { .events = 0 };
	int fds[2];

	tcp_pair(fds);
	paths__conn_init(&conn, fds[0], 512);
	paths__conn_init(&peer, fds[1], 512);
	while (send(fds[0], bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	paths__silence_limit(map, &conn);
	ended.fd = fds[0];
	EXPECT_EQ(1, poll(&ended, 1, -1));
}

/* The first that uses the socket gets its error, the next one an end. */
static void
a_kernel_that_gives_up_is_the_same_reason(void)
{
	const struct paths_map map = { .silence_ns = 100 * MS };

	/* A beat takes the error before the read, or before a send and the
	   read. */
	for (int uses = 0; uses < 3; uses++) {
		struct paths__frame f = { .type = PATHS__FRAME_OP };

		begin_given_up(&map);
		if (uses > 0)
			paths__silence_beat(&conn, 1);
		if (uses > 1) {
			EXPECT_TRUE(paths__conn_put(&conn, &f, NULL, 0));
			EXPECT_TRUE(paths__conn_flush(&conn));
		}
		EXPECT_TRUE(!paths__conn_fill(&conn));
		EXPECT_TRUE(conn.broken);
		EXPECT_STR_EQ("silent for 100 ms", conn.why);
		end();
	}
}

static void
a_read_that_blocks_ends_after_a_step(void)
{
	const struct paths_map map = { .silence_ns = 100 * MS };
	struct paths__frame f;
	const uint8_t *payload;

	begin();
	paths__silence_wake(&map, &conn);
	EXPECT_TRUE(!paths__conn_wait_fill(&conn));
	EXPECT_TRUE(!conn.broken);
	paths__silence_beat(&peer, 1);
	EXPECT_TRUE(paths__conn_wait_fill(&conn));
	EXPECT_TRUE(paths__conn_next(&conn, &f, &payload));
	paths__conn_fini(&peer);
	EXPECT_TRUE(!paths__conn_wait_fill(&conn));
	EXPECT_STR_EQ("connection closed", conn.why);
	paths__conn_fini(&conn);
}

TEST_MAIN(a_silent_peer_is_lost_within_the_limit_and_a_second,
    the_reason_is_the_limit, a_peer_that_sends_beats_is_not_silent,
    a_step_has_one_beat, a_read_that_blocks_ends_after_a_step,
    a_kernel_that_gives_up_is_the_same_reason)
