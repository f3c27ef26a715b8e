/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_private.h - frames between two processes
 *
 * A connection carries frames both ways over a TCP or Unix-domain socket or
 * over shared memory.  One thread at a time reads from it; any thread may
 * put frames into it.  What was put goes out with paths__conn_flush, so that
 * many frames leave with one system call.
 */

#ifndef LIBPATHS_NET_CONN_PRIVATE_H
#define LIBPATHS_NET_CONN_PRIVATE_H

#include "libpaths/map.h"
#include "libpaths/net/loop_private.h"
#include "libpaths/net/ring_private.h"

#include <pthread.h>

enum paths__frame_type {
	PATHS__FRAME_OPEN = 1, /* client: take up a hop; payload: its type */
	PATHS__FRAME_OP,       /* client: an operation; payload: the tuple */
	PATHS__FRAME_ANSWER,   /* server: its end; payload: tuple, or why */
	PATHS__FRAME_CANCEL,   /* client: the operation is not wanted */
	PATHS__FRAME_CLOSE     /* client: the hop has ended; payload: why */
};

/*
 * Every frame begins with this, in the byte order of both sides, which the
 * handshake compares.  A *hop* is the item of a proxy in the map.
 */
struct paths__frame {
	uint32_t bytes; /* of the frame, this header included */
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

struct paths__conn {
	int fd;
	struct paths__ring *ring; /* NULL: the socket carries the frames */
	struct paths__loop *loop; /* who reads it; NULL: a thread */
	struct paths__watch *watch;
	struct paths__looked looked;
	bool shared;   /* between threads */
	uint32_t peer; /* the process at the other end */
	size_t frame_max;
	bool paused; /* the loop does not read it for now */

	/* Read by one thread. */
	uint8_t *in;
	size_t in_room, in_first, in_last;
	bool drained;	/* the last fill took all there was */
	size_t in_want; /* bytes to ask for; doubles when that many came */

	pthread_mutex_t lock; /* of what follows */
	uint8_t *out;
	size_t out_room, out_first, out_last;
	_Atomic bool broken; /* only set with the lock held */
	char why[96];	     /* broken: what happened */

	/* Kept by the loop, under its lock; the loop's thread may look. */
	_Atomic bool dirty;
	struct paths__conn *next_dirty;
};

/* A connection that one thread alone uses, its thread of the map or the loop,
   needs no lock. */
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

/* init takes the descriptor over; fini closes it. */
paths_status paths__conn_init(struct paths__conn *conn, int fd,
    size_t frame_max);
void paths__conn_fini(struct paths__conn *conn);

/* Read what has come, without blocking: false when nothing came. */
bool paths__conn_fill(struct paths__conn *conn);

/*
 * The next whole frame, or NULL.  Valid until the next fill; `frame` is a
 * copy.  A frame that cannot be breaks the connection.
 */
bool paths__conn_next(struct paths__conn *conn, struct paths__frame *frame,
    const uint8_t **payload);

/* Put the last frame back: it comes again. */
void paths__conn_unread(struct paths__conn *conn,
    const struct paths__frame *frame);

/* With the lock held.  put: false without memory.  flush: true when all is
   out or the connection is broken. */
bool paths__conn_put(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes);
bool paths__conn_flush(struct paths__conn *conn);
void paths__conn_break(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Without the lock: what its reader finds. */
void paths__conn_lose(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * Without the lock, after put: see that it goes out.  On the loop's thread at
 * the end of this round, elsewhere at once; a connection of a thread is
 * flushed when that thread waits.
 */
void paths__conn_send(struct paths__conn *conn);

/* What the loop does at the end of a round with each that was put into. */
void paths__conn_round(struct paths__conn *conn);

/* Sleep until something comes, or may go out, or a time in ticks. */
void paths__conn_park(struct paths__conn *conn, uint64_t until);

/* Take the rings of the bell from the socket behind a ring: false when the
   other side has closed it. */
bool paths__conn_hear(struct paths__conn *conn);

#endif
