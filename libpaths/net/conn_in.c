/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_in.c - reads the frames of a connection
 */

#include "libpaths/net/conn_private.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define CONN_IN_LAST (64u << 10)
#define CONN_HEARD 4096u

/* Makes room for a number of further bytes behind those in the buffer. */
static bool
conn_reserve_in(struct paths__conn *conn, size_t bytes)
{
	size_t have = conn->in_last - conn->in_first;
	uint8_t *in;

	if (have == 0)
		conn->in_first = conn->in_last = 0;
	if (conn->in_room - conn->in_last >= bytes)
		return true;
	if (conn->in_first > 0) {
		memmove(conn->in, conn->in + conn->in_first, have);
		conn->in_first = 0;
		conn->in_last = have;
	}
	if (conn->in_room - have >= bytes)
		return true;
	in = realloc(conn->in, have + bytes);
	if (!in)
		return false;
	conn->in = in;
	conn->in_room = have + bytes;
	return true;
}

/* Returns how many bytes to read: the remainder of the first frame, or more. */
static size_t
conn_want(const struct paths__conn *conn)
{
	size_t have = conn->in_last - conn->in_first;
	uint32_t bytes;

	if (have < sizeof(bytes))
		return conn->in_want;
	memcpy(&bytes, conn->in + conn->in_first, sizeof(bytes));
	if (bytes > conn->frame_max || bytes < have + conn->in_want)
		return conn->in_want;
	return bytes - have;
}

bool
paths__conn_take_wakeups(struct paths__conn *conn)
{
	char bytes[64];
	ssize_t n;

	do
		n = recv(conn->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	while (n == (ssize_t)sizeof(bytes));
	if (n >= 0 || errno == EAGAIN || errno == EINTR)
		return n != 0;
	return false;
}

/* Returns the reason for the end of the bytes.  A send, or a beat, may have
   taken the error of the socket. */
static const char *
conn_end(const struct paths__conn *conn)
{
	const char *cut;

	/* A beat that is under way may have the error. */
	while (atomic_load(&conn->sending))
		sched_yield();
	cut = atomic_load(&conn->cut);
	return cut ? cut : "connection closed";
}

static ptrdiff_t
conn_receive(struct paths__conn *conn, void *bytes, size_t room, int flags)
{
	ssize_t n = recv(conn->fd, bytes, room, flags);

	if (n > 0)
		return n;
	if (n == 0)
		paths__conn_lose(conn, "%s", conn_end(conn));
	else if (errno != EAGAIN && errno != EINTR)
		paths__conn_lose(conn, "%s", paths__conn_error(conn, errno));
	return 0;
}

static ptrdiff_t
conn_get(struct paths__conn *conn, void *bytes, size_t room, int flags)
{
	bool wake;
	ptrdiff_t n;

	if (!conn->ring)
		return conn_receive(conn, bytes, room, flags);
	n = paths__ring_get(conn->ring, bytes, room, &wake);
	if (wake)
		paths__conn_wake_peer(conn);
	if (n < 0)
		paths__conn_lose(conn, "shared memory: counters are wrong");
	return n < 0 ? 0 : n;
}

/* Reads with the flags of recv. */
static bool
conn_fill(struct paths__conn *conn, int flags)
{
	ptrdiff_t n;

	if (conn->broken)
		return false;
	if (!conn_reserve_in(conn, conn_want(conn))) {
		paths__conn_lose(conn, "no memory for a frame");
		return false;
	}
	n = conn_get(conn, conn->in + conn->in_last,
	    conn->in_room - conn->in_last, flags);
	conn->in_last += (size_t)n;
	conn->heard += (size_t)n;
	conn->drained = conn->in_last < conn->in_room;
	if (conn->in_last == conn->in_room && conn->in_want < CONN_IN_LAST)
		conn->in_want *= 2;
	return n > 0;
}

bool
paths__conn_fill(struct paths__conn *conn)
{
	return conn_fill(conn, MSG_DONTWAIT);
}

bool
paths__conn_wait_fill(struct paths__conn *conn)
{
	return !conn->ring && !conn->stuck && conn_fill(conn, 0);
}

/* Checks the seal of the first frame, unless that was done before it was put
   back.  Breaks the connection when the seal is wrong. */
static bool
conn_open(struct paths__conn *conn, uint8_t *frame, size_t bytes)
{
	char why[PATHS__SEAL_WHY_BYTES];

	if (!conn->seals || conn->opened ||
	    paths__seal_open(&conn->seals[PATHS__CONN_IN], frame, bytes, why)) {
		conn->opened = false;
		return true;
	}
	paths__conn_refuse(conn, "%s", why);
	return false;
}

bool
paths__conn_next(struct paths__conn *conn, struct paths__frame *frame,
    const uint8_t **payload)
{
	size_t have = conn->in_last - conn->in_first;
	size_t seal = paths__conn_seal_bytes(conn);
	uint32_t bytes;
	uint8_t *at;

	if (have < sizeof(*frame))
		return false;
	at = conn->in + conn->in_first;
	memcpy(&bytes, at, sizeof(bytes));
	if (bytes < sizeof(*frame) + seal || bytes > conn->frame_max) {
		paths__conn_refuse(conn, "frame of %u bytes, at most %zu",
		    bytes, conn->frame_max);
		return false;
	}
	if (have < bytes || !conn_open(conn, at, bytes))
		return false;
	memcpy(frame, at, sizeof(*frame));
	frame->bytes = bytes - (uint32_t)seal;
	*payload = at + sizeof(*frame);
	conn->in_first += bytes;
	conn->heard = CONN_HEARD;
	if (frame->type != PATHS__FRAME_BREAK)
		return true;
	paths__conn_lose(conn, "it closed the connection: %.*s",
	    (int)(frame->bytes - sizeof(*frame)), (const char *)*payload);
	return false;
}

bool
paths__conn_heard(struct paths__conn *conn)
{
	if (conn->heard < CONN_HEARD)
		return false;
	conn->heard = 0;
	return true;
}

void
paths__conn_unread(struct paths__conn *conn, const struct paths__frame *frame)
{
	conn->in_first -= frame->bytes + paths__conn_seal_bytes(conn);
	conn->opened = true;
}
