/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/wire_fuzz.c - a tuple server survives any bytes from a peer
 *
 * Each input gets a server of its own, and opens up to four connections to it.
 * The server must close them and end.
 *
 * Input	for each connection: flags, below; u16: count; bytes to send
 */

#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_private.h"
#include "tests/fuzz/fuzz.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROVEN 1u /* the peer authenticates before it sends its bytes */
#define SEALED 2u /* over TCP: the bytes are frames, which it seals */
#define STAYS 4u  /* it closes its connection after all have sent */
#define HALF 8u	  /* it sends half of its proof, and then its bytes */

#define PEERS_MOST 4u
#define CONNECTS_MOST 10
#define LISTENER 100 /* descriptor that each server inherits */

static const char wire_map[] =
    "pathmap 1\n"
    "host h\n"
    "process p0 -host h\n"
    "process p1 -host h -listen tcp:%u\n"
    "thread t0 -process p0\n"
    "thread t1 -process p0\n"
    "element e -process p1 -type u64*1 -keep 4\n"
    "element sum -process p1 -type i32*3 -full discard\n"
    "stage s reduce -process p1 -op sum -type i32*3 -inputs 2"
    " -next {{element sum}}\n"
    "path t0 e {{proxy p1 -via unix} {delay 1us} {element e}}\n"
    "path t1 e {{proxy p1 -via unix} {buffer} {element e}}\n"
    "path t0 sum {{proxy p1 -via unix} {s}}\n"
    "path t1 sum {{proxy p1 -via unix} {s}}\n"
    "element v -process p1 -type u16*..9 -keep 4\n"
    "path t0 v {{proxy p1 -via unix} {tee {{null}}} {element v}}\n"
    "path t1 v {{proxy p1 -via unix} {element v}}\n";

static const char wire_secret[] = "thirty-two bytes that are secret";
static int wire_socket = -1;

/* A connection to the server. */
struct peer {
	struct paths__conn conn;
	uint8_t flags;
};

struct wire_bytes {
	const uint8_t *at;
	size_t count;
};

static void
wire_file(const char *run, const char *name, const char *bytes, size_t count,
    const char *variable)
{
	char file[256];
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", run, name);
	f = fopen(file, "w");
	if (!f || fwrite(bytes, count, 1, f) != 1 || fclose(f) != 0)
		abort();
	setenv(variable, file, 1);
}

/* Opens the socket that servers inherit. */
static unsigned
wire_listen(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(at);
	char list[40];

	wire_socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(wire_socket, (struct sockaddr *)&at, sizeof(at)) != 0 ||
	    listen(wire_socket, 16) != 0 ||
	    getsockname(wire_socket, (struct sockaddr *)&at, &bytes) != 0)
		abort();
	snprintf(list, sizeof(list), "tcp:%u=%d", ntohs(at.sin_port), LISTENER);
	setenv("PATHS_LISTEN_FDS", list, 1);
	return ntohs(at.sin_port);
}

/* Makes the run directory; three small files stay in it. */
static void
wire_setup(void)
{
	static char run[] = "/tmp/paths-fuzz-XXXXXX";
	char map[sizeof(wire_map) + 8];
	int bytes;

	if (wire_socket >= 0)
		return;
	if (!mkdtemp(run))
		abort();
	setenv("PATHS_RUN", run, 1);
	bytes = snprintf(map, sizeof(map), wire_map, wire_listen());
	wire_file(run, "map", map, (size_t)bytes, "PATHS_MAP");
	wire_file(run, "secret", wire_secret, 32, "PATHS_SECRET_FILE");
}

