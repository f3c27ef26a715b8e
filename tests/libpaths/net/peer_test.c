/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/peer_test.c - proves libpaths/net/peer.c
 *
 * Peers that break the protocol.  The server is another process, which must
 * serve a good peer after each bad one, and exit with status 0.
 */

#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_private.h"
#include "libpaths/path.h"
#include "tests/team.h"
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char peer_map[] = "pathmap 1 -trust network\n"
			       "host h0\n"
			       "process p0 -host h0\n"
			       "process p1 -host h0 -listen tcp:0\n"
			       "thread t0 -process p0\n"
			       "element e -process p1 -type u64*1 -keep 4\n"
			       "path t0 e {{proxy p1 -via tcp} {element e}}\n";

/* The same with tuples of several lengths. */
static const char lengths_map[] =
    "pathmap 1 -trust network\n"
    "host h0\n"
    "process p0 -host h0\n"
    "process p1 -host h0 -listen tcp:0\n"
    "thread t0 -process p0\n"
    "element e -process p1 -type u64*..3 -keep 4\n"
    "path t0 e {{proxy p1 -via tcp} {element e}}\n";

#define HOP 0 /* the item of the proxy */

/* Two threads use one element. */
static const char two_map[] = "pathmap 1 -trust network\n"
			      "host h0\n"
			      "process p0 -host h0\n"
			      "process p1 -host h0 -listen tcp:0\n"
			      "thread t0 -process p0\n"
			      "thread t1 -process p0\n"
			      "element e -process p1 -type u64*1 -keep 4\n"
			      "path t0 e {{proxy p1 -via tcp} {element e}}\n"
			      "path t1 e {{proxy p1 -via tcp} {element e}}\n";

#define OTHER_HOP 2 /* the item of the second proxy */

/* Two processes use one element. */
static const char three_map[] = TEAM_CLIENTS_MAP("-trust network");

/* Returns a program of which only the parts of a handshake are set: the map and
   the secret. */
static struct paths_program *
forged(struct team *team)
{
	static struct paths_program p;
	char file[128];
	int fd;

	memset(&p, 0, sizeof(p));
	snprintf(file, sizeof(file), "%s/map", team_run(team));
	EXPECT_OK(paths_map_load(file, &p.map));
	snprintf(file, sizeof(file), "%s/secret", team_run(team));
	fd = open(file, O_RDONLY);
	EXPECT_EQ(32, read(fd, p.secret, sizeof(p.secret)));
	close(fd);
	return &p;
}

static int
connected(struct paths_program *p)
{
	struct timeval patience = { 20, 0 };
	int fd = -1;

	while (
	    paths__socket_connect(p, 1, PATHS_MAP_VIA_TCP, &fd) == PATHS_ELOST)
		usleep(1000);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	return fd;
}

/* Returns true when the server has closed the connection; waits for that. */
static bool
is_closed(int fd)
{
	char byte;
	ssize_t n;

	do
		n = recv(fd, &byte, 1, 0);
	while (n == 1);
	close(fd);
	return n == 0 || errno == ECONNRESET;
}

/* Returns a connection after a correct handshake. */
static int
proven(struct paths_program *p)
{
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	int fd = connected(p);

	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	paths__handshake_prove(p, &hello, PATHS_MAP_VIA_TCP, &proof);
	EXPECT_EQ(sizeof(proof), send(fd, &proof, sizeof(proof), 0));
	EXPECT_EQ(sizeof(welcome),
	    recv(fd, &welcome, sizeof(welcome), MSG_WAITALL));
	EXPECT_OK(paths__handshake_welcomed(p, &hello, &proof, &welcome));
	return fd;
}

static void
send_frame(int fd, struct paths__frame *f, const void *payload, size_t bytes)
{
	f->bytes = (uint32_t)(sizeof(*f) + bytes);
	EXPECT_EQ(sizeof(*f), send(fd, f, sizeof(*f), MSG_NOSIGNAL));
	if (bytes > 0)
		EXPECT_EQ(bytes, send(fd, payload, bytes, MSG_NOSIGNAL));
}

