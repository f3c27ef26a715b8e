/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/relay_test.c - a relay between two processes changes,
 * repeats or inserts a frame
 *
 * The client connects to the port of the map, where the relay listens.  The
 * server listens on a socket of its own.  Each of the three is a process.
 */

#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "tests/libpaths/stages/help.h"
#include "tests/team.h"
#include "tests/test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define WRITES 4
#define CLIENT 0 /* index of the side that sends */
#define SERVER 1
#define RELAY_BYTES 4096

static const uint64_t tuple = UINT64_C(0x1122334455667788);

enum relay_action { PASS, CHANGE, REPEAT, INSERT };

/* The action of the relay, on one frame of a type from a side. */
struct relay_case {
	enum relay_action action;
	int side;
	uint8_t type;
	unsigned skip;	    /* frames of the type before it */
	const char *reason; /* that the client gives; NULL: any */
};

/* Results of the processes of one case. */
struct relay_result {
	paths_status st; /* of the client's first operation that failed */
	char why[256];
	uint64_t value; /* read by the client */
	bool saw;	/* the relay saw the tuple */
};

/* One side of the relay. */
struct relay_side {
	int fd;
	unsigned count; /* messages that passed */
	size_t have;
	uint8_t bytes[RELAY_BYTES];
};

static struct relay_result *result;
static struct relay_case now;
static int behind; /* the server's listening socket */

/* --- the relay ----------------------------------------------------------- */

/* Returns the size of the next message of a side; 0 before it is known. */
static size_t
relay_size(const struct relay_side *side, int which)
{
	static const size_t hello = sizeof(struct paths__hello);
	uint32_t bytes;

	if (side->count == 0)
		return which == CLIENT ? sizeof(struct paths__proof) : hello;
	if (side->count == 1 && which == SERVER)
		return sizeof(struct paths__welcome);
	if (side->have < sizeof(bytes))
		return 0;
	memcpy(&bytes, side->bytes, sizeof(bytes));
	return bytes;
}

static void
relay_put(int fd, const uint8_t *bytes, size_t count)
{
	/* The receiver may have closed the connection. */
	if (send(fd, bytes, count, MSG_NOSIGNAL) < 0)
		return;
}

static void
relay_act(int fd, uint8_t *bytes, size_t count)
{
	enum relay_action action = now.action;
	struct paths__frame f;

	memcpy(&f, bytes, sizeof(f));
	if (f.type != now.type || now.skip-- > 0)
		action = PASS;
	else
		now.action = PASS;
	if (action == CHANGE)
		bytes[sizeof(f)] ^= 1;
	if (action == INSERT)
		bytes[sizeof(f) - 1] ^= 1;
	relay_put(fd, bytes, count);
	if (action == INSERT)
		bytes[sizeof(f) - 1] ^= 1;
	if (action == REPEAT || action == INSERT)
		relay_put(fd, bytes, count);
}

/* Passes on the whole messages of a side.  Returns false at its end. */
static bool
relay_pass(struct relay_side sides[2], int which)
{
	struct relay_side *from = &sides[which];
	int to = sides[1 - which].fd;
	ssize_t n = recv(from->fd, from->bytes + from->have,
	    sizeof(from->bytes) - from->have, 0);
	size_t size;

	if (n <= 0)
		return false;
	from->have += (size_t)n;
	while ((size = relay_size(from, which)) > 0 && size <= from->have) {
		bool frame = from->count > (unsigned)which;

		if (memmem(from->bytes, size, &tuple, sizeof(tuple)))
			result->saw = true;
		if (frame && which == now.side)
			relay_act(to, from->bytes, size);
		else
			relay_put(to, from->bytes, size);
		from->count++;
		from->have -= size;
		memmove(from->bytes, from->bytes + size, from->have);
	}
	return true;
}

static int
relay_connect(void)
{
	struct sockaddr_in sin;
	socklen_t bytes = sizeof(sin);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (getsockname(behind, (struct sockaddr *)&sin, &bytes) != 0 ||
	    connect(fd, (struct sockaddr *)&sin, bytes) != 0)
		_exit(3);
	return fd;
}

/* Relays one connection until either side closes it. */
static int
relay(void)
{
	static struct relay_side sides[2];
	struct pollfd p[2];
	int fd = -1;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return 1;
	sides[CLIENT].fd = accept(fd, NULL, NULL);
	sides[SERVER].fd = relay_connect();
	for (;;) {
		for (int i = 0; i < 2; i++)
			p[i] = (struct pollfd){ sides[i].fd, POLLIN, 0 };
		if (poll(p, 2, -1) < 0)
			return 2;
		for (int i = 0; i < 2; i++)
			if (p[i].revents && !relay_pass(sides, i))
				return 0;
	}
}

/* --- the two processes --------------------------------------------------- */

