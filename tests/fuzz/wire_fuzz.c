/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/wire_fuzz.c - a tuple server survives any bytes from a peer
 *
 * If the first byte is odd, the peer authenticates before it sends the rest.
 * Each input gets a server of its own on a Unix-domain socket; the server must
 * close the connection and end.
 */

#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_private.h"
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char wire_map[] =
    "pathmap 1\n"
    "host h\n"
    "process p0 -host h\n"
    "process p1 -host h\n"
    "thread t0 -process p0\n"
    "thread t1 -process p0\n"
    "element e -process p1 -type u64*1 -keep 4\n"
    "element sum -process p1 -type i32*3 -full discard\n"
    "stage s reduce -process p1 -op sum -type i32*3 -inputs 2"
    " -next {{element sum}}\n"
    "path t0 e {{proxy p1 -via unix} {delay 1us} {element e}}\n"
    "path t1 e {{proxy p1 -via unix} {buffer} {element e}}\n"
    "path t0 sum {{proxy p1 -via unix} {s}}\n"
    "path t1 sum {{proxy p1 -via unix} {s}}\n";

static const char wire_secret[] = "thirty-two bytes that are secret";

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

/* Makes the run directory; three small files stay in it. */
static void
wire_setup(void)
{
	static char run[] = "/tmp/paths-fuzz-XXXXXX";
	static bool done;

	if (done)
		return;
	done = true;
	if (!mkdtemp(run))
		abort();
	setenv("PATHS_RUN", run, 1);
	wire_file(run, "map", wire_map, sizeof(wire_map) - 1, "PATHS_MAP");
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

static void
wire_prove(const struct paths_program *program, int fd)
{
	struct paths_program peer = *program;
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;

	peer.process = 0;
	wire_receive(fd, &hello, sizeof(hello));
	paths__handshake_prove(&peer, &hello, PATHS_MAP_VIA_UNIX, &proof);
	if (send(fd, &proof, sizeof(proof), MSG_NOSIGNAL) != sizeof(proof))
		abort();
	wire_receive(fd, &welcome, sizeof(welcome));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paths_program *program;
	char answers[4096];
	ssize_t n;
	int fd;

	if (size < 1 || size > 32768)
		return 0;
	wire_setup();
	if (paths_program_open(NULL, "p1", &program) != PATHS_OK ||
	    paths__socket_connect(program, 1, PATHS_MAP_VIA_UNIX, &fd) !=
		PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		abort();
	}
	if (data[0] & 1)
		wire_prove(program, fd);
	/* The server may close the connection before all is sent. */
	n = send(fd, data + 1, size - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(fd, SHUT_WR);
	while (n >= 0 && recv(fd, answers, sizeof(answers), 0) > 0)
		;
	close(fd);
	paths_program_stop(program);
	paths_program_close(program);
	return 0;
}
