/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_private.h - a connection that carries frames between two
 * processes
 *
 * The frames travel over a TCP or Unix-domain socket, or through a ring in
 * shared memory.  One thread at a time reads a connection; any thread may put
 * frames into its buffer.  paths__conn_flush sends the buffer, so many frames
 * leave with one system call.  Frames over TCP are sealed when they are sent,
 * unless the map trusts the network.
 */

#ifndef LIBPATHS_NET_CONN_PRIVATE_H
#define LIBPATHS_NET_CONN_PRIVATE_H

#include "libpaths/map.h"
#include "libpaths/net/lend_private.h"
#include "libpaths/net/loop_private.h"
#include "libpaths/net/ring_private.h"
#include "libpaths/net/seal_private.h"

#include <pthread.h>

enum paths__frame_type {
	PATHS__FRAME_OPEN = 1, /* client: opens a hop; payload: its type */
	PATHS__FRAME_OP,       /* client: an operation; payload: its tuple */
	PATHS__FRAME_ANSWER,   /* server: result; payload: tuple or reason */
	PATHS__FRAME_CANCEL,   /* client: cancels the operation */
	PATHS__FRAME_CLOSE,    /* client: closes a hop; payload: the reason */
	PATHS__FRAME_BEAT,     /* both: the process lives; no payload */
	PATHS__FRAME_BREAK     /* both: the last one; payload: the reason */
};

/*
 * The header of every frame.  Its byte order is that of both sides: the
 * handshake compares them.  A *hop* is the item of a proxy in the map.
 */
struct paths__frame {
	uint32_t bytes; /* of header and payload; sent: and of the seal */
	uint8_t type;
	uint8_t kind;	/* enum paths_kind */
	int16_t status; /* ANSWER, CLOSE */
	uint32_t hop;
	uint32_t serial; /* of the operation on its hop */
	uint32_t seq;
	union {
		uint32_t step;	 /* OP */
		uint32_t missed; /* ANSWER; saturating */
	};
	uint64_t index;
};

/* The size of a sealed beat. */
#define PATHS__BEAT_BYTES \
	(sizeof(struct paths__frame) + sizeof(struct paths__seal_end))

#define PATHS__CONN_WHY_BYTES 160

/* Buffers begin small, because a server may have many idle connections. */
#define PATHS__CONN_IN_FIRST 1024u

/* Payloads of this size or more are not copied into the buffers. */
#define PATHS__CONN_LARGE (32u << 10)

enum { PATHS__CONN_OUT, PATHS__CONN_IN }; /* of the seals */

/* Returns the memory for the payload of a large frame that was announced, or
   NULL.  The seal of the frame is not checked yet. */
typedef uint8_t *paths__place_fn(void *to, const struct paths__frame *frame,
    size_t bytes);

/* A large frame whose payload is received into the memory of its reader. */
struct paths__body {
	struct paths__frame frame;
	uint8_t *to; /* NULL: there is none */
	size_t bytes, have;
	uint8_t *last;	  /* of the frame that was taken last */
	uint8_t *dropped; /* memory of the connection; or NULL */
};

struct paths__conn {
	int fd;
	struct paths__ring *ring; /* NULL: the socket carries the frames */
	struct paths__loop *loop; /* that reads it; NULL: a thread reads it */
	struct paths__watch *watch;
	struct paths__poller poller; /* of a ring that the loop reads */
	bool shared;		     /* by several threads: needs the lock */
	uint32_t peer;		     /* process at the other end */
	size_t frame_max;
	struct paths__seal *seals; /* out and in; NULL: not sealed */
	bool paused;		   /* the loop does not read it for now */

	/* Used by the thread that reads. */
	uint8_t *in;
	size_t in_room, in_first, in_last;
	size_t heard;	/* bytes read since paths__conn_heard was true */
	bool drained;	/* the last fill read all bytes */
	bool opened;	/* the first frame was taken and put back */
	size_t in_want; /* bytes to read at once; doubles after a full read */
	struct paths__body body;
	bool in_body;		/* the last frame that was taken had a body */
	paths__place_fn *place; /* NULL: no frame has a body */
	void *place_to;

	pthread_mutex_t lock; /* guards the members from out to why */
	uint8_t *out;
	size_t out_room, out_first, out_sealed, out_last;
	struct paths__lends lends; /* large payloads that are not in `out` */
	_Atomic bool broken;	   /* only set with the lock held */
	char why[PATHS__CONN_WHY_BYTES]; /* of the break; written before it */

	/* Set by the thread that sends: a flush, or the loop with a beat. */
	_Atomic bool sending;
	_Atomic bool
	    stuck; /* the last flush left bytes in the buffer, which the loop
		       also sends; a flush sets it, and any thread that uses the
		       buffer then sets `sending` */
	uint8_t rest[PATHS__BEAT_BYTES]; /* of a beat that was sent in part */
	size_t rest_first;		 /* PATHS__BEAT_BYTES: no rest */

	char silent[64];	   /* reason when the kernel gives up */
	_Atomic bool limited;	   /* set when silent is written */
	_Atomic(const char *) cut; /* error of the socket; NULL: none */
	uint32_t beat; /* step of the last beat; written by the loop */

	struct paths__flusher flusher; /* written by the loop */
};

/* A connection that one thread uses, a thread of the map or the loop's, needs
   no lock. */