static int
serve(void)
{
	struct paths_program *program;
	char fds[64];
	int port;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%d=", &port) != 1)
		return 1;
	snprintf(fds, sizeof(fds), "tcp:%d=%d", port, behind);
	setenv("PATHS_LISTEN_FDS", fds, 1);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		return 2;
	paths_program_close(program);
	return 0;
}

/* Writes some tuples and reads the first, until an operation fails. */
static int
use(void)
{
	struct paths_program *program;
	struct paths_path *path = NULL;
	uint64_t value = tuple;
	paths_status st = paths_program_open(NULL, NULL, &program);

	if (st == PATHS_OK)
		path = help_path(program, "t0", "e");
	for (int i = 0; i < WRITES && st == PATHS_OK; i++)
		st = paths_path_write(path, &value, sizeof(value));
	if (st == PATHS_OK)
		st = paths_path_read(path, &result->value, sizeof(value));
	result->st = st;
	snprintf(result->why, sizeof(result->why), "%s",
	    path ? paths_path_why(path) : paths_log_last());
	if (path)
		paths_program_close(program);
	return 0;
}

static void
run(const char *options, const struct relay_case *one)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	char map[512];
	struct team *team;
	pid_t pids[3];

	snprintf(map, sizeof(map),
	    "pathmap 1 %s\n"
	    "host h0\n"
	    "process p0 -host h0\n"
	    "process p1 -host h0 -listen tcp:0\n"
	    "thread t0 -process p0\n"
	    "element e -process p1 -type u64*1 -keep 8\n"
	    "path t0 e {{proxy p1 -via tcp} {element e}}\n",
	    options);
	memset(result, 0, sizeof(*result));
	now = *one;
	behind = socket(AF_INET, SOCK_STREAM, 0);
	EXPECT_EQ(0, bind(behind, (struct sockaddr *)&sin, sizeof(sin)));
	EXPECT_EQ(0, listen(behind, 8));
	team = team_open(map);
	pids[0] = team_fork(team, "p1", serve);
	pids[1] = team_fork(team, "relay", relay);
	pids[2] = team_fork(team, "p0", use);
	for (int i = 2; i >= 0; i--)
		EXPECT_EQ(0, team_wait(pids[i]));
	team_close(team);
	close(behind);
}

/* --- cases --------------------------------------------------------------- */

static const struct relay_case nothing = { PASS, CLIENT, 0, 0, NULL };
static const struct relay_case change = { CHANGE, CLIENT, PATHS__FRAME_OP, 0,
	NULL };

#define CAME "repeated, lost or inserted on the way"
#define CHANGED "was changed on the way"

static void
a_frame_on_the_way_is_protected(void)
{
	static const struct relay_case cases[] = {
		{ CHANGE, CLIENT, PATHS__FRAME_OPEN, 0, NULL },
		{ CHANGE, CLIENT, PATHS__FRAME_OP, 2, NULL },
		{ CHANGE, SERVER, PATHS__FRAME_ANSWER, WRITES + 1, CHANGED },
		{ REPEAT, CLIENT, PATHS__FRAME_OPEN, 0, NULL },
		{ REPEAT, CLIENT, PATHS__FRAME_OP, 1, NULL },
		{ REPEAT, SERVER, PATHS__FRAME_ANSWER, 0, CAME },
		{ REPEAT, SERVER, PATHS__FRAME_ANSWER, 2, CAME },
		{ INSERT, CLIENT, PATHS__FRAME_OP, 0, NULL },
		{ INSERT, SERVER, PATHS__FRAME_ANSWER, 0, CHANGED },
		{ INSERT, SERVER, PATHS__FRAME_ANSWER, 2, CHANGED },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run("", &cases[i]);
		EXPECT_EQ(PATHS_ELOST, result->st);
		EXPECT_TRUE(strstr(result->why, "process p1") != NULL);
		EXPECT_TRUE(!cases[i].reason ||
		    strstr(result->why, cases[i].reason) != NULL);
	}
}

static void
a_trusted_network_may_change_a_tuple(void)
{
	run("-trust network", &change);
	EXPECT_EQ(PATHS_OK, result->st);
	EXPECT_EQ(tuple ^ 1, result->value);
}

static void
only_encryption_hides_a_tuple(void)
{
	static const char *const options[] = { "", "-trust network",
		"-encrypt yes" };

	for (int i = 0; i < 3; i++) {
		run(options[i], &nothing);
		EXPECT_EQ(PATHS_OK, result->st);
		EXPECT_EQ(tuple, result->value);
		EXPECT_EQ(i < 2, result->saw);
	}
}

/* Maps the results before the cases run, each in a process of its own. */
static void __attribute__((constructor)) relay_shared(void)
{
	result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED)
		abort();
}

TEST_MAIN(a_frame_on_the_way_is_protected, a_trusted_network_may_change_a_tuple,
    only_encryption_hides_a_tuple)