/* Serves a bad peer, then a good one. */
static void
with_server(void (*bad)(struct paths_program *p))
{
	struct team *team = team_open(peer_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	struct paths_program *good;
	struct paths_path *e;
	uint64_t value = 5;

	bad(p);
	good = team_join(team, "p0");
	e = team_path(team_thread(good, "t0"), "e");
	EXPECT_OK(paths_path_exchange(e, &value, sizeof(value)));
	paths_program_close(good);
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
}

static void
random_bytes(struct paths_program *p)
{
	char noise[4096];
	int fd = connected(p);

	randombytes_buf_deterministic(noise, sizeof(noise),
	    (const unsigned char *)"a seed of thirty-two bytes, here.");
	EXPECT_TRUE(send(fd, noise, sizeof(noise), MSG_NOSIGNAL) > 0);
	EXPECT_TRUE(is_closed(fd));
}

static void
random_bytes_close_the_connection(void)
{
	with_server(random_bytes);
}

static void
wrong_secret(struct paths_program *p)
{
	struct paths__hello hello;
	struct paths__proof proof;
	int fd = connected(p);

	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	p->secret[31] ^= 1;
	paths__handshake_prove(p, &hello, PATHS_MAP_VIA_TCP, &proof);
	p->secret[31] ^= 1;
	EXPECT_EQ(sizeof(proof), send(fd, &proof, sizeof(proof), 0));
	EXPECT_TRUE(is_closed(fd));
}

static void
the_wrong_secret_closes_the_connection(void)
{
	with_server(wrong_secret);
}

/* Sends the proof of one connection on another. */
static void
replay(struct paths_program *p)
{
	struct paths__hello hello;
	struct paths__proof proof;
	int fd = connected(p);

	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	paths__handshake_prove(p, &hello, PATHS_MAP_VIA_TCP, &proof);
	close(fd);
	fd = connected(p);
	EXPECT_EQ(sizeof(proof), send(fd, &proof, sizeof(proof), 0));
	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	EXPECT_TRUE(is_closed(fd));
}

static void
an_old_proof_closes_the_connection(void)
{
	with_server(replay);
}

/* Sends the proof for a Unix socket, without seals, to a TCP port. */
static void
unix_over_tcp(struct paths_program *p)
{
	static const enum paths_map_via others[] = { PATHS_MAP_VIA_UNIX,
		PATHS_MAP_VIA_SHM };
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;

	for (int i = 0; i < 2; i++) {
		int fd = connected(p);

		EXPECT_EQ(sizeof(hello),
		    recv(fd, &hello, sizeof(hello), MSG_WAITALL));
		paths__handshake_prove(p, &hello, others[i], &proof);
		EXPECT_EQ(sizeof(proof), send(fd, &proof, sizeof(proof), 0));
		EXPECT_EQ(sizeof(welcome),
		    recv(fd, &welcome, sizeof(welcome), MSG_WAITALL));
		EXPECT_EQ(PATHS_EPROTO,
		    paths__handshake_welcomed(p, &hello, &proof, &welcome));
		EXPECT_TRUE(is_closed(fd));
	}
}

static void
a_proof_for_a_unix_socket_is_refused_over_tcp(void)
{
	with_server(unix_over_tcp);
}

/* Sends a valid proof of the secret, but the hash of another map. */
static void
another_map(struct paths_program *p)
{
	struct paths_map other = *p->map, *own = p->map;
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	int fd = connected(p);

	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	other.hash[PATHS_MAP_HASH_BYTES - 1] ^= 1;
	p->map = &other;
	paths__handshake_prove(p, &hello, PATHS_MAP_VIA_TCP, &proof);
	p->map = own;
	EXPECT_EQ(sizeof(proof), send(fd, &proof, sizeof(proof), 0));
	EXPECT_EQ(sizeof(welcome),
	    recv(fd, &welcome, sizeof(welcome), MSG_WAITALL));
	EXPECT_EQ(PATHS_EINVAL,
	    paths__handshake_welcomed(p, &hello, &proof, &welcome));
	EXPECT_STR_EQ("the peer has another map", paths_log_last());
	EXPECT_TRUE(is_closed(fd));
}

static void
another_map_closes_the_connection(void)
{
	with_server(another_map);
}

/* Sends a bad frame as process p0, whose hop is lost with the connection. */
static void
bad_frame(struct paths__frame *f, const void *payload, size_t bytes,
    uint32_t claimed)
{
	struct team *team = team_open(peer_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	int fd = proven(p);

	f->bytes = claimed ? claimed : (uint32_t)(sizeof(*f) + bytes);
	EXPECT_EQ(sizeof(*f), send(fd, f, sizeof(*f), MSG_NOSIGNAL));
	if (bytes > 0)
		EXPECT_EQ(bytes, send(fd, payload, bytes, MSG_NOSIGNAL));
	EXPECT_TRUE(is_closed(fd));
	/* The server exits with status 0, because its only client is gone. */
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
}

static void
a_frame_of_a_huge_length_closes_the_connection(void)
{
	struct paths__frame f = { .type = PATHS__FRAME_OPEN };

	bad_frame(&f, NULL, 0, UINT32_MAX);
	bad_frame(&f, NULL, 0, 1u << 30);
}

static void
a_frame_shorter_than_its_header_closes_the_connection(void)
{
	struct paths__frame f = { .type = PATHS__FRAME_OPEN };

	bad_frame(&f, NULL, 0, 1);
}

static void
an_unknown_frame_closes_the_connection(void)
{
	struct paths__frame f = { .type = 77 };

	bad_frame(&f, "x", 1, 0);
}

static void
an_operation_on_a_hop_not_open_closes_the_connection(void)
{
	struct paths__frame f = { .type = PATHS__FRAME_OP,
		.kind = PATHS_WRITE };

	bad_frame(&f, "12345678", 8, 0);
	f.hop = UINT32_MAX;
	bad_frame(&f, "12345678", 8, 0);
}

/* Process p0 opens the hop of p2. */
static void
a_hop_of_another_process_closes_the_connection(void)
{
	struct team *team = team_open(three_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	struct paths__frame f = { .type = PATHS__FRAME_OPEN, .hop = OTHER_HOP };
	int fd = proven(p);

	send_frame(fd, &f, "u64*1", 5);
	EXPECT_TRUE(is_closed(fd));
	p->process = 2;
	fd = proven(p);
	f = (struct paths__frame){ .type = PATHS__FRAME_OPEN,
		.hop = OTHER_HOP };
	send_frame(fd, &f, "u64*1", 5);
	EXPECT_EQ(sizeof(f), recv(fd, &f, sizeof(f), MSG_WAITALL));
	EXPECT_EQ(PATHS_OK, f.status);
	close(fd);
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
}

/* Closes the connection in the middle of a frame. */
static void
half_a_frame_loses_the_peer(void)
{
	struct team *team = team_open(peer_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	struct paths__frame f = { .type = PATHS__FRAME_OPEN };
	int fd = proven(p);

	f.bytes = sizeof(f) + 5;
	EXPECT_EQ(sizeof(f), send(fd, &f, sizeof(f), 0));
	close(fd);
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
}

/* Writes a tuple of zeros.  Returns true if the connection is closed then. */
static bool
size_is_wrong(const char *map, const char *type, size_t bytes)
{
	struct team *team = team_open(map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	struct paths__frame f = { .type = PATHS__FRAME_OPEN, .hop = HOP };
	int fd = proven(p);
	static const char tuple[64];
	bool answered;

	send_frame(fd, &f, type, strlen(type));
	EXPECT_EQ(sizeof(f), recv(fd, &f, sizeof(f), MSG_WAITALL));
	EXPECT_EQ(PATHS_OK, f.status);
	f = (struct paths__frame){ .type = PATHS__FRAME_OP,
		.kind = PATHS_WRITE };
	send_frame(fd, &f, tuple, bytes);
	do
		answered = recv(fd, &f, sizeof(f), MSG_WAITALL) == sizeof(f);
	while (answered && f.type == PATHS__FRAME_BEAT);
	answered = answered && f.type == PATHS__FRAME_ANSWER;
	close(fd);
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
	return !answered;
}

static void
a_tuple_of_a_wrong_size_closes_the_connection(void)
{
	EXPECT_TRUE(size_is_wrong(peer_map, "u64*1", 7));
	EXPECT_TRUE(size_is_wrong(peer_map, "u64*1", 0));
	EXPECT_TRUE(!size_is_wrong(peer_map, "u64*1", 8));
	EXPECT_TRUE(size_is_wrong(lengths_map, "u64*..3", 32));
	EXPECT_TRUE(size_is_wrong(lengths_map, "u64*..3", 12));
	EXPECT_TRUE(!size_is_wrong(lengths_map, "u64*..3", 0));
	EXPECT_TRUE(!size_is_wrong(lengths_map, "u64*..3", 16));
}

static void
another_type_is_refused_when_the_path_is_opened(void)
{
	struct team *team = team_open(peer_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	struct paths__frame f = { .type = PATHS__FRAME_OPEN, .hop = HOP };
	int fd = proven(p);

	send_frame(fd, &f, "u64*2", 5);
	EXPECT_EQ(sizeof(f), recv(fd, &f, sizeof(f), MSG_WAITALL));
	EXPECT_EQ(PATHS_ETYPE, f.status);
	close(fd);
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
}

/* Sends an operation on a hop of type u64*1. */
static void
send_op(int fd, uint32_t hop, enum paths_kind kind, uint32_t serial)
{
	struct paths__frame f = { .type = PATHS__FRAME_OP,
		.kind = (uint8_t)kind,
		.hop = hop,
		.serial = serial };

	send_frame(fd, &f, "12345678", kind == PATHS_WRITE ? 8 : 0);
}

/* Receives two answers to operations with a serial, both of PATHS_OK. */
static void
receive_both(int fd, uint32_t serial)
{
	struct paths__frame f;
	char tuple[8];

	for (int n = 0; n < 2; n++) {
		EXPECT_EQ(sizeof(f), recv(fd, &f, sizeof(f), MSG_WAITALL));
		EXPECT_EQ(PATHS_OK, f.status);
		EXPECT_EQ(serial, f.serial);
		if (f.kind == PATHS_READ)
			EXPECT_EQ(sizeof(tuple),
			    recv(fd, tuple, sizeof(tuple), MSG_WAITALL));
	}
}

/* The cancel of the first read comes while the second read is under way. */
static void
a_late_cancel_does_not_end_the_next_operation(void)
{
	struct team *team = team_open(two_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p = forged(team);
	const uint32_t hops[] = { HOP, OTHER_HOP };
	struct paths__frame f;
	int fd = proven(p);

	for (int n = 0; n < 2; n++) {
		f = (struct paths__frame){ .type = PATHS__FRAME_OPEN,
			.hop = hops[n] };
		send_frame(fd, &f, "u64*1", 5);
		EXPECT_EQ(sizeof(f), recv(fd, &f, sizeof(f), MSG_WAITALL));
		EXPECT_EQ(PATHS_OK, f.status);
	}
	send_op(fd, HOP, PATHS_READ, 1);
	send_op(fd, OTHER_HOP, PATHS_WRITE, 1);
	receive_both(fd, 1);
	send_op(fd, HOP, PATHS_READ, 2);
	f = (struct paths__frame){ .type = PATHS__FRAME_CANCEL,
		.hop = HOP,
		.serial = 1 };
	send_frame(fd, &f, NULL, 0);
	send_op(fd, OTHER_HOP, PATHS_WRITE, 2);
	receive_both(fd, 2);
	close(fd);
	EXPECT_EQ(0, team_wait(p1));
	paths_map_close(p->map);
	team_close(team);
}

static int
opens_with_no_secret(void)
{
	struct paths_program *program;
	paths_status st;

	unsetenv("PATHS_SECRET_FILE");
	st = paths_program_open(NULL, NULL, &program);
	return st == PATHS_EAUTH && strstr(paths_log_last(), "no secret") ? 0 :
									    1;
}

static void
a_process_without_the_secret_does_not_open(void)
{
	struct team *team = team_open(peer_map);

	EXPECT_EQ(0, team_wait(team_fork(team, "p0", opens_with_no_secret)));
	EXPECT_EQ(0, team_wait(team_fork(team, "p1", opens_with_no_secret)));
	team_close(team);
}

TEST_MAIN(random_bytes_close_the_connection,
    the_wrong_secret_closes_the_connection, an_old_proof_closes_the_connection,
    another_map_closes_the_connection,
    a_proof_for_a_unix_socket_is_refused_over_tcp,
    a_frame_of_a_huge_length_closes_the_connection,
    a_frame_shorter_than_its_header_closes_the_connection,
    an_unknown_frame_closes_the_connection,
    an_operation_on_a_hop_not_open_closes_the_connection,
    a_hop_of_another_process_closes_the_connection, half_a_frame_loses_the_peer,
    a_tuple_of_a_wrong_size_closes_the_connection,
    another_type_is_refused_when_the_path_is_opened,
    a_late_cancel_does_not_end_the_next_operation,
    a_process_without_the_secret_does_not_open)