/* Receives count bytes; libFuzzer's timer may interrupt recv. */
static void
wire_receive(int fd, void *bytes, size_t count)
{
	char *at = bytes;
	ssize_t n;

	while (count > 0) {
		n = recv(fd, at, count, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			abort();
		at += n;
		count -= (size_t)n;
	}
}

/* Authenticates as p0.  Returns false after half of the proof. */
static bool
peer_prove(struct peer *peer, const struct paths_program *server)
{
	struct paths_program p0 = *server;
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	uint8_t keys[2][PATHS__SEAL_KEY_BYTES];
	enum paths_map_via via =
	    peer->flags & SEALED ? PATHS_MAP_VIA_TCP : PATHS_MAP_VIA_UNIX;
	size_t bytes = sizeof(proof);

	p0.process = 0;
	wire_receive(peer->conn.fd, &hello, sizeof(hello));
	paths__handshake_prove(&p0, &hello, via, &proof);
	if (peer->flags & HALF)
		bytes /= 2;
	if (send(peer->conn.fd, &proof, bytes, MSG_NOSIGNAL) != (ssize_t)bytes)
		abort();
	if (peer->flags & HALF)
		return false;
	wire_receive(peer->conn.fd, &welcome, sizeof(welcome));
	if (paths__handshake_seals(&p0, via)) {
		paths__handshake_keys(&p0, &hello, &proof, false, keys);
		if (paths__conn_seal(&peer->conn, keys, false) != PATHS_OK)
			abort();
	}
	return true;
}

/* Seals the frames in bytes, each as long as it says, and sends them. */
static void
peer_seal(struct peer *peer, const uint8_t *bytes, size_t count)
{
	struct paths__frame frame;

	while (count >= sizeof(frame)) {
		size_t payload;

		memcpy(&frame, bytes, sizeof(frame));
		bytes += sizeof(frame);
		count -= sizeof(frame);
		payload = frame.bytes > sizeof(frame) ?
		    frame.bytes - sizeof(frame) :
		    0;
		if (payload > count)
			payload = count;
		if (!paths__conn_put(&peer->conn, &frame, bytes, payload))
			abort();
		bytes += payload;
		count -= payload;
	}
	(void)paths__conn_flush(&peer->conn);
}

/* Reads what the server answers until it closes the connection. */
static void
peer_close(struct peer *peer)
{
	char answers[4096];
	ssize_t n;

	shutdown(peer->conn.fd, SHUT_WR);
	do
		n = recv(peer->conn.fd, answers, sizeof(answers), 0);
	while (n > 0 || (n < 0 && errno == EINTR));
	paths__conn_fini(&peer->conn);
}

static void
peer_open(struct peer *peer, const struct paths_program *server, uint8_t flags,
    const struct wire_bytes *bytes)
{
	enum paths_map_via via =
	    flags & SEALED ? PATHS_MAP_VIA_TCP : PATHS_MAP_VIA_UNIX;
	bool proven = false;
	paths_status st = PATHS_ELOST;
	int fd;

	peer->flags = flags;
	/* libFuzzer's timer may interrupt connect. */
	for (int n = 0; st == PATHS_ELOST && n < CONNECTS_MOST; n++)
		st = paths__socket_connect(server, 1, via, &fd);
	if (st != PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		abort();
	}
	paths__conn_init(&peer->conn, fd, server->frame_max);
	if (flags & (PROVEN | HALF))
		proven = peer_prove(peer, server);
	/* The server may close the connection before all is sent. */
	if (proven && (flags & SEALED))
		peer_seal(peer, bytes->at, bytes->count);
	else if (send(fd, bytes->at, bytes->count,
		     MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		shutdown(fd, SHUT_WR);
}

/* Takes the bytes of a peer off the input. */
static struct wire_bytes
wire_take(const uint8_t **data, size_t *size)
{
	struct wire_bytes bytes = { .at = *data + 3 };
	uint16_t count;

	memcpy(&count, *data + 1, sizeof(count));
	bytes.count = count < *size - 3 ? count : *size - 3;
	*data += 3 + bytes.count;
	*size -= 3 + bytes.count;
	return bytes;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paths_program *program;
	struct peer peers[PEERS_MOST];
	size_t count = 0;

	if (size < 3 || size > 32768)
		return 0;
	wire_setup();
	if (dup3(wire_socket, LISTENER, O_CLOEXEC) < 0 ||
	    paths_program_open(NULL, "p1", &program) != PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		abort();
	}
	while (count < PEERS_MOST && size >= 3) {
		uint8_t flags = data[0];
		struct wire_bytes bytes = wire_take(&data, &size);

		peer_open(&peers[count], program, flags, &bytes);
		if (flags & STAYS)
			count++;
		else
			peer_close(&peers[count]);
	}
	for (size_t n = 0; n < count; n++)
		peer_close(&peers[n]);
	paths_program_stop(program);
	paths_program_close(program);
	return 0;
}
