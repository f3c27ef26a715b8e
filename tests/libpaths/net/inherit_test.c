/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/inherit_test.c - proves libpaths/net/inherit.c
 */

#include "libpaths/net/inherit_private.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int
socket_of(const char *list, uint16_t port)
{
	int fd = 0;

	EXPECT_OK(paths__inherit_parse(list, port, &fd));
	return fd;
}

static void
an_entry_is_found_by_its_port(void)
{
	const char list[] = "tcp:7100=5  tcp:10.0.0.1:7101=6 tcp:[::1]:72=7 ";

	EXPECT_EQ(5, socket_of(list, 7100));
	EXPECT_EQ(6, socket_of(list, 7101));
	EXPECT_EQ(7, socket_of(list, 72));
	EXPECT_EQ(-1, socket_of(list, 2));
	EXPECT_EQ(-1, socket_of(list, 710));
	EXPECT_EQ(-1, socket_of("", 7100));
}

static void
a_wrong_entry_is_refused(void)
{
	static const char *const wrong[] = { "tcp:7100=", "tcp:7100=five",
		"tcp:7100=-1", "tcp:7100=5x", "tcp:7100= 5", "7100=5",
		"udp:7100=5", "tcp:=5", "tcp:65536=5", "tcp:7100=2147483648",
		"tcp:71=6 tcp:7100", "=", "tcp:7100=5\ttcp:71=6" };
	int fd;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		EXPECT_EQ(PATHS_ESYNTAX,
		    paths__inherit_parse(wrong[i], 7100, &fd));
	EXPECT_STR_EQ("expected tcp:PORT=FD or tcp:ADDRESS:PORT=FD, not "
		      "\"tcp:7100=5?tcp:71=6\"",
	    paths_log_last());
}

/* atoi made the standard input of "tcp:7100=" the socket. */
static void
a_descriptor_that_does_not_listen_is_refused(void)
{
	int ends[2], fd = -1;
	char list[32], why[96];

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	snprintf(list, sizeof(list), "tcp:7100=%d", ends[0]);
	snprintf(why, sizeof(why),
	    "PATHS_LISTEN_FDS: descriptor %d of port 7100 is not a socket that "
	    "listens",
	    ends[0]);
	EXPECT_EQ(0, setenv("PATHS_LISTEN_FDS", list, 1));
	EXPECT_EQ(PATHS_EINVAL, paths__inherit_find(7100, &fd));
	EXPECT_STR_EQ(why, paths_log_last());
	EXPECT_OK(paths__inherit_find(7101, &fd));
	EXPECT_EQ(-1, fd);
	close(ends[0]);
	close(ends[1]);
	EXPECT_EQ(PATHS_EINVAL, paths__inherit_find(7100, &fd));
	EXPECT_EQ(0, setenv("PATHS_LISTEN_FDS", "tcp:7100=", 1));
	EXPECT_EQ(PATHS_EINVAL, paths__inherit_find(7100, &fd));
	EXPECT_STR_EQ("PATHS_LISTEN_FDS: expected tcp:PORT=FD or "
		      "tcp:ADDRESS:PORT=FD, not \"tcp:7100=\"",
	    paths_log_last());
}

TEST_MAIN(an_entry_is_found_by_its_port, a_wrong_entry_is_refused,
    a_descriptor_that_does_not_listen_is_refused)
