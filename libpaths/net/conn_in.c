/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_in.c - reads the frames of a connection
 */

#include "libpaths/net/conn_private.h"

#include "libpaths/clock.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#define CONN_IN_LAST (64u << 10)
#define CONN_HEARD 4096u
#define CONN_NS_PER_S INT64_C(1000000000)
#define CONN_ARRIVED_NS 1000000 /* since a stamp, at most */
#define CONN_BODY (128u << 10)	/* of a payload: received at once */

static size_t
conn_less(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Moves the bytes to the front of the buffer, or makes it larger. */
static bool
conn_grow_in(struct paths__conn *conn, size_t bytes)
{
	size_t have = conn->in_last - conn->in_first;
	uint8_t *in;

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

/* Makes room for a number of further bytes behind those in the buffer. */
static inline bool
conn_reserve_in(struct paths__conn *conn, size_t bytes)
{
	if (conn->in_first == conn->in_last)
		conn->in_first = conn->in_last = 0;
	return conn->in_room - conn->in_last >= bytes ||
	    conn_grow_in(conn, bytes);
}

/* Returns how many bytes to read: the remainder of the first frame, or more. */
static size_t
conn_want(const struct paths__conn *conn)
{
	size_t have = conn->in_last - conn->in_first;
	uint32_t bytes;

	if (have < sizeof(bytes) || conn->body.to)
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

/* Handles the result of a receive. */
static ptrdiff_t
conn_received(struct paths__conn *conn, ssize_t n)
{
	if (n > 0)
		return n;
	if (n == 0)
		paths__conn_lose(conn, "%s", conn_end(conn));
	else if (errno != EAGAIN && errno != EINTR)
		paths__conn_lose(conn, "%s", paths__conn_error(conn, errno));
	return 0;
}

static ptrdiff_t
conn_get_ring(struct paths__conn *conn, void *bytes, size_t room)
{
	bool wake;
	ptrdiff_t n;

	n = paths__ring_get(conn->ring, bytes, room, &wake);
	if (wake)
		paths__conn_wake_peer(conn);
	if (n < 0)
		paths__conn_lose(conn, "shared memory: counters are wrong");
	return n < 0 ? 0 : n;
}

static bool
conn_is_timed(const struct paths__conn *conn)
{
	/* Relaxed: an operation may be left out. */
	return conn->stamped &&
	    atomic_load_explicit(&conn->timed, memory_order_relaxed) > 0;
}

/* Reads bytes and, if they are for a timed operation, the stamp of the last
   ones. */
static ptrdiff_t
conn_get_message(struct paths__conn *conn, struct iovec *pieces, size_t count,
    int flags)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(PATHS__STAMP_BYTES)];
	} control;
	struct msghdr msg = { .msg_iov = pieces, .msg_iovlen = count };
	ptrdiff_t n;

	const bool timed = conn_is_timed(conn);

	if (timed) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
	}
	n = conn_received(conn, recvmsg(conn->fd, &msg, flags));
	conn->arrived.tv_sec = 0;
	if (n == 0 || !timed)
		return n;
	conn->arrived = paths__stamp_of(&msg);
	return n;
}

static inline ptrdiff_t
conn_get(struct paths__conn *conn, void *bytes, size_t room, int flags)
{
	struct iovec piece = { bytes, room };

	if (conn->ring)
		return conn_get_ring(conn, bytes, room);
	if (conn_is_timed(conn))
		return conn_get_message(conn, &piece, 1, flags);
	conn->arrived.tv_sec = 0;
	return conn_received(conn, recv(conn->fd, bytes, room, flags));
}

/* Reads bytes into two pieces. */
static ptrdiff_t
conn_get_pieces(struct paths__conn *conn, struct iovec pieces[2], int flags)
{
	ptrdiff_t n;

	if (!conn->ring)
		return conn_get_message(conn, pieces, 2, flags);
	n = conn_get_ring(conn, pieces[0].iov_base, pieces[0].iov_len);
	if ((size_t)n == pieces[0].iov_len && pieces[1].iov_len > 0)
		n += conn_get_ring(conn, pieces[1].iov_base, pieces[1].iov_len);
	return n;
}

/* Counts bytes of the payload that is being received. */
static void
conn_count_body(struct paths__conn *conn, size_t bytes)
{
	struct paths__body *b = &conn->body;

	if (conn->seals)
		paths__seal_add(&conn->seals[PATHS__CONN_IN], b->to + b->have,
		    bytes);
	b->have += bytes;
}

/* Reads a part of the payload, and with the last part what follows it. */
static bool
conn_fill_body(struct paths__conn *conn, int flags)
{
	struct paths__body *b = &conn->body;
	size_t part = conn_less(b->bytes - b->have, CONN_BODY);
	struct iovec pieces[2] = { { b->to + b->have, part } };
	size_t n;

	if (b->have + part == b->bytes && conn_reserve_in(conn, 1)) {
		pieces[1].iov_base = conn->in + conn->in_last;
		pieces[1].iov_len = conn->in_room - conn->in_last;
	}
	n = (size_t)conn_get_pieces(conn, pieces, flags);
	conn_count_body(conn, conn_less(n, part));
	conn->in_last += n - conn_less(n, part);
	conn->heard += n;
	conn->drained = n < part + pieces[1].iov_len;
	return n > 0;
}

/* Returns how many bytes may be read into the buffer.  After a body another is
   likely, so only its header is read. */
static size_t
conn_room(const struct paths__conn *conn)
{
	size_t room = conn->in_room - conn->in_last;

	return conn->in_body && conn->in_first == conn->in_last ?
	    conn_less(room, PATHS__CONN_IN_FIRST) :
	    room;
}

