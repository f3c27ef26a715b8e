/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/connect.c - opens a connection to another process
 */

#include "libpaths/net/connect_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_private.h"
#include "libpaths/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECT_PATIENCE_NS UINT64_C(30000000000)
#define CONNECT_RETRY_NS 5000000
#define CONNECT_FULL_NS 50000000

static paths_status
connect_patience(uint64_t *ns)
{
	const char *text = getenv("PATHS_CONNECT_SECONDS");

	*ns = CONNECT_PATIENCE_NS;
	if (text == NULL ||
	    paths_unit_parse(PATHS_UNIT_SECONDS, text, CONNECT_RETRY_NS,
		UINT32_MAX * UINT64_C(1000000000), ns) == PATHS_OK)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL, "PATHS_CONNECT_SECONDS=%s: %s",
	    text, paths_log_last());
}

/* Returns the status of a recv that returned n <= 0: PATHS_ECLOSED when the
   server has closed the connection, PATHS_ELOST when it had not read all bytes
   before. */
static paths_status
connect_received_none(ssize_t n)
{
	if (n == 0)
		return paths_log_fail(PATHS_ECLOSED,
		    "the connection was closed in the handshake");
	if (errno == EAGAIN)
		return paths_log_fail(PATHS_ETIMEDOUT,
		    "no answer in the handshake within %d s",
		    PATHS__ANSWER_SECONDS);
	return paths_log_fail(PATHS_ELOST, "handshake: %s", strerror(errno));
}

/* Receives a number of bytes, also when signals interrupt it. */
static paths_status
connect_receive(int fd, void *bytes, size_t count)
{
	size_t done = 0;
	ssize_t n;

	while (done < count) {
		n = recv(fd, (char *)bytes + done, count - done, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return connect_received_none(n);
		done += (size_t)n;
	}
	return PATHS_OK;
}

/* Receives a hello.  PATHS_EFULL: the server asks to come again. */
static paths_status
connect_hello(int fd, struct paths__hello *hello)
{
	size_t magic = sizeof(hello->magic);
	paths_status st = connect_receive(fd, hello, magic);

	if (st == PATHS_OK)
		st = paths__handshake_magic(hello->magic);
	if (st == PATHS_OK)
		st = connect_receive(fd, (char *)hello + magic,
		    sizeof(*hello) - magic);
	if (st == PATHS_OK && hello->status == PATHS_EFULL)
		st = paths_log_fail(PATHS_EFULL, "its tuple server is full");
	return st;
}

/* Receives the welcome and, if the server sends one, the descriptor of the
   memory of a ring. */
static paths_status
connect_welcome(int fd, struct paths__welcome *welcome, int *ring_fd)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { welcome, sizeof(*welcome) };
	struct msghdr msg = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *c;
	ssize_t n;

	*ring_fd = -1;
	do
		n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	/* The error of a socket is reported once. */
	if (n <= 0)
		return connect_received_none(n);
	if (n < (ssize_t)sizeof(*welcome))
		return connect_receive(fd, (char *)welcome + n,
		    sizeof(*welcome) - (size_t)n);
	c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(ring_fd, CMSG_DATA(c), sizeof(int));
	return PATHS_OK;
}

/*
 * Answers the hello and receives the welcome.  A server that refuses the
 * proof has read it, and closes the connection without a word.
 */
static paths_status
connect_prove(int fd, const struct paths__proof *proof,
    struct paths__welcome *welcome, int *ring_fd)
{
	bool sent = send(fd, proof, sizeof(*proof), MSG_NOSIGNAL) ==
	    (ssize_t)sizeof(*proof);
	/* A full server sends its welcome before it has read the proof. */
	paths_status st = connect_welcome(fd, welcome, ring_fd);

	if (st == PATHS_ECLOSED && sent)
		return paths_log_fail(PATHS_EAUTH,
		    "the peer ended the handshake: another secret, or not a "
		    "tuple server");
	return st;
}

static paths_status
connect_shake(const struct paths_program *program, enum paths_map_via via,
    struct paths__conn *conn)
{
	struct timeval patience = { PATHS__ANSWER_SECONDS, 0 };
	int fd = conn->fd;
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	uint8_t keys[2][PATHS__SEAL_KEY_BYTES];
	int ring_fd = -1;
	paths_status st;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	st = connect_hello(fd, &hello);
	if (st != PATHS_OK)
		return st;
	paths__handshake_prove(program, &hello, via, &proof);
	st = connect_prove(fd, &proof, &welcome, &ring_fd);
	if (st == PATHS_OK)
		st = paths__handshake_welcomed(program, &hello, &proof,
		    &welcome);
	if (st == PATHS_OK && via == PATHS_MAP_VIA_SHM)
		st = paths__ring_attach(ring_fd, &conn->ring);
	if (st == PATHS_OK && paths__handshake_seals(program, via)) {
		paths__handshake_keys(program, &hello, &proof, false, keys);
		st = paths__conn_seal(conn, keys, program->map->encrypt);
		explicit_bzero(keys, sizeof(keys));
	}
	if (ring_fd >= 0)
		close(ring_fd);
	return st;
}

/* Connects and does the handshake.  PATHS_ELOST, PATHS_ECLOSED, PATHS_EFULL:
   the process may take the connection later. */
static paths_status
connect_once(const struct paths_program *program, uint32_t process,
    enum paths_map_via via, struct paths__conn *conn)
{
	int fd = -1;
	paths_status st = paths__socket_connect(program, process, via, &fd);

	if (st != PATHS_OK)
		return st;
	paths__conn_init(conn, fd, program->frame_max);
	conn->peer = process;
	st = connect_shake(program, via, conn);
	if (st != PATHS_OK)
		paths__conn_fini(conn);
	return st;
}

paths_status
paths__connect_open(const struct paths_program *program, uint32_t process,
    enum paths_map_via via, struct paths__conn *conn)
{
	const char *name = program->map->processes[process].name;
	struct timespec pause = { 0, CONNECT_RETRY_NS };
	char patience[PATHS_UNIT_TEXT_BYTES];
	uint64_t ns, until;
	paths_status st = connect_patience(&ns);

	if (st != PATHS_OK)
		return st;
	until = paths_clock_ticks() + paths_clock_ns_to_ticks(ns);
	for (;;) {
		st = connect_once(program, process, via, conn);
		if (st == PATHS_OK)
			return PATHS_OK;
		if (st != PATHS_ELOST && st != PATHS_ECLOSED &&
		    st != PATHS_EFULL)
			return paths_log_fail(st, "process %s: %s", name,
			    paths_log_last());
		if (paths_clock_ticks() > until)
			break;
		pause.tv_nsec =
		    st == PATHS_EFULL ? CONNECT_FULL_NS : CONNECT_RETRY_NS;
		nanosleep(&pause, NULL);
	}
	return paths_log_fail(PATHS_ELOST,
	    "process %s cannot be reached in %s: %s", name,
	    paths_unit_text(PATHS_UNIT_TIME, (double)ns, patience),
	    paths_log_last());
}
