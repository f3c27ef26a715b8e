/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_out.c - sends the frames of a connection
 */

#include "libpaths/net/conn_private.h"

#include "libpaths/base/array.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* The buffer begins small, because a server may have many idle connections. */
#define CONN_OUT_FIRST 512u
#define CONN_DROP_BYTES 1024
#define CONN_PART (64u << 10) /* of a payload: sealed and sent at once */
#define CONN_TAIL (16u << 10) /* of a payload: sent with the part before */
#define CONN_TURN (1u << 20)  /* of payloads that the loop sends at once */
#define CONN_DROPS 64	      /* reads of that many bytes */

void
paths__conn_wake_peer(struct paths__conn *conn)
{
	/* A full socket wakes the other side already.  The thread that reads
	   finds a broken socket. */
	if (send(conn->fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}

/* Moves the bytes to the front of the buffer, or makes it larger. */
static bool
conn_grow_out(struct paths__conn *conn, size_t bytes)
{
	size_t have = conn->out_last - conn->out_first;
	size_t need = have + bytes;

	paths__lend_move(&conn->lends, conn->out_first);
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

/* Makes room for a number of further bytes in the buffer for sending. */
static inline bool
conn_reserve_out(struct paths__conn *conn, size_t bytes)
{
	if (conn->out_first == conn->out_last) {
		if (conn->lends.first)
			paths__lend_move(&conn->lends, conn->out_first);
		conn->out_first = conn->out_sealed = conn->out_last = 0;
	}
	return conn->out_room - conn->out_last >= bytes ||
	    conn_grow_out(conn, bytes);
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
	/* The stamp would be that of this frame. */
	conn->stamp.asks = false;
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
	    (uint32_t)(sizeof(*frame) + bytes + paths__conn_seal_bytes(conn));
	if (conn->broken)
		return true;
	if (stuck)
		conn_begin_send(conn);
	put = conn_put(conn, frame, payload, bytes);
	if (stuck)
		conn_end_send(conn);
	return put;
}

/* Puts a frame into the buffer, but not its payload. */
static bool
conn_lend(struct paths__conn *conn, const struct paths__frame *frame,
    const void *payload, size_t bytes, _Atomic bool *until)
{
	size_t seal = paths__conn_seal_bytes(conn);

	if (!conn_reserve_out(conn, sizeof(*frame) + seal) ||
	    !paths__lend_add(&conn->lends, payload, bytes,
		conn->out_last + sizeof(*frame), until))
		return false;
	conn->stamp.asks = false;
	memcpy(conn->out + conn->out_last, frame, sizeof(*frame));
	conn->out_last += sizeof(*frame) + seal;
	return true;
}

bool
paths__conn_lend_large(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes, _Atomic bool *until)
{
	bool stuck = conn->stuck;
	bool put;

	if (conn->broken ||
	    (conn->seals && conn->seals[PATHS__CONN_OUT].encrypts))
		return paths__conn_put(conn, frame, payload, bytes);
	frame->bytes =
	    (uint32_t)(sizeof(*frame) + bytes + paths__conn_seal_bytes(conn));
	if (stuck)
		conn_begin_send(conn);
	put = conn_lend(conn, frame, payload, bytes, until);
	if (stuck)
		conn_end_send(conn);
	return put;
}

void
paths__conn_take_back(struct paths__conn *conn, const void *payload)
{
	conn_begin_send(conn);
	if (!conn->broken && !paths__lend_keep(&conn->lends, payload))
		paths__conn_break(conn, "no memory for a frame");
	if (conn->broken)
		paths__lend_end_all(&conn->lends);
	conn_end_send(conn);
}

/* Seals the frames in the buffer up to one that has its payload elsewhere. */
static void
conn_seal_out(struct paths__conn *conn, size_t until)
{
	uint32_t bytes;

	if (!conn->seals)
		return;
	while (conn->out_sealed < until) {
		uint8_t *frame = conn->out + conn->out_sealed;

		memcpy(&bytes, frame, sizeof(bytes));
		paths__seal_close(&conn->seals[PATHS__CONN_OUT], frame, bytes);
		conn->out_sealed += bytes;
	}
}

/* Returns the reason why a send failed.  After EPIPE a beat may have taken the
   error of the socket. */
static const char *
conn_send_error(const struct paths__conn *conn, int error)
{
	const char *cut = atomic_load(&conn->cut);

	if (error != EPIPE)
		return paths__conn_error(conn, error);
	return cut ? cut : "connection closed";
}

/* Returns how many bytes the socket accepted, by the result of a send. */
static size_t
conn_sent(const struct paths__conn *conn, ssize_t n, const char **why)
{
	if (n < 0 && errno != EAGAIN)
		*why = conn_send_error(conn, errno);
	return n < 0 ? 0 : (size_t)n;
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
			paths__conn_wake_peer(conn);
		return n < 0 ? 0 : (size_t)n;
	}
	do
		n = send(conn->fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return conn_sent(conn, n, why);
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

/* Returns how many bytes of several pieces the transport accepted. */
static size_t
conn_send_pieces(struct paths__conn *conn, struct iovec *pieces, size_t count,
    const char **why)
{
	struct msghdr msg = { .msg_iov = pieces, .msg_iovlen = count };
	size_t all = 0;
	ssize_t n;

	for (size_t i = 0; conn->ring && i < count; i++) {
		size_t first = 0;
		bool whole = conn_send_to(conn, pieces[i].iov_base, &first,
		    pieces[i].iov_len, why);

		all += first;
		if (!whole)
			return all;
	}
	if (conn->ring)
		return all;
	do
		n = sendmsg(conn->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return conn_sent(conn, n, why);
}

/* Begins the MAC of a frame whose payload is lent. */
static void
conn_begin_lent(struct paths__conn *conn, struct paths__lend *lend)
{
	size_t header = lend->at - sizeof(struct paths__frame);
	struct paths__seal *seal;

	lend->begun = true;
	if (!conn->seals) {
		lend->ready = lend->left;
		return;
	}
	seal = &conn->seals[PATHS__CONN_OUT];
	conn_seal_out(conn, header);
	paths__seal_begin(seal);
	paths__seal_add(seal, conn->out + header, sizeof(struct paths__frame));
	conn->out_sealed = lend->at;
}

/* Returns how many of the bytes that are left are sent next.  A short rest is
   not worth a system call of its own. */
static size_t
conn_part(size_t left)
{
	return left <= CONN_PART + CONN_TAIL ? left : CONN_PART;
}

/* Continues the MAC, over a part that is sent next and so stays in the cache.
   Finishes it after the last part. */
static void
conn_seal_part(struct paths__conn *conn, struct paths__lend *lend)
{
	struct paths__seal *seal = &conn->seals[PATHS__CONN_OUT];
	size_t part = conn_part(lend->left);

	if (lend->ready > 0)
		return;
	paths__seal_add(seal, lend->bytes, part);
	lend->ready = part;
	if (part < lend->left)
		return;
	paths__seal_end(seal, conn->out + lend->at);
	conn->out_sealed += sizeof(struct paths__seal_end);
}

static size_t
conn_less(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Sends the buffer up to a lent payload, and at most `most` bytes of it.  The
   seal that follows leaves with the last bytes.  Returns the count of bytes
   that the transport accepted. */
static size_t
conn_send_part(struct paths__conn *conn, struct paths__lend *lend, size_t most,
    const char **why)
{
	size_t ready = conn_less(lend->ready, most);
	bool last = ready == lend->left;
	struct iovec pieces[] = {
		{ conn->out + conn->out_first, lend->at - conn->out_first },
		{ (void *)(uintptr_t)lend->bytes, ready },
		{ conn->out + lend->at,
		    last ? paths__conn_seal_bytes(conn) : 0 },
	};
	size_t n = conn_send_pieces(conn, pieces, 3, why);
	size_t before = conn_less(n, pieces[0].iov_len);
	size_t bytes = conn_less(n - before, ready);

	paths__lend_count(lend, bytes);
	conn->out_first += n - bytes;
	return n;
}

/* Sends the buffer up to the end of the first lent payload.  Returns true when
   all was sent. */
static bool
conn_send_lent(struct paths__conn *conn, size_t *most, const char **why)
{
	struct paths__lend *l = conn->lends.first;
	size_t n = 1;

	if (!l->begun)
		conn_begin_lent(conn, l);
	while (l->left > 0 && *most > 0 && n > 0) {
		if (conn->seals)
			conn_seal_part(conn, l);
		n = conn_send_part(conn, l, *most, why);
		*most -= conn_less(*most, n);
	}
	if (l->left > 0)
		return false;
	paths__lend_end(&conn->lends);
	return true;
}

/* Sends the buffer and asks when it leaves.  Returns false when the transport
   does not accept all. */
static bool
conn_send_stamped(struct paths__conn *conn, const char **why)
{
	ptrdiff_t n;

	do
		n = paths__stamp_send(conn, conn->out + conn->out_first,
		    conn->out_last - conn->out_first,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	conn->out_first += conn_sent(conn, n, why);
	return conn->out_first == conn->out_last;
}

/* Sends the buffer and the lent payloads.  The loop does not send all of them
   at once, because others wait. */
static bool
conn_send_all(struct paths__conn *conn, const char **why)
{
	size_t most = conn->loop ? CONN_TURN : SIZE_MAX;

	while (__builtin_expect(conn->lends.first != NULL, 0))
		if (!conn_send_lent(conn, &most, why))
			return false;
	conn_seal_out(conn, conn->out_last);
	if (__builtin_expect(conn->stamp.asks, 0))
		return conn_send_stamped(conn, why);
	return conn_send_to(conn, conn->out, &conn->out_first, conn->out_last,
	    why);
}

/* Sends nothing more on a socket.  The thread that reads breaks the connection
   when it has read all bytes, because the last frame may give the reason. */
static void
conn_cut(struct paths__conn *conn, const char *why)
{
	atomic_store(&conn->cut, why);
	conn->out_first = conn->out_sealed = conn->out_last;
	conn->rest_first = PATHS__BEAT_BYTES;
	paths__lend_end_all(&conn->lends);
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
	all = conn_send_to(conn, conn->rest, &conn->rest_first,
		  PATHS__BEAT_BYTES, &why) &&
	    conn_send_all(conn, &why);
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
	size_t most = CONN_TURN;
	size_t last = conn->out_last;

	if (conn->loop ||
	    !conn_send_to(conn, conn->rest, &conn->rest_first,
		PATHS__BEAT_BYTES, why))
		return false;
	if (conn->lends.first && conn->lends.first->begun &&
	    !conn_send_lent(conn, &most, why))
		return false;
	if (conn->seals)
		last = conn->out_sealed;
	else if (conn->lends.first)
		last = conn->lends.first->at - sizeof(struct paths__frame);
	return conn_send_to(conn, conn->out, &conn->out_first, last, why);
}

/* Writes a beat to the end of rest. */
static void
conn_make_beat(struct paths__conn *conn)
{
	struct paths__frame beat = { .type = PATHS__FRAME_BEAT };
	uint8_t *at;

	beat.bytes = (uint32_t)(sizeof(beat) + paths__conn_seal_bytes(conn));
	conn->rest_first = PATHS__BEAT_BYTES - beat.bytes;
	at = conn->rest + conn->rest_first;
	memcpy(at, &beat, sizeof(beat));
	if (conn->seals)
		paths__seal_close(&conn->seals[PATHS__CONN_OUT], at,
		    beat.bytes);
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
paths__conn_take_stamps(struct paths__conn *conn)
{
	if (conn->watch && paths__stamp_take(conn))
		paths__loop_again(conn->watch);
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

/* Reads and drops the bytes that have arrived.  A socket that is closed with
   unread bytes resets the connection, and the peer may lose the last frame. */
static void
conn_drop_in(const struct paths__conn *conn)
{
	char bytes[CONN_DROP_BYTES];

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