/* Reads with the flags of recv. */
static bool
conn_fill(struct paths__conn *conn, int flags)
{
	size_t room;
	ptrdiff_t n;

	if (conn->broken)
		return false;
	if (conn->body.to && conn->body.have < conn->body.bytes)
		return conn_fill_body(conn, flags);
	if (!conn_reserve_in(conn, conn_want(conn))) {
		paths__conn_lose(conn, "no memory for a frame");
		return false;
	}
	room = conn_room(conn);
	n = conn_get(conn, conn->in + conn->in_last, room, flags);
	conn->in_last += (size_t)n;
	conn->heard += (size_t)n;
	conn->drained = (size_t)n < room;
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

void
paths__conn_place(struct paths__conn *conn, paths__place_fn *place, void *to)
{
	conn->place = place;
	conn->place_to = to;
}

/* Begins to receive the payload of the first frame, of which a part was read,
   into the memory of the reader, if the frame is large and there is memory. */
static void
conn_begin_body(struct paths__conn *conn, size_t have)
{
	struct paths__body *b = &conn->body;
	const uint8_t *at = conn->in + conn->in_first;
	struct paths__seal *seal =
	    conn->seals ? &conn->seals[PATHS__CONN_IN] : NULL;
	size_t part;

	if (!conn->place || conn->opened || (seal && seal->encrypts))
		return;
	memcpy(&b->frame, at, sizeof(b->frame));
	b->frame.bytes -= (uint32_t)paths__conn_seal_bytes(conn);
	b->bytes = b->frame.bytes - sizeof(b->frame);
	if (b->bytes < PATHS__CONN_LARGE)
		return;
	b->to = conn->place(conn->place_to, &b->frame, b->bytes);
	if (!b->to)
		return;
	b->have = 0;
	if (seal) {
		paths__seal_begin(seal);
		paths__seal_add(seal, at, sizeof(b->frame));
	}
	part = conn_less(have - sizeof(b->frame), b->bytes);
	memcpy(b->to, at + sizeof(b->frame), part);
	conn_count_body(conn, part);
	conn->in_first += sizeof(b->frame) + part;
}

/* Checks the seal of a frame with a body. */
static bool
conn_check_body(struct paths__conn *conn)
{
	char why[PATHS__SEAL_WHY_BYTES];

	if (!conn->seals ||
	    paths__seal_check(&conn->seals[PATHS__CONN_IN],
		conn->in + conn->in_first, why))
		return true;
	paths__conn_refuse(conn, "%s", why);
	return false;
}

/* Takes a frame with a body. */
static bool
conn_next_body(struct paths__conn *conn, struct paths__frame *frame,
    const uint8_t **payload)
{
	struct paths__body *b = &conn->body;
	size_t seal = conn->opened ? 0 : paths__conn_seal_bytes(conn);

	if (b->have < b->bytes || conn->in_last - conn->in_first < seal ||
	    (!conn->opened && !conn_check_body(conn)))
		return false;
	conn->in_first += seal;
	conn->opened = false;
	conn->in_body = true;
	conn->heard = CONN_HEARD;
	*frame = b->frame;
	*payload = b->to;
	b->last = b->to;
	b->to = NULL;
	return true;
}

void
paths__conn_drop_body(struct paths__conn *conn, const void *memory)
{
	struct paths__body *b = &conn->body;

	if (!b->to || b->to != memory)
		return;
	/* The bytes before are lost, but their MAC is computed. */
	b->to = malloc(b->bytes);
	free(b->dropped);
	b->dropped = b->to;
	if (!b->to)
		paths__conn_break(conn, "no memory for a frame");
}

bool
paths__conn_next(struct paths__conn *conn, struct paths__frame *frame,
    const uint8_t **payload)
{
	size_t have = conn->in_last - conn->in_first;
	size_t seal = paths__conn_seal_bytes(conn);
	uint32_t bytes;
	uint8_t *at;

	if (conn->body.to)
		return conn_next_body(conn, frame, payload);
	if (have < sizeof(*frame))
		return false;
	at = conn->in + conn->in_first;
	memcpy(&bytes, at, sizeof(bytes));
	if (bytes < sizeof(*frame) + seal || bytes > conn->frame_max) {
		paths__conn_refuse(conn, "frame of %u bytes, at most %zu",
		    bytes, conn->frame_max);
		return false;
	}
	if (have < bytes) {
		conn_begin_body(conn, have);
		return false;
	}
	if (!conn_open(conn, at, bytes))
		return false;
	conn->in_body = false;
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

/* The stamp is one of the wall clock, which is read together with the ticks.
   Both clocks run at nearly the same rate for so short a time. */
uint64_t
paths__conn_arrived(const struct paths__conn *conn)
{
	struct timespec now;
	uint64_t ticks;
	int64_t ago;

	if (conn->arrived.tv_sec == 0)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	ticks = paths_clock_ticks_ordered();
	ago = (int64_t)(now.tv_sec - conn->arrived.tv_sec) * CONN_NS_PER_S +
	    (now.tv_nsec - conn->arrived.tv_nsec);
	/* The wall clock may have been set. */
	return ago < 0 || ago > CONN_ARRIVED_NS ?
	    0 :
	    ticks - paths_clock_ns_to_ticks((uint64_t)ago);
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
	conn->opened = true;
	if (conn->in_body)
		conn->body.to = conn->body.last;
	else
		conn->in_first -= frame->bytes + paths__conn_seal_bytes(conn);
}
