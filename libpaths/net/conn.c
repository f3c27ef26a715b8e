/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn.c - a connection that carries frames between two processes
 */

#include "libpaths/net/conn_private.h"

#include "libpaths/base/array.h"
#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "libpaths/net/descriptor_private.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Buffers begin small, because a server may have many idle connections. */
#define CONN_IN_FIRST 1024u
#define CONN_IN_LAST (64u << 10)
#define CONN_HEARD 4096u
#define CONN_OUT_FIRST 512u
#define CONN_DROPS 64 /* reads of CONN_IN_FIRST bytes */
#define CONN_NS_PER_S 1000000000u

enum { CONN_OUT, CONN_IN }; /* of the seals */

static void
conn_flushed(void *to)
{
	paths__conn_update(to);
}

void
paths__conn_init(struct paths__conn *conn, int fd, size_t frame_max)
{
	memset(conn, 0, sizeof(*conn));
	conn->fd = fd;
	conn->peer = PATHS_NONE;
	conn->frame_max = frame_max;
	conn->in_want = CONN_IN_FIRST;
	conn->rest_first = PATHS__BEAT_BYTES;
	conn->flusher.flush = conn_flushed;
	conn->flusher.to = conn;
	pthread_mutex_init(&conn->lock, NULL);
	paths__descriptor_add(fd);
}

void
paths__conn_fini(struct paths__conn *conn)
{
	if (conn->fd >= 0)
		paths__descriptor_close(conn->fd);
	conn->fd = -1;
	paths__ring_close(conn->ring);
	conn->ring = NULL;
	if (conn->seals) {
		paths__seal_fini(&conn->seals[CONN_OUT]);
		paths__seal_fini(&conn->seals[CONN_IN]);
	}
	free(conn->seals);
	free(conn->in);
	free(conn->out);
	pthread_mutex_destroy(&conn->lock);
}

paths_status
paths__conn_seal(struct paths__conn *conn,
    const uint8_t keys[2][PATHS__SEAL_KEY_BYTES], bool encrypts)
{
	conn->seals = calloc(2, sizeof(*conn->seals));
	if (!conn->seals)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the keys of a connection");
	for (int i = 0; i < 2; i++)
		paths__seal_init(&conn->seals[i], keys[i], encrypts);
	conn->frame_max += sizeof(struct paths__seal_end);
	return PATHS_OK;
}

/* Returns the bytes of a seal of the connection. */
static size_t
conn_seal_bytes(const struct paths__conn *conn)
{
	return conn->seals ? sizeof(struct paths__seal_end) : 0;
}

static void conn_break(struct paths__conn *conn, const char *fmt, va_list ap)
    PATHS_PRINTF(2, 0);

static void
conn_break(struct paths__conn *conn, const char *fmt, va_list ap)
{
	if (conn->broken)
		return;
	vsnprintf(conn->why, sizeof(conn->why), fmt, ap);
	conn->broken = true;
}

void
paths__conn_break(struct paths__conn *conn, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	conn_break(conn, fmt, ap);
	va_end(ap);
}

void
paths__conn_lose(struct paths__conn *conn, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	paths__conn_lock(conn);
	conn_break(conn, fmt, ap);
	paths__conn_unlock(conn);
	va_end(ap);
}

/* Reads and drops the bytes that have arrived.  A socket that is closed with
   unread bytes resets the connection, and the peer may lose the last frame. */
static void
conn_drop_in(const struct paths__conn *conn)
{
	char bytes[CONN_IN_FIRST];

	for (int i = 0; i < CONN_DROPS && !conn->ring; i++)
		if (recv(conn->fd, bytes, sizeof(bytes), MSG_DONTWAIT) <= 0)
			return;
}