static inline void
paths__conn_lock(struct paths__conn *conn)
{
	if (conn->shared)
		pthread_mutex_lock(&conn->lock);
}

static inline void
paths__conn_unlock(struct paths__conn *conn)
{
	if (conn->shared)
		pthread_mutex_unlock(&conn->lock);
}

/* Returns the bytes of a seal of the connection. */
static inline size_t
paths__conn_seal_bytes(const struct paths__conn *conn)
{
	return conn->seals ? sizeof(struct paths__seal_end) : 0;
}

/* init takes the descriptor over; fini closes it. */
void paths__conn_init(struct paths__conn *conn, int fd, size_t frame_max);
void paths__conn_fini(struct paths__conn *conn);

/* Seals all frames from now on.  keys: those of the direction out and in. */
paths_status paths__conn_seal(struct paths__conn *conn,
    const uint8_t keys[2][PATHS__SEAL_KEY_BYTES], bool encrypts);

/* Reads without blocking.  Returns false when nothing was read. */
bool paths__conn_fill(struct paths__conn *conn);

/*
 * Sleeps in a read, which is one system call less than paths__conn_park and
 * paths__conn_fill.  Returns false when nothing was read: after a signal, after
 * the time of paths__silence_wake, or at once, with a ring and while there are
 * bytes that the transport did not accept.
 */
bool paths__conn_wait_fill(struct paths__conn *conn);

/*
 * Takes the next whole frame out of the bytes that were read.  Returns false
 * when there is none.  The payload is valid until the next fill.  A frame that
 * the peer did not send next, or of an impossible length, is refused.  A frame
 * with the reason why the peer breaks the connection does so here as well.
 */
bool paths__conn_next(struct paths__conn *conn, struct paths__frame *frame,
    const uint8_t **payload);

/* Lets large payloads be received into the memory that a function returns.  It
   must stay valid until the frame is taken, or until drop_body. */
void paths__conn_place(struct paths__conn *conn, paths__place_fn *place,
    void *to);

/* The memory will not be valid any more: what follows of its payload is
   dropped.  With the lock held, on the thread that reads. */
void paths__conn_drop_body(struct paths__conn *conn, const void *memory);

/* Returns true when a whole frame, or 4 KiB of one, was read since it last
   returned true.  Beats alone do not complete a frame of a wrong length. */
bool paths__conn_heard(struct paths__conn *conn);

/* Puts the last frame back: paths__conn_next takes it again. */
void paths__conn_unread(struct paths__conn *conn,
    const struct paths__frame *frame);

/* With the lock held: puts a frame into the buffer.  Returns false without
   memory.  On a broken connection the frame is dropped. */
bool paths__conn_put(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes);

/*
 * As paths__conn_put, but a payload of PATHS__CONN_LARGE or more is not copied,
 * unless it is encrypted.  Sets *until, if until is not NULL, when the payload
 * is lent, and clears it when the connection does not need it any more.
 */
bool paths__conn_lend(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes, _Atomic bool *until);

/* With the lock held: ends the lending of a payload.  The connection copies
   what was not sent. */
void paths__conn_take_back(struct paths__conn *conn, const void *payload);

/* Sends the buffer without blocking; _locked with the lock held.  Returns true
   when the buffer is empty or the connection broken. */
bool paths__conn_flush(struct paths__conn *conn);
bool paths__conn_flush_locked(struct paths__conn *conn);

/* Marks the connection broken; break with the lock held, lose without.  The
   first reason counts. */
void paths__conn_break(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);
void paths__conn_lose(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Returns the reason for an error of the socket.  A kernel that gives up after
   TCP_USER_TIMEOUT reports the last error of the network, if there was one. */
const char *paths__conn_error(const struct paths__conn *conn, int error);

/* Wakes the other side of a ring by a byte on its socket. */
void paths__conn_wake_peer(struct paths__conn *conn);

/*
 * Without the lock, on the thread that reads: breaks the connection because of
 * a frame of the peer, and sends the reason as the last frame.  That direction
 * is not disturbed: the peer's frame came in the other one.
 */
void paths__conn_refuse(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * Without the lock, after put: sends the buffer of a connection that the loop
 * reads.  The loop's own thread does so at the end of the iteration, other
 * threads at once.  Does nothing for the connection of a thread, which flushes
 * it before it waits.
 */
void paths__conn_send(struct paths__conn *conn);

/*
 * On the loop's thread: sends a beat on a connection, also on that of another
 * thread.  Sends nothing while the thread sends.  While bytes are left that the
 * transport did not accept, sends those of another thread instead.
 */
void paths__conn_beat(struct paths__conn *conn);

/* On the loop's thread: flushes, and watches the socket for room to write as
   long as something remains. */
void paths__conn_update(struct paths__conn *conn);

/* Returns true when a part of a frame was read. */
bool paths__conn_has_part(const struct paths__conn *conn);

/* Sleeps until there is something to read, room to write what remains, or a
   time in ticks; UINT64_MAX: for ever. */
void paths__conn_park(struct paths__conn *conn, uint64_t until);

/* As the `sleep` of a poller, for a connection with a ring. */
bool paths__conn_sleep(struct paths__conn *conn, bool sleeping);

/* Reads the wake-up bytes from the socket of a ring.  Returns false when the
   other side has closed it. */
bool paths__conn_take_wakeups(struct paths__conn *conn);

#endif