void
paths__conn_refuse(struct paths__conn *conn, const char *fmt, ...)
{
	struct paths__frame f = { .type = PATHS__FRAME_BREAK };
	char why[PATHS__CONN_WHY_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	paths__conn_lock(conn);
	/* Without memory for the frame, the peer reads no reason. */
	if (paths__conn_put(conn, &f, why, strlen(why)))
		(void)paths__conn_flush_locked(conn);
	paths__conn_break(conn, "%s", why);
	paths__conn_unlock(conn);
	conn_drop_in(conn);
}

/* Wakes the other side of a ring by a byte on its socket. */
static void
conn_wake_peer(struct paths__conn *conn)
{
	/* A full socket wakes the other side already.  The thread that reads
	   finds a broken socket. */
	if (send(conn->fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}

/* --- in ------------------------------------------------------------------ */

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

/* Returns the reason for an error of the socket.  A kernel that gives up after
   TCP_USER_TIMEOUT reports the last error of the network, if there was one. */
static const char *
conn_error(const struct paths__conn *conn, int error)
{
	switch (error) {
	case ETIMEDOUT:
	case ENETDOWN:
	case ENETUNREACH:
	case EHOSTDOWN:
	case EHOSTUNREACH:
		/* Acquire: pairs with paths__silence_limit. */
		return atomic_load_explicit(&conn->limited,
			   memory_order_acquire) ?
		    conn->silent :
		    strerror(error);
	default:
		return strerror(error);
	}
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
		paths__conn_lose(conn, "%s", conn_error(conn, errno));
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
		conn_wake_peer(conn);
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
	    paths__seal_open(&conn->seals[CONN_IN], frame, bytes, why)) {
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
	size_t seal = conn_seal_bytes(conn);
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
	conn->in_first -= frame->bytes + conn_seal_bytes(conn);
	conn->opened = true;
}

/* --- out ----------------------------------------------------------------- */

/* Makes room for a number of further bytes in the buffer for sending. */
static bool
conn_reserve_out(struct paths__conn *conn, size_t bytes)
{
	size_t have = conn->out_last - conn->out_first;
	size_t need = have + bytes;

	if (have == 0)
		conn->out_first = conn->out_sealed = conn->out_last = 0;
	if (conn->out_room - conn->out_last >= bytes)
		return true;
	if (have > 0)
		memmove(conn->out, conn->out + conn->out_first, have);
	conn->out_sealed -= conn->out_first;
	conn->out_first = 0;
	conn->out_last = have;
	if (conn->out_room - have >= bytes)
		return true;
	return paths__array_reserve(&conn->out,
	    need > CONN_OUT_FIRST ? need : CONN_OUT_FIRST, &conn->out_room, 1);
}

/* Lets this thread send.  Returns false while another one does so. */
static bool
conn_try_send(struct paths__conn *conn)
{
	return !atomic_exchange_explicit(&conn->sending, true,
	    memory_order_acquire);
}

static void
conn_begin_send(struct paths__conn *conn)
{
	/* The loop sends for at most a few system calls. */
	while (!conn_try_send(conn))
		sched_yield();
}

static void
conn_end_send(struct paths__conn *conn)
{
	atomic_store_explicit(&conn->sending, false, memory_order_release);
}

static bool
conn_put(struct paths__conn *conn, const struct paths__frame *frame,
    const void *payload, size_t bytes)
{
	if (!conn_reserve_out(conn, frame->bytes))
		return false;
	memcpy(conn->out + conn->out_last, frame, sizeof(*frame));
	if (bytes > 0)
		memcpy(conn->out + conn->out_last + sizeof(*frame), payload,
		    bytes);
	conn->out_last += frame->bytes;
	return true;
}

bool
paths__conn_put(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes)
{
	bool stuck = conn->stuck;
	bool put;

	frame->bytes =
	    (uint32_t)(sizeof(*frame) + bytes + conn_seal_bytes(conn));
	if (conn->broken)
		return true;
	if (stuck)
		conn_begin_send(conn);
	put = conn_put(conn, frame, payload, bytes);
	if (stuck)
		conn_end_send(conn);
	return put;
}

/* Seals the frames in the buffer. */
static void
conn_seal_out(struct paths__conn *conn)
{
	uint32_t bytes;

	if (!conn->seals)
		return;
	while (conn->out_sealed < conn->out_last) {
		uint8_t *frame = conn->out + conn->out_sealed;

		memcpy(&bytes, frame, sizeof(bytes));
		paths__seal_close(&conn->seals[CONN_OUT], frame, bytes);
		conn->out_sealed += bytes;
	}
}

/* Returns how many bytes the transport accepted.  Sets *why when it will never
   accept any. */
static size_t
conn_send(struct paths__conn *conn, const uint8_t *bytes, size_t count,
    const char **why)
{
	bool wake = false;
	ptrdiff_t n;

	if (conn->ring) {
		n = paths__ring_put(conn->ring, bytes, count, &wake);
		if (n < 0)
			*why = "shared memory: counters are wrong";
		if (wake)
			conn_wake_peer(conn);
		return n < 0 ? 0 : (size_t)n;
	}
	do
		n = send(conn->fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN)
		*why = errno == EPIPE ? "connection closed" :
					conn_error(conn, errno);
	return n < 0 ? 0 : (size_t)n;
}

/* Sends bytes from *first up to last, and advances *first.  Returns true when
   all were sent. */
static bool
conn_send_to(struct paths__conn *conn, const uint8_t *bytes, size_t *first,
    size_t last, const char **why)
{
	size_t n = 1;

	while (*first < last && n > 0) {
		n = conn_send(conn, bytes + *first, last - *first, why);
		*first += n;
	}
	return *first == last;
}

/* Sends nothing more on a socket.  The thread that reads breaks the connection
   when it has read all bytes, because the last frame may give the reason. */
static void
conn_cut(struct paths__conn *conn, const char *why)
{
	atomic_store(&conn->cut, why);
	conn->out_first = conn->out_sealed = conn->out_last;
	conn->rest_first = PATHS__BEAT_BYTES;
	shutdown(conn->fd, SHUT_RDWR);
}

bool
paths__conn_flush_locked(struct paths__conn *conn)
{
	const char *why = NULL;
	bool all;

	if (conn->broken || (!conn->stuck && conn->out_first == conn->out_last))
		return true;
	conn_begin_send(conn);
	conn_seal_out(conn);
	all = conn_send_to(conn, conn->rest, &conn->rest_first,
		  PATHS__BEAT_BYTES, &why) &&
	    conn_send_to(conn, conn->out, &conn->out_first, conn->out_last,
		&why);
	if (why && !conn->ring) {
		conn_cut(conn, why);
		all = true;
	}
	/* Relaxed: the loop reads it when it has set `sending`. */
	atomic_store_explicit(&conn->stuck, !all, memory_order_relaxed);
	conn_end_send(conn);
	if (why && conn->ring)
		paths__conn_break(conn, "%s", why);
	return conn->broken || all;
}

/* Sends the bytes that a flush of another thread has left.  Returns true when
   a beat may follow. */
static bool
conn_send_stuck(struct paths__conn *conn, const char **why)
{
	size_t last = conn->seals ? conn->out_sealed : conn->out_last;

	return !conn->loop &&
	    conn_send_to(conn, conn->rest, &conn->rest_first, PATHS__BEAT_BYTES,
		why) &&
	    conn_send_to(conn, conn->out, &conn->out_first, last, why);
}

/* Writes a beat to the end of rest. */
static void
conn_make_beat(struct paths__conn *conn)
{
	struct paths__frame beat = { .type = PATHS__FRAME_BEAT };
	uint8_t *at;

	beat.bytes = (uint32_t)(sizeof(beat) + conn_seal_bytes(conn));
	conn->rest_first = PATHS__BEAT_BYTES - beat.bytes;
	at = conn->rest + conn->rest_first;
	memcpy(at, &beat, sizeof(beat));
	if (conn->seals)
		paths__seal_close(&conn->seals[CONN_OUT], at, beat.bytes);
}

void
paths__conn_beat(struct paths__conn *conn)
{
	const char *why = NULL;

	if (conn->broken || !conn_try_send(conn))
		return;
	if (!conn->stuck || conn_send_stuck(conn, &why)) {
		if (conn->rest_first == PATHS__BEAT_BYTES)
			conn_make_beat(conn);
		/* The thread that reads finds a broken transport. */
		(void)conn_send_to(conn, conn->rest, &conn->rest_first,
		    PATHS__BEAT_BYTES, &why);
	}
	if (why && !conn->ring)
		atomic_store(&conn->cut, why);
	conn_end_send(conn);
}

bool
paths__conn_has_part(const struct paths__conn *conn)
{
	return conn->in_first < conn->in_last;
}

bool
paths__conn_flush(struct paths__conn *conn)
{
	bool all;

	paths__conn_lock(conn);
	all = paths__conn_flush_locked(conn);
	paths__conn_unlock(conn);
	return all;
}

/* Sends on a thread of the application.  The system calls are cancellation
   points, but a pass of an operation must not be cut short. */
static void
conn_send_at_once(struct paths__conn *conn)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (!paths__conn_flush(conn))
		paths__loop_flush(conn->loop, &conn->flusher);
	pthread_setcancelstate(before, NULL);
}

void
paths__conn_send(struct paths__conn *conn)
{
	if (!conn->loop)
		return;
	if (!paths__loop_here(conn->loop))
		conn_send_at_once(conn);
	/* Relaxed: only this thread takes it out of the queue, at the end of
	   the iteration. */
	else if (!atomic_load_explicit(&conn->flusher.queued,
		     memory_order_relaxed))
		paths__loop_flush(conn->loop, &conn->flusher);
}

void
paths__conn_update(struct paths__conn *conn)
{
	bool all = paths__conn_flush(conn);

	if (conn->watch && !conn->ring)
		paths__loop_want(conn->watch,
		    (conn->paused ? 0 : PATHS__READABLE) |
			(all ? 0 : PATHS__WRITABLE));
}

bool
paths__conn_sleep(struct paths__conn *conn, bool sleeping)
{
	bool full;

	paths__conn_lock(conn);
	full = conn->out_first < conn->out_last;
	paths__conn_unlock(conn);
	return paths__ring_sleep(conn->ring, sleeping, full);
}

void
paths__conn_park(struct paths__conn *conn, uint64_t until)
{
	struct pollfd p = { .fd = conn->fd, .events = POLLIN };
	struct timespec left, *wait = NULL;
	bool full = conn->stuck;
	uint64_t now, ns;

	if (full && !conn->ring)
		p.events |= POLLOUT;
	if (until != UINT64_MAX) {
		now = paths_clock_ticks();
		ns = until > now ? paths_clock_ticks_to_ns(until - now) : 0;
		left.tv_sec = (time_t)(ns / CONN_NS_PER_S);
		left.tv_nsec = (long)(ns % CONN_NS_PER_S);
		wait = &left;
	}
	if (!conn->ring) {
		ppoll(&p, 1, wait, NULL);
		return;
	}
	if (paths__ring_sleep(conn->ring, true, full))
		ppoll(&p, 1, wait, NULL);
	paths__ring_sleep(conn->ring, false, full);
	if (p.revents != 0 && !paths__conn_take_wakeups(conn) &&
	    !paths__conn_fill(conn))
		paths__conn_lose(conn, "connection closed");
}
